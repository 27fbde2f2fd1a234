import { randomBytes } from 'node:crypto';
import { authorizationUrl, Browser, consent, discover, exchange, pkce, type Registration } from '../agent/index.js';
import type { Steps } from './print.js';

/** Who takes part in the demo. */
export interface Cast {
  readonly client: Registration;
  readonly traveller: { readonly email: string; readonly password: string };
}

const SCOPES = ['booking:write', 'mandate:create', 'order:write', 'payment:execute', 'receipt:read'];

/** The agent gets its traveller's leave: discovery, PKCE, login, consent, token. Answers the access token. */
export const authorize = async (origin: string, { client, traveller }: Cast, steps: Steps): Promise<string> => {
  steps.begin('Discovery', `GET ${origin}/.well-known/oauth-authorization-server`);
  const server = await discover(origin);
  steps.tell(`issuer ${server.issuer}, authorize at ${server.authorization_endpoint}`);

  const { verifier, challenge } = pkce();
  const state = randomBytes(16).toString('base64url');
  steps.begin(
    'The traveller logs in and approves',
    'GET /oauth/authorize?response_type=code&code_challenge_method=S256&…',
  );
  const address = authorizationUrl(server, client, { scopes: SCOPES, state, challenge });
  const callback = await consent(new Browser(origin), address, traveller);
  steps.tell(`${traveller.email} lets ${client.clientId} do: ${SCOPES.join(' ')}`);
  steps.tell(`back to ${callback.origin}${callback.pathname} with a code, state and iss`);

  steps.begin('Code for tokens', 'POST /oauth/token  grant_type=authorization_code');
  const tokens = await exchange(server, client, callback, { state, verifier });
  steps.tell(`access token for ${tokens.expires_in} s, and a refresh token`);
  return tokens.access_token;
};
