import { type Api, authorizationUrl, Browser, discover, exchange, pkce } from '#agent';
import { apiAt, PILOT, PURCHASE } from './agent.js';

export interface Traveller {
  readonly email: string;
  readonly password: string;
}

type Page = Awaited<ReturnType<Browser['open']>>;
type Fields = Readonly<Record<string, string>>;

export interface Consent {
  readonly browser: Browser;
  readonly page: Page;
  /** Approves on the page with these fields filled in; returns what comes next: a page of ours, or the way back (status 0). */
  readonly approve: (on: Page, fields: Fields) => Promise<Page>;
  /** The agent with the token it gets for what it was sent back with. */
  readonly agentFrom: (back: Page) => Promise<Api>;
}

/** Takes a traveller to the consent page of an agent that wants all of a purchase, and mandates by these details. */
export const reachConsent = async (
  origin: string,
  traveller: Traveller,
  client: { readonly clientId: string; readonly secret: string } = PILOT,
  details: readonly object[] = [],
): Promise<Consent> => {
  const registration = { ...client, redirectUri: 'http://127.0.0.1:8765/callback' };
  const server = await discover(origin);
  const { verifier, challenge } = pkce();
  const state = crypto.randomUUID();
  const browser = new Browser(origin);
  const address = authorizationUrl(server, registration, { scopes: PURCHASE, state, challenge });
  if (details.length > 0) address.searchParams.set('authorization_details', JSON.stringify(details));
  const login = await browser.open(address);
  return {
    browser,
    page: await browser.submit(login, { username: traveller.email, password: traveller.password }),
    approve: (on, fields) => browser.submit(on, { decision: 'approve', ...fields }),
    agentFrom: async ({ url }) => {
      const { access_token: token } = await exchange(server, registration, url, { state, verifier });
      return apiAt(origin, token);
    },
  };
};

/** An agent that its traveller let in with these fields of the consent page filled in: `cap`, or none. */
export const agentWith = async (fields: Fields, ...where: Parameters<typeof reachConsent>): Promise<Api> => {
  const consent = await reachConsent(...where);
  return consent.agentFrom(await consent.approve(consent.page, fields));
};
