import { randomBytes } from 'node:crypto';
import {
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
import { readable } from '../audit/format.js';

/** Writes the demo's steps: numbered headings with the results of each below. */
export class Steps {
  private step = 0;

  constructor(private readonly write: (text: string) => void) {}

  /** A heading: the step, and the call an agent makes for it. */
  begin(title: string, call: string): void {
    this.step += 1;
    this.write(`\n${this.step.toString().padStart(2)}. ${title}\n    ${call}\n`);
  }

  note(line: string): void {
    this.write(`    → ${line}\n`);
  }
}

export interface Cast {
  readonly client: Registration;
  readonly traveller: { readonly email: string; readonly password: string };
  /** What the tokens are bound to, where the service requires that; null: nothing. */
  readonly key: ProofKey | null;
}

export const SCOPES = ['booking:write', 'mandate:create', 'order:write', 'payment:execute', 'receipt:read'];

/** The traveller allows a mandate that waits for their decision. */
export const allow = async (url: string, origin: string, { traveller }: Cast): Promise<void> => {
  const browser = new Browser(origin);
  const login = await browser.open(url);
  const page = await browser.submit(login, { username: traveller.email, password: traveller.password });
  await browser.submit(page, { decision: 'approve' });
};

/** Authorizes the agent: discovery, PKCE, login, consent, token request. `details`: the mandates that it asks for. */
export const authorize = async (
  origin: string,
  { client, traveller, key }: Cast,
  steps: Pick<Steps, 'begin' | 'note'>,
  details?: readonly object[],
): Promise<Tokens> => {
  const verb = details ? 'grants the mandate' : 'approves';
  const asking = details ? `authorization_details=${JSON.stringify(details)}` : 'code_challenge_method=S256';
  steps.begin('Discover the authorization server', `GET ${origin}/.well-known/oauth-authorization-server`);
  const server = await discover(origin);
  steps.note(`issuer ${server.issuer}, authorize at ${server.authorization_endpoint}`);

  const { verifier, challenge } = pkce();
  const state = randomBytes(16).toString('base64url');
  steps.begin(`The traveller logs in and ${verb}`, `GET /oauth/authorize?response_type=code&${asking}&…`);
  const address = authorizationUrl(server, client, {
    scopes: SCOPES,
    state,
    challenge,
    ...(details && { details }),
  });
  const callback = await consent(new Browser(origin), address, traveller);
  steps.note(`${traveller.email} grants ${client.clientId} the scopes ${SCOPES.join(' ')}`);
  steps.note(`redirected to ${callback.origin}${callback.pathname} with code, state and iss`);

  steps.begin('Exchange the code for tokens', 'POST /oauth/token  grant_type=authorization_code');
  const tokens = await exchange(server, client, callback, { state, verifier }, key);
  if (key) steps.note('bound to a key of the agent (DPoP), which this service requires');
  steps.note(`an access token, valid for ${tokens.expires_in} s, and a refresh token`);
  for (const { mandateId, limit } of tokens.authorization_details ?? [])
    steps.note(`granted: mandate ${mandateId}, up to ${readable(limit)}`);
  return tokens;
};
