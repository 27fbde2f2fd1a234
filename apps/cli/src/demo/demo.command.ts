import type { Command } from 'commander';
import { randomBytes } from 'node:crypto';
import {
  Api,
  authorizationUrl,
  Browser,
  consent,
  discover,
  exchange,
  pkce,
  ProofKey,
  type Registration,
  requiresProofs,
  type Tokens,
} from '../agent/index.js';
import type { Cli } from '../command-line.js';
import { answers, withOwnServer } from './own-server.js';
import { readable, Steps } from './print.js';
import { grantedPurchase, purchase, refusedPurchase } from './purchase.js';

const wholePurchase = async (cli: Cli): Promise<void> => {
  const { write } = cli;
  const config = cli.config();
  const [traveller] = config.travellers;
  if (!traveller) throw new Error('the demo needs a traveller: DEMO_TRAVELLERS is empty');
  const { clientId, secret } = config.pilot;
  const client = { clientId, secret, redirectUri: 'http://127.0.0.1:8765/callback' };

  const run = async (origin: string): Promise<void> => {
    const steps = new Steps(write);
    const key = (await requiresProofs(origin)) ? new ProofKey() : null;
    const cast: Cast = { client, traveller, key };
    const api = new Api(`${origin}/api/v1`, (await authorize(origin, cast, steps)).access_token, key);
    const { mandate, booking } = await purchase(api, steps, (url) => allow(url, origin, cast));
    const second = await refusedPurchase(api, steps, mandate, booking);
    await grantedPurchase(second, steps, async (details) => {
      const { access_token, authorization_details } = await authorize(origin, cast, steps, details);
      return { api: new Api(`${origin}/api/v1`, access_token, key), granted: authorization_details?.[0] };
    });
    write(
      '\nThe purchase within the mandate went through; the one above its limit was refused until it was granted.\n',
    );
  };

  const { site } = config.addresses.urls;
  if (await answers(site)) {
    write(`Alçada demo on ${site}\n`);
    await run(site);
  } else {
    write(`Alçada demo: no server answers at ${site}, so a temporary one is started\n`);
    await withOwnServer(run);
  }
};

/**
 * `alcada demo`: a complete purchase as an OAuth client makes it, on the running server or a temporary one, and then
 * one order above the limit of the mandate, which is refused.
 */
export const addDemoCommand = (program: Command, cli: Cli): void => {
  program
    .command('demo')
    .description('make a complete purchase as an agent would, on the running server or a temporary one')
    .action(() => wholePurchase(cli));
};

/** Who takes part in the demo. */
interface Cast {
  readonly client: Registration;
  readonly traveller: { readonly email: string; readonly password: string };
  /** What the tokens are bound to, where the service requires that; null: nothing. */
  readonly key: ProofKey | null;
}

const SCOPES = ['booking:write', 'mandate:create', 'order:write', 'payment:execute', 'receipt:read'];

/** The traveller allows a mandate that waits for their decision. */
const allow = async (url: string, origin: string, { traveller }: Cast): Promise<void> => {
  const browser = new Browser(origin);
  const login = await browser.open(url);
  const page = await browser.submit(login, { username: traveller.email, password: traveller.password });
  await browser.submit(page, { decision: 'approve' });
};

/** Authorizes the agent: discovery, PKCE, login, consent, token request. `details`: the mandates that it asks for. */
const authorize = async (
  origin: string,
  { client, traveller, key }: Cast,
  steps: Steps,
  details?: readonly object[],
): Promise<Tokens> => {
  const verb = details ? 'grants the mandate' : 'approves';
  const asking = details ? `authorization_details=${JSON.stringify(details)}` : 'code_challenge_method=S256';
  steps.begin('Discover the authorization server', `GET ${origin}/.well-known/oauth-authorization-server`);
  const server = await discover(origin);
  steps.tell(`issuer ${server.issuer}, authorize at ${server.authorization_endpoint}`);

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
  steps.tell(`${traveller.email} grants ${client.clientId} the scopes ${SCOPES.join(' ')}`);
  steps.tell(`redirected to ${callback.origin}${callback.pathname} with code, state and iss`);

  steps.begin('Exchange the code for tokens', 'POST /oauth/token  grant_type=authorization_code');
  const tokens = await exchange(server, client, callback, { state, verifier }, key);
  if (key) steps.tell('bound to a key of the agent (DPoP), which this service requires');
  steps.tell(`an access token, valid for ${tokens.expires_in} s, and a refresh token`);
  for (const { mandateId, limit } of tokens.authorization_details ?? [])
    steps.tell(`granted: mandate ${mandateId}, up to ${readable(limit)}`);
  return tokens;
};
