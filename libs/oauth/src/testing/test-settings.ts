import { type Addresses, baseUrlsAt } from '#http';
import type { OAuthSettings } from '../oauth-settings.js';

export const HOST = '127.0.0.1:3000';
export const ISSUER = `http://${HOST}`;
export const PILOT = { clientId: 'alcada-pilot', secret: 'alcada-pilot-secret' } as const;
export const PASSWORD = 'alcada-demo';
export const CALLBACK = 'http://127.0.0.1:8765/callback';
export const PUBLIC_CLIENT = 'app-publico';
export const OTHER_CLIENT = { clientId: 'outro agente', secret: 'segredo: 100% +1' } as const;

export const LOOPBACK: Addresses = { urls: baseUrlsAt(ISSUER), followLoopback: true };
export const PUSHING_CLIENT = { clientId: 'agente-par', secret: 'segredo-par' } as const;

/** The settings of the out-of-the-box start, with a public client and other confidential ones beside the pilot. */
export const testSettings = (change: Partial<OAuthSettings> = {}): OAuthSettings => ({
  addresses: LOOPBACK,
  keyEncryptionKeys: [],
  clients: [
    {
      ...PILOT,
      name: 'Agente piloto',
      redirectUris: [CALLBACK, 'http://localhost:8765/callback', '{auth_url}/oauth/playground'],
      pilot: true,
    },
    { clientId: PUBLIC_CLIENT, secret: null, name: 'Aplicativo público', redirectUris: [CALLBACK], pilot: false },
    { ...PUSHING_CLIENT, name: 'Agente que envia antes', redirectUris: [CALLBACK], pilot: false, requirePar: true },
    { ...OTHER_CLIENT, name: 'Outro agente', redirectUris: ['https://outro.example/volta?a=1'], pilot: false },
  ],
  accounts: [
    { email: 'ana@example.com', password: PASSWORD },
    { email: 'bruno@example.com', password: PASSWORD },
  ],
  refreshReuseGrace: 0,
  passwordCost: { N: 1_024, r: 8, p: 1 },
  loginFailures: 0,
  playground: true,
  ...change,
});
