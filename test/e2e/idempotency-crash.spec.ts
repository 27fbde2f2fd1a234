import type { StoredEvent } from '#event-store';
import type { Answer, Api } from '#agent';
import { ANA } from '../support/agent.js';
import { CHALLENGED_CARD, challengeIn, decide } from '../support/challenge.js';
import type { Booking, Mandate, Order, Refused } from '../support/answers.js';
import { killedOver, type Survivor } from '../support/killed-request.js';
import {
  bodyOf,
  book,
  brl,
  GOOD_CARD,
  grant,
  mandateNow,
  order,
  TRIP,
  TRIP_PRICE,
  wholeList,
} from '../support/purchase.js';
import { settled } from '../support/service.js';
import { stayEmbedded } from '../support/stores.js';
import { swept } from '../support/sweep.js';

stayEmbedded('it kills a process over the files of a folder');

let survivor: Survivor | undefined;
afterEach(async () => {
  await survivor?.close();
  survivor = undefined;
});

const isReplayed = ({ headers }: Answer<unknown>): boolean => headers.get('idempotent-replayed') === 'true';

const logOf = async ({ service }: Survivor, ...types: readonly string[]): Promise<readonly StoredEvent[]> => {
  const events: StoredEvent[] = [];
  for await (const event of service.dependencies.events.readAll(null))
    if (types.includes(event.type)) events.push(event);
  return events;
};

let mandate: Mandate;
/** Charged once, and so it is answered from now on. */
const expectOneCharge = async ({ service, ana, again }: Survivor, paid: Order): Promise<void> => {
  await settled(service); // whoever finished it
  expect(await mandateNow(ana, mandate)).toMatchObject({ consumed: brl(TRIP_PRICE), reserved: brl(0) });
  const orders = await wholeList<Order>(ana, '/orders');
  expect(orders.filter(({ status }) => status === 'paid').map(({ id }) => id)).toEqual([paid.id]);
  const next = await again<Order>();
  expect([bodyOf(next, 201), isReplayed(next)]).toEqual([paid, true]);
};

describe('an order with an Idempotency-Key whose process is killed, sent again (rule 21)', () => {
  const ordering = async (ana: Api) => {
    const booking = await book(ana);
    mandate = await grant(ana, TRIP_PRICE * 10);
    return { path: '/orders', body: { bookingId: booking.id, mandateId: mandate.id, payment: GOOD_CARD } };
  };

  const uncaptured = [
    'after insert idempotency',
    'before append BookingCheckoutStarted',
    'after append BookingCheckoutStarted',
    'after append MandateReserved',
    'before insert payment-ledger',
  ];
  it.each(
    swept({ short: uncaptured.slice(-1), middle: [0, 4].map((place) => uncaptured[place] ?? ''), full: uncaptured }),
  )('starts once more where nothing was captured: killed %s', async (step) => {
    survivor = await killedOver(step, ordering);
    const early = await survivor.again<Refused>();
    expect([early.status, early.body.error]).toEqual([409, 'idempotency_in_flight']);
    survivor.endLease();
    const answer = await survivor.again<Order>();
    expect(isReplayed(answer)).toBe(false);
    await expectOneCharge(survivor, bodyOf(answer, 201));
  });

  const captured = ['after insert payment-ledger', 'after append OrderPaid', 'before replace idempotency'];
  it.each(swept({ short: captured.slice(-1), middle: captured.slice(1), full: captured }))(
    'is answered the order that was paid, and charges nothing: killed %s',
    async (step) => {
      survivor = await killedOver(step, ordering);
      survivor.endLease();
      const answer = await survivor.again<Order>();
      expect(isReplayed(answer)).toBe(true);
      await expectOneCharge(survivor, bodyOf(answer, 201));
    },
  );

  it('is answered at once where the answer was kept already', async () => {
    survivor = await killedOver('after replace idempotency', ordering);
    await expectOneCharge(survivor, bodyOf(await survivor.again<Order>(), 201));
  });
});

describe('an approved order completed under a new Idempotency-Key by a process that is killed, sent again (rule 21)', () => {
  let waiting: string;
  const completing = async (ana: Api) => {
    const booking = await book(ana);
    mandate = await grant(ana, TRIP_PRICE);
    const { id, url } = challengeIn(await order(ana, booking, mandate, CHALLENGED_CARD));
    await decide(url, ANA, 'approve');
    waiting = id;
    return { path: '/orders', body: { bookingId: booking.id, mandateId: mandate.id, payment: CHALLENGED_CARD } };
  };

  const points: readonly (readonly [step: string, wasPaid: boolean])[] = [
    ['after insert idempotency', false],
    ['before append MandateConsumed', false],
    ['before replace idempotency', true],
  ];
  it.each(swept({ short: points.slice(1, 2), middle: points.slice(1), full: points }))(
    'is answered the order that it completed: killed %s',
    async (step, wasPaid) => {
      survivor = await killedOver(step, completing);
      survivor.endLease();
      const answer = await survivor.again<Order>();
      expect([answer.status, answer.body]).toMatchObject([201, { id: waiting, status: 'paid' }]);
      expect(isReplayed(answer)).toBe(wasPaid);
      await expectOneCharge(survivor, answer.body);
    },
  );
});

describe('a booking with an Idempotency-Key whose process is killed, sent again (rule 21)', () => {
  it('is answered the booking that was made', async () => {
    survivor = await killedOver('after append BookingCreated', () => ({ path: '/bookings', body: TRIP }));
    survivor.endLease();
    const answer = await survivor.again<Booking>();
    expect(isReplayed(answer)).toBe(true);
    await settled(survivor.service);
    expect(await wholeList<Booking>(survivor.ana, '/bookings')).toEqual([bodyOf(answer, 201)]);
  });
});

describe('a mandate with an Idempotency-Key whose process is killed, sent again (rule 21)', () => {
  const granting = () => ({ path: '/mandates', body: { limit: brl(100_00), durationMinutes: 30 } });

  it('is created under the id that its delegation has open', async () => {
    // The lease of this test is longer than recovery leaves a mandate uncreated, so recovery must not come before the retry.
    survivor = await killedOver('after append MandateOpened', granting, 3_600);
    survivor.endLease();
    const { id } = bodyOf(await survivor.again<Mandate>(), 201);
    const events = await logOf(survivor, 'MandateOpened', 'MandateCreated', 'MandateClosed');
    expect(events.map(({ type, data }) => [type, data['mandateId']])).toEqual([
      ['MandateOpened', id],
      ['MandateCreated', id],
    ]);
  });

  it('is created under another id once that one was given up', async () => {
    survivor = await killedOver('after append MandateOpened', granting);
    for (let minutes = 0; minutes < 30; minutes += 5) survivor.endLease();
    const { events } = survivor.service.dependencies;
    const ending = new AbortController();
    for await (const { event } of events.subscribe({
      after: null,
      categories: ['delegation'],
      signal: ending.signal,
    })) {
      if (event?.type === 'MandateClosed') break;
    }
    ending.abort();
    const created = bodyOf(await survivor.again<Mandate>(), 201);
    const [opened, renewed] = await logOf(survivor, 'MandateOpened');
    expect(created.id).not.toBe(opened?.data['mandateId']);
    expect(created.id).toBe(renewed?.data['mandateId']);
  });
});
