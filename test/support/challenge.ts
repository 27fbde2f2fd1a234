import { type Answer, Browser } from '#agent';
import type { RunningApi } from '../../apps/api/src/start.js';
import type { Booking } from './answers.js';
import type { Traveller } from './consent.js';
import { GOOD_CARD } from './purchase.js';
import { bookings } from '#booking';

export const CHALLENGED_CARD = { ...GOOD_CARD, cardNumber: '4000 0000 0000 3220' } as const;

export interface Challenged {
  readonly error: string;
  readonly challenge: {
    readonly id: string;
    readonly url: string;
    readonly expiresAt: string;
    readonly pollAfterSeconds: number;
  };
  readonly order: { readonly id: string; readonly status: string; readonly url: string };
}

export const challengeIn = ({ status, body }: Answer<unknown>): Challenged['challenge'] => {
  const { error, challenge } = body as Challenged;
  if (status !== 402 || error !== 'payment_challenge_required') throw new Error(`got ${status} ${error}`);
  return challenge;
};

/** A traveller's browser that logged in on the way to an address; and the page it then came to. */
export const loggedIn = async (url: string, { email, password }: Traveller) => {
  const browser = new Browser(new URL(url).origin);
  const login = await browser.open(url);
  return { browser, page: await browser.submit(login, { username: email, password }) };
};

export const decide = async (url: string, traveller: Traveller, decision: 'approve' | 'deny') => {
  const { browser, page } = await loggedIn(url, traveller);
  return browser.submit(page, { decision });
};

/** Waits until the checkout of a booking's order is given up, whoever does that. */
export const checkoutAbandoned = async ({ dependencies }: RunningApi, { id }: Booking): Promise<void> => {
  const end = new AbortController();
  const options = { after: null, categories: ['booking'], signal: end.signal };
  for await (const { event } of dependencies.events.subscribe(options)) {
    if (event?.stream === bookings.streamOf(id) && event.type === 'BookingCheckoutAbandoned') break;
  }
  end.abort();
};
