import { systemContext } from '#kernel';
import { orders } from '#order';
import type { Answer, Api } from '#agent';
import type { RunningApi } from '../../apps/api/src/start.js';
import type { Booking } from '../support/answers.js';
import { readBooks } from '../support/books.js';
import { CHALLENGED_CARD, challengeIn } from '../support/challenge.js';
import { findings } from '../support/findings.js';
import { book, dayIn, DECLINED_CARD, GOOD_CARD, grant, order } from '../support/purchase.js';

/** A flight with seats for all of it, on a day that stays on sale however much time a test lets pass. */
const TRIP = { flightNumber: 'AL4011', fareCode: 'LEVE', date: dayIn(20) };
const PRICE = 489_90;

/** One request that goes wrong somewhere, and the booking it is about. */
export interface Errand {
  readonly booking: Booking;
  readonly run: (api: Api) => Promise<Answer<unknown>>;
}

export interface Scenario {
  readonly name: string;
  /** Everything up to the request, done by a service in good health. */
  readonly prepare: (api: Api, service: RunningApi) => Promise<Errand>;
}

const ordering = (payment: object): Scenario['prepare'] => {
  return async (api) => {
    const booking = await book(api, TRIP);
    const mandate = await grant(api, PRICE);
    const buyer = { name: 'Ana Souza', document: '123.456.789-09' };
    const body = { bookingId: booking.id, mandateId: mandate.id, buyer, payment };
    const key = { 'idempotency-key': `chave-${booking.id}` };
    return { booking, run: (agent) => agent.call('POST', '/orders', body, key) };
  };
};

const challenged = async (api: Api) => {
  const booking = await book(api, TRIP);
  const mandate = await grant(api, PRICE);
  return { booking, mandate, challenge: challengeIn(await order(api, booking, mandate, CHALLENGED_CARD)) };
};

export const PAID: Scenario = { name: 'an order that is paid', prepare: ordering(GOOD_CARD) };

/** Every way of an order, and a revocation on the way of one. */
export const SCENARIOS: readonly Scenario[] = [
  PAID,
  { name: 'an order that is declined', prepare: ordering(DECLINED_CARD) },
  { name: 'an order whose holder is asked', prepare: ordering(CHALLENGED_CARD) },
  {
    name: 'the completion of an order that its holder approved',
    prepare: async (api, { dependencies }) => {
      const { booking, mandate, challenge } = await challenged(api);
      // The ledger has not heard of it yet: the completion carries that on as well.
      const approve = { type: 'DecidePayment', decision: 'approve' } as const;
      await dependencies.aggregates.handle(orders, challenge.id, approve, systemContext('a test'));
      return { booking, run: (agent) => order(agent, booking, mandate, CHALLENGED_CARD) };
    },
  },
  {
    name: 'a revocation while an order waits for its holder',
    prepare: async (api) => {
      const { booking, mandate } = await challenged(api);
      return { booking, run: (agent) => agent.call('DELETE', `/mandates/${mandate.id}`) };
    },
  },
];

/** Checks that the books agree, and that the booking is ticketed or can be ordered again; returns which. */
export const expectSound = async (
  { dependencies }: RunningApi,
  api: Api,
  { booking }: Errand,
): Promise<{ readonly isTicketed: boolean }> => {
  const books = await readBooks(dependencies.events, dependencies.documents);
  expect(findings(books)).toEqual([]);
  const isTicketed = books.events.some(
    ({ type, stored }) => type === 'BookingTicketed' && stored.stream.endsWith(booking.id),
  );
  const again = await order(api, booking, await grant(api, PRICE));
  expect([again.status, again.body]).toMatchObject(
    isTicketed ? [409, { error: 'booking_already_ordered', order: { status: 'paid' } }] : [201, { status: 'paid' }],
  );
  expect(findings(await readBooks(dependencies.events, dependencies.documents))).toEqual([]);
  return { isTicketed };
};
