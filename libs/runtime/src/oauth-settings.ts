import type { Config } from '#config';
import type { OAuthSettings } from '#oauth';
import { SITE_CLIENT } from '#webmcp';

/** The settings of the authorization server, with the built-in clients and travellers (docs/decisions.md, Fixed names). */
export const oauthSettings = (config: Config): OAuthSettings => ({
  addresses: config.addresses,
  keyEncryptionKey: config.keyEncryptionKey,
  clients: [
    {
      ...config.pilot,
      name: 'Cliente piloto',
      redirectUris: ['http://127.0.0.1:8765/callback', 'http://localhost:8765/callback', '{auth_url}/oauth/playground'],
      pilot: true,
    },
    SITE_CLIENT,
  ],
  accounts: config.travellers,
  refreshReuseGrace: config.times.refreshReuseGrace,
  passwordCost: { N: 2 ** config.passwordCost, r: 8, p: 3 },
  loginFailures: config.limits.loginFailures,
  publicDefaults: config.publicDefaults,
  playground: config.playground,
});
