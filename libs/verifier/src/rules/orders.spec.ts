import type { AuditedEvent, Json } from '../audited-event.js';
import { isOfStory, purchaseStory, REFUNDED, STORY, testCrypto, withWord } from '../testing/index.js';
import { LogRules } from './log.js';
import { NEWEST } from '../version.js';

/** The rules that events break, with their streams' categories. */
const brokenBy = (events: readonly AuditedEvent[]): readonly string[] => {
  const rules = new LogRules(testCrypto.sha256, NEWEST);
  return events.flatMap((event) =>
    rules.next(event).map(({ rule, stream, revision }) => `${rule} ${stream.replace(/-.*/, '')} ${revision}`),
  );
};

/** The story with other data here and there, its flight left out. */
const told = async (change: (type: string, data: Json, revision: number) => Json): Promise<readonly string[]> =>
  brokenBy(await purchaseStory(change).bundled((stream) => !stream.startsWith('flight-')));

const inLine = (data: Json, more: Json): Json => ({ ...data, line: { ...(data['line'] as Json), ...more } });

describe('the rules of an order', () => {
  it('compare what was frozen with what was placed as a whole, whatever a short sum of it says', async () => {
    // Both descriptions have one FNV-1a sum of 32 bits, in the first order's line.
    const other = 'Voo AL4012, GRU–REC (Recife), tarifa Clássica, sem reembolso 濶份们';
    const breaches = await told((type, data) =>
      type === 'OrderPlaced' && data['bookingId'] === '44444444-4444-4444-8444-444444444444'
        ? inLine(data, { description: other })
        : data,
    );
    expect(breaches).toContain('checkout order 0');
  });

  it.each([['another'], [1], [null], [{}]])(
    'are asked of an event, also where it says orderId %j beside its members',
    async (orderId) => {
      const breaches = await told((_, data) => {
        const { payment } = data as { readonly payment?: Json };
        return payment ? { ...data, orderId, payment: { ...payment, amount: { amount: 1, currency: 'BRL' } } } : data;
      });
      expect(breaches.filter((breach) => breach.startsWith('amount order'))).not.toEqual([]);
    },
  );

  it('ask nothing of an order without a checkout, whatever streams a bundle has beside its bookings', async () => {
    const rules = new LogRules(testCrypto.sha256, NEWEST, (stream) => !stream.startsWith('booking-'));
    const story = await purchaseStory().bundled((stream) => !/^(?:booking|flight)-/.test(stream));
    expect(story.flatMap((event) => rules.next(event)).filter(({ rule }) => rule === 'checkout')).toEqual([]);
  });

  it('count seats past 65,536, and let none be held too late, or again once they were released', () => {
    const at = '2026-01-31T12:00:00.000Z';
    const metadata = { eventId: '', occurredAt: at, actor: { holder: 'h', clientId: 'a' }, schemaVersion: 1, hash: '' };
    const brl = (amount: number) => ({ amount, currency: 'BRL' });
    const event = (stream: string, type: string, data: Json, revision = 0) => ({
      stream,
      revision,
      type,
      data,
      metadata,
    });
    const [party, times, flight] = [{ holder: 'h', clientId: 'a' }, { arrivalTime: '1', departureTime: '1' }, 'AL1'];
    const passengers = 65_537;
    const trip = { flightNumber: flight, from: 'GRU', to: 'REC', departureDate: null, ...times, arrivalDayOffset: 0 };
    const fare = { fareCode: 'F', fareName: 'F', baggage: 'none', description: '' };
    const line = { ...trip, ...fare, passengers, unitPrice: brl(1), subtotal: brl(passengers) };
    const checkout = { orderId: 'o', bookingId: 'b', mandateId: 'm', mandateSelection: 'explicit', line };
    const total = brl(passengers);
    const names = { slug: '', fromCity: null, toCity: '', timeZone: null, durationMin: 1, currency: 'BRL', fares: [] };
    const choice = { flightNumber: flight, fareCode: 'F', passengers, total };
    const asked = { mandateId: 'm', ...party, scope: [], limit: total, minutes: 1, requestedAt: at, lapsesAt: at };
    const begun = [
      event('mandate-m', 'MandateRequested', asked),
      event('flight-AL1', 'FlightScheduled', { ...trip, ...names, seats: 100_000 }),
      event('booking-b', 'BookingCreated', { bookingId: 'b', ...party, ...choice, createdAt: at }),
      event('booking-b', 'BookingCheckoutStarted', { ...checkout, ...party, total, holdBefore: at, openedAt: at }, 1),
    ];
    const held = (seats: number, revision = 1) =>
      event('flight-AL1', 'SeatsHeld', { orderId: 'o', seats, holdBefore: at, heldAt: at }, revision);
    expect(brokenBy([...begun, held(passengers)])).toEqual([]);
    expect(brokenBy([...begun, held(1)])).toEqual(['checkout flight 1']);
    const [late, heldAt] = [held(passengers), '2026-01-31T12:00:00.001Z'];
    const tooLate = { ...late, data: { ...late.data, heldAt }, metadata: { ...metadata, occurredAt: heldAt } };
    expect(brokenBy([...begun, tooLate])).toEqual(['fence flight 1']);
    const seats = { orderId: 'o', seats: passengers, holdBefore: at, releasedAt: at };
    const released = event('flight-AL1', 'SeatsReleased', seats, 2);
    expect(brokenBy([...begun, held(passengers), released])).toEqual([]);
    expect(brokenBy([...begun, held(passengers), released, held(passengers, 3)])).toContain('fence flight 3');
  });

  it('let nothing happen to an order once its booking has let it go', async () => {
    const [paid, ticketed] = [await purchaseStory().bundled(() => true), 'BookingTicketed'];
    const last = paid.findIndex(({ type }) => type === ticketed);
    const failed = { failure: 'payment_declined', failedAt: paid[last]?.metadata.occurredAt };
    const order = paid.find(({ type }) => type === 'OrderPaid');
    if (!order) throw new Error('there is one');
    const late = { ...order, revision: 2, type: 'OrderFailed', data: failed };
    const events = [...paid.slice(0, last + 1), late].filter(({ stream }) => !stream.startsWith('flight-'));
    expect(brokenBy(events)).toContain('order order 2');
  });

  it('let no order fail whose money is consumed, nor money move that its order does not say', async () => {
    const story = await purchaseStory().bundled((stream) => !stream.startsWith('flight-'));
    const place = story.findIndex(({ type }) => type === 'OrderPaid');
    const [consumed, paid] = [story[place - 1], story[place]];
    if (consumed?.type !== 'MandateConsumed' || !paid)
      throw new Error('money is consumed right before the order is paid');
    const failure = { failure: 'payment_declined', failedAt: paid.metadata.occurredAt };
    const failed = { ...paid, type: 'OrderFailed', data: failure };
    const before = story.slice(0, place - 1);
    expect(brokenBy([...before, consumed, failed])).toEqual(['order order 1']);
    expect(brokenBy([...before, failed, consumed])).toEqual(['order mandate 2']);
    const back = { orderId: STORY.paidOrder, holdBefore: '2026-01-31T12:01:10.000Z', amount: consumed.data['amount'] };
    const data = { ...back, releasedAt: consumed.metadata.occurredAt };
    expect(brokenBy([...before, paid, { ...consumed, type: 'MandateReleased', data }])).toContain('order mandate 2');
  });

  it('let a mandate of AP2 be redeemed by one order, which is placed with what its checkout redeems', async () => {
    const redeeming = async (mandateIn: (type: string, orderId: unknown) => string) => {
      const breaches = await told((type, data) => {
        if (type === 'MandateReserved') return { ...data, ap2: true };
        if (!['BookingCheckoutStarted', 'OrderPlaced'].includes(type)) return data;
        const closed = (of: string) => ({ redemption: `${of} ${mandateIn(type, data['orderId'])}`, reference: 'x' });
        return { ...data, ap2: { checkout: closed('checkout'), payment: closed('payment') } };
      });
      return breaches.filter((breach) => /booking|checkout/.test(breach));
    };
    expect(await told((type, data) => (type === 'MandateReserved' ? { ...data, ap2: true } : data))).toContain(
      'checkout mandate 1',
    );
    expect(await redeeming((_, orderId) => String(orderId))).toEqual([]);
    expect(await redeeming(() => 'the same')).toEqual(['order booking 1']);
    expect(await redeeming((type, orderId) => `${type} ${String(orderId)}`)).toEqual([
      'checkout order 0',
      'checkout order 0',
    ]);
  });

  it('let no checkout begin twice', async () => {
    const story = await purchaseStory().bundled(isOfStory);
    const place = story.findIndex(({ type }) => type === 'BookingCheckoutStarted');
    const [begun] = story.slice(place);
    if (!begun) throw new Error('there is one');
    expect(brokenBy([...story.slice(0, place + 1), { ...begun, revision: 2 }])).toContain('order booking 2');
  });

  it('know which checkouts were not over where the log was read to, and since when', async () => {
    const story = await purchaseStory().bundled(isOfStory);
    const rules = new LogRules(testCrypto.sha256, NEWEST, isOfStory);
    const place = story.findIndex(({ type }) => type === 'OrderPlaced');
    for (const event of story.slice(0, place + 1)) rules.next(event);
    const openedAt = story[place]?.metadata.occurredAt;
    const [bookingId] = STORY.bookings.map((stream) => stream.slice('booking-'.length));
    expect([...rules.orders.stillOpen()]).toEqual([
      { what: 'checkout', orderId: STORY.paidOrder, bookingId, openedAt },
    ]);
    for (const event of story.slice(place + 1)) rules.next(event);
    expect([...rules.orders.stillOpen()]).toEqual([]);
  });

  it('name the reason of a cancellation that they do not know', async () => {
    const story = await withWord(REFUNDED['lives-refund'] ?? ((script) => script)).bundled(() => true);
    const rules = new LogRules(testCrypto.sha256, NEWEST);
    const breaches = story.flatMap((event) => {
      const isBegun = event.type === 'OrderCancellationStarted';
      return rules.next(isBegun ? { ...event, data: { ...event.data, reason: 'regret' } } : event);
    });
    expect(breaches).toEqual([
      expect.objectContaining({ rule: 'refund', message: 'cancelled for an unknown reason, regret' }),
    ]);
  });

  it.each(['lives-refund', 'lives-refund-failed'])(
    'know which cancellations were not over either: %s',
    async (name) => {
      const story = await withWord(REFUNDED[name] ?? ((script) => script)).bundled(() => true);
      const place = story.findIndex(({ type }) => type === 'OrderCancellationStarted');
      const { stream = '', data, metadata } = story[place] ?? {};
      const rules = new LogRules(testCrypto.sha256, NEWEST);
      for (const event of story.slice(0, place + 1)) rules.next(event);
      const [orderId, bookingId] = [stream.slice('order-'.length), data?.['bookingId']];
      expect([...rules.orders.stillOpen()]).toEqual([
        { what: 'cancellation', orderId, bookingId, openedAt: metadata?.occurredAt },
      ]);
      for (const event of story.slice(place + 1)) rules.next(event);
      expect([...rules.orders.stillOpen()]).toEqual([]);
    },
  );
});
