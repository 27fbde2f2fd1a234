import { randomBytes } from 'node:crypto';
import {
  Api,
  authorizationUrl,
  Browser,
  consent,
  discover,
  exchange,
  pkce,
  type ProofKey,
  type Registration,
  type Tokens,
} from '#agent';

export const PURCHASE = ['booking:write', 'mandate:create', 'order:write', 'payment:execute', 'receipt:read'] as const;

const PASSWORD = 'alcada-demo';
export const ANA = { email: 'ana@example.com', password: PASSWORD } as const;
export const BRUNO = { email: 'bruno@example.com', password: PASSWORD } as const;

export const PILOT = { clientId: 'alcada-pilot', secret: 'alcada-pilot-secret' } as const;

interface Wanted {
  readonly traveller?: { readonly email: string; readonly password: string };
  readonly client?: Pick<Registration, 'clientId' | 'secret'>;
  readonly scopes?: readonly string[];
  /** What the traveller fills in on the consent page. */
  readonly fields?: Readonly<Record<string, string>>;
  /** What the tokens are to be bound to; null: nothing. */
  readonly key?: ProofKey | null;
}

/** Tokens through the whole flow: discovery, PKCE, login, consent, code. */
export const tokensFor = async (
  origin: string,
  { traveller = ANA, client = PILOT, scopes = PURCHASE, fields = {}, key = null }: Wanted = {},
): Promise<Tokens> => {
  const registration = { ...client, redirectUri: 'http://127.0.0.1:8765/callback' };
  const server = await discover(origin);
  const { verifier, challenge } = pkce();
  const state = randomBytes(8).toString('base64url');
  const address = authorizationUrl(server, registration, { scopes, state, challenge });
  const callback = await consent(new Browser(origin), address, traveller, fields);
  return exchange(server, registration, callback, { state, verifier }, key);
};

/** The API at `origin` with a bearer token, or with none. */
export const apiAt = (origin: string, token: string | null = null): Api => new Api(`${origin}/api/v1`, token);

export const agentAt = async (origin: string, wanted: Wanted = {}): Promise<Api> =>
  apiAt(origin, (await tokensFor(origin, wanted)).access_token);
