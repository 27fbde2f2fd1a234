import { delegations } from '#mandate';
import { eraseHolder, openErasure } from '../../apps/cli/src/erase/erase-holder.js';
import type { EventStore } from '#event-store';
import { systemContext } from '#kernel';
import type { Answer } from '#agent';
import type { Booking, Mandate, Order, Refused } from '../support/answers.js';
import { capturedOrders, readBooks } from '../support/books.js';
import { findings } from '../support/findings.js';
import { newKey, post } from '../support/keyed.js';
import { bodyOf, book, brl, buy, GOOD_CARD, grant, mandateNow, order, TRIP, TRIP_PRICE } from '../support/purchase.js';
import { settled } from '../support/service.js';
import { SmallSetting } from '../support/setting.js';

// On a slow machine some of those who wait for their turn with a card would be told to come later.
const setting = new SmallSetting({ LIMIT_REFUSED_CARDS: '0' });
afterEach(async () => {
  expect(findings(await booksNow())).toEqual([]);
});

const booksNow = () => readBooks(setting.service.dependencies.events, setting.service.dependencies.documents);
const times = <Result>(count: number, work: (place: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_, place) => work(place)));

/** How often each outcome occurs: `201 paid`, or status and code. */
const outcomes = (answers: readonly Answer<Partial<Order & Refused>>[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const outcome = `${status} ${body.error ?? body.status ?? ''}`;
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
};
const seatsOf = async (flightNumber: string, date?: string): Promise<number> => {
  await settled(setting.service);
  return bodyOf(
    await setting.anyone.get<{ seats: number }>(`/flights/${flightNumber}${date === undefined ? '' : `?date=${date}`}`),
    200,
  ).seats;
};

describe('50 orders at once on a mandate that can pay 10', () => {
  it('are 10 paid and 40 refused, and the ledger has what the mandate has', async () => {
    const { ana } = setting;
    const seats = await seatsOf(TRIP.flightNumber);
    const bookings = await times(50, () => book(ana));
    const mandate = await grant(ana, TRIP_PRICE * 10 + TRIP_PRICE - 1);
    const answers = await Promise.all(bookings.map((booking) => order(ana, booking, mandate)));

    expect(outcomes(answers)).toEqual({ '201 paid': 10, '422 mandate_limit_exceeded': 40 });
    expect(await mandateNow(ana, mandate)).toMatchObject({
      consumed: brl(TRIP_PRICE * 10),
      reserved: brl(0),
      remaining: brl(TRIP_PRICE - 1),
    });
    expect(capturedOrders(await booksNow(), mandate.id)).toHaveLength(10);
    expect(await seatsOf(TRIP.flightNumber)).toBe(seats - 10);

    const left = bookings.filter((_, place) => answers[place]?.status !== 201);
    const another = await grant(ana, TRIP_PRICE * 40);
    for (const booking of left) await buy(ana, booking, another);
    expect((await mandateNow(ana, another)).status).toBe('exhausted');
  });
});

describe('20 orders at once of one booking', () => {
  const keyed: typeof order = (api, { id: bookingId }, { id: mandateId }) =>
    post<Order>(api, '/orders', { bookingId, mandateId, payment: GOOD_CARD }, newKey());

  it.each([
    ['without an Idempotency-Key', order],
    ['each with an Idempotency-Key of its own', keyed],
  ])('%s, are one paid, and 19 that name it', async (_, place) => {
    const { ana } = setting;
    const booking = await book(ana);
    const mandate = await grant(ana, TRIP_PRICE * 20);
    const answers = await times(20, () => place(ana, booking, mandate));
    const [paid, ...more] = answers.filter(({ status }) => status === 201);
    expect([paid?.body.status, more]).toEqual(['paid', []]);
    for (const { status, body } of answers as unknown as readonly Answer<Refused & { order: Order }>[]) {
      if (status === 201) continue;
      expect([status, body.error]).toEqual([
        409,
        expect.stringMatching(/^(order_in_progress|booking_already_ordered)$/),
      ]);
      expect(body.order).toEqual({
        id: paid?.body.id,
        status: body.error === 'order_in_progress' ? expect.stringMatching(/^(pending|paid)$/) : 'paid',
        url: paid?.body.url,
      });
    }
    expect((await mandateNow(ana, mandate)).consumed).toEqual(brl(TRIP_PRICE));
    expect(capturedOrders(await booksNow(), mandate.id)).toEqual([paid?.body.id]);
  });
});

describe('the last seats of a flight', () => {
  it('are sold once: 20 orders for two on a flight with nine seats', async () => {
    const { ana } = setting;
    const bookings = await times(20, () => book(ana, { flightNumber: 'AL4201', fareCode: 'LEVE', passengers: 2 }));
    const mandate = await grant(ana, 10_000_00);
    const answers = await Promise.all(bookings.map((booking) => order(ana, booking, mandate)));
    expect(outcomes(answers)).toEqual({ '201 paid': 4, '422 seats_unavailable': 16 });
    const date = bookings[0]?.departureDate ?? '';
    expect(await seatsOf('AL4201', date)).toBe(1);
    await buy(ana, await book(ana, { flightNumber: 'AL4201', fareCode: 'LEVE' }), mandate);
    expect(await seatsOf('AL4201', date)).toBe(0);
    // The next one is another day's.
    expect(await seatsOf('AL4201')).toBe(9);
  });
});

describe('a booking changed while it is ordered', () => {
  it('is charged and ticketed as it stands in the end', async () => {
    const { ana } = setting;
    const mandate = await grant(ana, TRIP_PRICE * 1000);
    await times(10, async () => {
      const booking = await book(ana);
      const [answer] = await Promise.all([
        order(ana, booking, mandate),
        times(5, (place) => ana.call('PATCH', `/bookings/${booking.id}`, { passengers: place + 2 })),
      ]);
      const paid = bodyOf(answer, 201);
      const { total, passengers } = bodyOf(await ana.get<Booking>(`/bookings/${booking.id}`), 200);
      expect(paid.grandTotal).toEqual(total);
      expect(total).toEqual(brl(TRIP_PRICE * passengers));
    });
  });
});

describe('a mandate revoked while it is spent', () => {
  it('captures nothing after the answer', async () => {
    const { ana } = setting;
    const bookings = await times(40, () => book(ana, { flightNumber: 'AL2101', fareCode: 'LEVE' }));
    const price = bookings[0]?.total.amount ?? 0;
    const mandate = await grant(ana, price * 40);
    const orders = bookings.map((booking) => order(ana, booking, mandate));
    await Promise.race(orders);
    const revoked = bodyOf(await ana.call<Mandate>('DELETE', `/mandates/${mandate.id}`), 200);
    const { '201 paid': paid = 0, '409 mandate_revoked': refused = 0 } = outcomes(await Promise.all(orders));
    expect(paid + refused).toBe(40);
    expect(revoked).toMatchObject({ consumed: brl(price * paid), reserved: brl(0) });
    expect((await mandateNow(ana, mandate)).consumed).toEqual(revoked.consumed);
  });
});

describe('an agent let in while its holder is erased', () => {
  it('is revoked with the others, by whichever look at the log finds it', async () => {
    const { dependencies } = setting.service;
    const { aggregates } = dependencies;
    const holder = 'b1b1b1b1-0000-4000-8000-000000000001';
    const letIn = (clientId: string) =>
      aggregates.handle(
        delegations,
        { holder, clientId },
        { type: 'AuthorizeAgent', holder, clientId, grantId: clientId, scopes: [] },
        systemContext('a consent'),
      );
    await letIn('agent-0');
    let looks = 0;
    // After each of the first three looks another one is let in: by then it was not to be found.
    const events: EventStore = Object.create(dependencies.events) as EventStore;
    events.readAll = async function* (after) {
      yield* dependencies.events.readAll(after);
      looks += 1;
      if (looks <= 3) await letIn(`agent-${looks}`);
    };
    const erased = await eraseHolder(holder, await openErasure({ ...dependencies, events }), () => undefined);
    expect([erased.agents, looks]).toEqual([4, 5]);
    for (const agent of [0, 1, 2, 3])
      expect((await aggregates.load(delegations, { holder, clientId: `agent-${agent}` })).state).toMatchObject({
        status: 'revoked',
      });
  });
});
