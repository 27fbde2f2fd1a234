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
  type Registration,
} from '../agent/index.js';
import { SystemClock } from '#kernel';
import type { Cli } from '../command-line.js';
import { answers, withOwnServer } from './own-server.js';
import { Steps } from './print.js';
import { purchase, refusedPurchase } from './purchase.js';

const wholePurchase = async (cli: Cli): Promise<void> => {
  const { write } = cli;
  const config = cli.config();
  const [traveller] = config.travellers;
  if (!traveller) throw new Error('the demo needs a traveller: DEMO_TRAVELLERS is empty');
  const { clientId, secret } = config.pilot;
  const cast: Cast = { client: { clientId, secret, redirectUri: 'http://127.0.0.1:8765/callback' }, traveller };

  const run = async (origin: string): Promise<void> => {
    const steps = new Steps(write);
    const token = await authorize(origin, cast, steps);
    const api = new Api(`${origin}/api/v1`, token);
    const { mandate, booking } = await purchase(api, steps);
    await refusedPurchase(api, steps, mandate, booking);
    write('\nThe purchase within the mandate went through; the one above its limit was refused.\n');
  };

  const { site } = config.addresses.urls;
  if (await answers(site)) {
    write(`Alçada demo on ${site}\n`);
    await run(site);
  } else {
    write(`Alçada demo: no server answers at ${site}, so a temporary one is started\n`);
    await withOwnServer(new SystemClock(), run);
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
}

const SCOPES = ['booking:write', 'mandate:create', 'order:write', 'payment:execute', 'receipt:read'];

/** Authorizes the agent: discovery, PKCE, login, consent, token request. Returns the access token. */
const authorize = async (origin: string, { client, traveller }: Cast, steps: Steps): Promise<string> => {
  steps.begin('Discover the authorization server', `GET ${origin}/.well-known/oauth-authorization-server`);
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
  steps.tell(`${traveller.email} grants ${client.clientId} the scopes ${SCOPES.join(' ')}`);
  steps.tell(`redirected to ${callback.origin}${callback.pathname} with code, state and iss`);

  steps.begin('Exchange the code for tokens', 'POST /oauth/token  grant_type=authorization_code');
  const tokens = await exchange(server, client, callback, { state, verifier });
  steps.tell(`an access token, valid for ${tokens.expires_in} s, and a refresh token`);
  return tokens.access_token;
};
