import { openForEach } from '#testing';
import { CHARGE_SCOPES, money, systemContext } from '#kernel';
import { sampleFare } from '../../libs/catalog/src/testing/index.js';
import { capturedOrders } from '../support/books.js';
import { counting, gate } from '../support/gate.js';
import type { LogicalProcess } from '../support/logical-process.js';
import { AGENT, FLIGHT, Market, PRICE, type Wanted } from '../support/market.js';
import { flights } from '#catalog';

const NOBODY = '11111111-1111-4111-8111-111111111111';
const market = openForEach(() => Market.open(3));
let process: LogicalProcess;
beforeEach(() => {
  process = market.process();
});

/** The types of events that some work writes, in the order of the log, and how many rows it adds to the ledger. */
const written = async (work: () => Promise<unknown>) => {
  const before = await market.books();
  await work();
  const after = await market.books();
  const events = after.events.slice(before.events.length);
  return { events, types: events.map(({ type }) => type), rows: after.ledger.size - before.ledger.size };
};
const NOTHING = { types: [], rows: 0 };

/** What of the written types is an order's, in its steps: what goes side by side stands in any order. */
const stepsOf = (types: readonly string[], ...lengths: readonly number[]): readonly (readonly string[])[] => {
  const left = types.filter((type) => type !== 'TicketBlockLeased');
  return [...lengths.map((length) => left.splice(0, length).sort()), ...(left.length > 0 ? [left] : [])];
};

describe('an order that can be refused before it begins', () => {
  const booked = async (changes: Partial<Wanted>, passengers = 1): Promise<Wanted> => ({
    booking: await market.book(process, passengers),
    mandate: await market.grant(process, 10 * PRICE),
    ...changes,
  });

  it.each<[string, () => Promise<Wanted>]>([
    ['invalid_booking', () => booked({ booking: NOBODY })],
    ['invalid_booking', () => booked({ by: { ...AGENT, clientId: 'other' } })],
    ['seats_unavailable', () => booked({}, 4)],
    ['invalid_mandate', () => booked({ mandate: NOBODY })],
    ['payment_card_invalid', () => booked({ card: 'invalid' })],
    ['mandate_required', () => booked({ mandate: undefined }).then(withoutMandates)],
  ])('is refused %s and writes nothing (rule 1)', async (code, wanted) => {
    const order = await wanted();
    const left = await written(() => expect(market.order(process, order)).rejects.toMatchObject({ code }));
    expect(left).toMatchObject(NOTHING);
  });

  const withoutMandates = async (wanted: Wanted): Promise<Wanted> => {
    const { events } = await market.books();
    for (const { type, data } of events) if (type === 'MandateCreated') await market.revoke(process, data.mandateId);
    return wanted;
  };

  it.each<[string, () => Promise<string>]>([
    ['mandate_limit_exceeded', () => market.grant(process, PRICE - 1)],
    ['currency_mismatch', () => market.grant(process, money(10 * PRICE, 'USD'))],
    ['mandate_scope_insufficient', () => market.grant(process, 10 * PRICE, { scope: CHARGE_SCOPES.slice(0, 1) })],
    ['mandate_revoked', () => market.grant(process, 10 * PRICE).then(revoked)],
    ['mandate_expired', () => market.grant(process, 10 * PRICE, { minutes: 1 }).then(outlived)],
  ])('is refused %s by its mandate, which notes that of no order and nothing else (rule 1)', async (code, granted) => {
    const order = { booking: await market.book(process), mandate: await granted() };
    const { events, rows } = await written(() => expect(market.order(process, order)).rejects.toMatchObject({ code }));
    expect(events).toMatchObject([{ type: 'MandateChargeRefused', data: { orderId: null, reason: code } }]);
    expect(rows).toBe(0);
  });

  it('asks its mandate without waiting for another order that writes to it', async () => {
    const { intercept, reached, open } = gate('before', 'append MandateReserved');
    const counts = new Map<string, number>();
    const count = counting(counts);
    const busy = market.process({ intercept: (call, work) => count(call, () => intercept(call, work)) });
    const mandate = await market.grant(process, 10 * PRICE);
    const orders = [market.order(busy, { booking: await market.book(process), mandate })];
    await reached;
    orders.push(market.order(busy, { booking: await market.book(process), mandate }));
    for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
    expect(counts.get('append BookingCheckoutStarted')).toBe(2);
    open();
    expect(await Promise.all(orders)).toMatchObject([{ status: 'paid' }, { status: 'paid' }]);
  });

  it('is looked at by the delegation alone where its process knows the other streams (rules 1 and 13)', async () => {
    const counts = new Map<string, number>();
    const knowing = market.process({ intercept: counting(counts) });
    const wanted = async () => ({ booking: await market.book(knowing), mandate: await market.grant(knowing, PRICE) });
    await market.order(knowing, await wanted()); // leases ticket codes
    const order = await wanted();
    counts.clear();
    await market.order(knowing, order);
    expect([...counts.keys()].filter((call) => /^(read|get) /.test(call))).toEqual(['read delegation']);
  });

  const captured = async () => capturedOrders(await market.books());
  const elsewhere: readonly [
    string,
    (wanted: Required<Pick<Wanted, 'mandate'>> & Wanted, other: LogicalProcess) => Promise<unknown>,
  ][] = [
    ['mandate_revoked', ({ mandate }, other) => market.revoke(other, mandate)],
    ['mandate_paused', ({ mandate }, other) => market.pause(other, mandate)],
    [
      'mandate_limit_exceeded',
      ({ mandate }, other) => market.narrow(other, mandate, { limit: money(2 * PRICE - 1, 'BRL') }),
    ],
    ['booking_already_ordered', (wanted, other) => market.order(other, wanted)],
    [
      'seats_unavailable',
      async (_, other) => {
        const wanted = { booking: await market.book(other, 2), mandate: await market.grant(other, 2 * PRICE) };
        await market.order(other, wanted);
      },
    ],
    [
      'invalid_fare',
      (_, { aggregates }) => {
        const fares = [sampleFare()];
        return aggregates.handle(flights, FLIGHT, { type: 'RepriceFares', fares }, systemContext('a test'));
      },
    ],
  ];
  it.each(elsewhere)(
    'is refused %s and charges nothing, whatever its process still knew (rule 13)',
    async (code, change) => {
      const wanted = { booking: await market.book(process), mandate: await market.grant(process, 10 * PRICE) };
      await market.order(process, { ...wanted, booking: await market.book(process, 1) });
      await change(wanted, market.process());
      const before = await captured();
      await expect(market.order(process, wanted)).rejects.toMatchObject({ code });
      expect(await captured()).toEqual(before);
      expect(await market.findings()).toEqual([]);
      // It knows now: nothing is held again for nothing.
      const again = await written(() => expect(market.order(process, wanted)).rejects.toMatchObject({ code }));
      expect(again.types.filter((type) => type !== 'MandateChargeRefused')).toEqual([]);
    },
  );

  it('is refused before anything is opened where another process has narrowed its mandate (rule 13)', async () => {
    const wanted = { booking: await market.book(process, 2), mandate: await market.grant(process, 10 * PRICE) };
    await market.order(process, { ...wanted, booking: await market.book(process, 1) });
    await market.narrow(market.process(), wanted.mandate, { limit: money(2 * PRICE, 'BRL') });
    const code = 'mandate_limit_exceeded';
    const { types } = await written(() => expect(market.order(process, wanted)).rejects.toMatchObject({ code }));
    expect(types).toEqual(['MandateChargeRefused']);
  });

  it('is paid where what its process knew would refuse it, and stands in its way no more (rule 13)', async () => {
    const wanted = { booking: await market.book(process, 3), mandate: await market.grant(process, 10 * PRICE) };
    const orderId = market.stores.ids.next();
    const challenged = market.order(process, { ...wanted, orderId, card: 'challenged' });
    await expect(challenged).rejects.toMatchObject({ code: 'payment_challenge_required' });
    const other = market.process();
    await market.decide(other, orderId, 'deny');
    await market.recover(other);
    expect(await market.order(process, wanted)).toMatchObject({ status: 'paid' });
    expect(await market.findings()).toEqual([]);
  });

  const revoked = async (mandate: string): Promise<string> => {
    await market.revoke(process, mandate);
    return mandate;
  };
  const outlived = (mandate: string): string => {
    market.stores.clock.advance(60_000);
    return mandate;
  };
});

describe('the checkout', () => {
  it('opens first and closes last, and all between stands in its order (rule 2)', async () => {
    const wanted = { booking: await market.book(process), mandate: await market.grant(process, PRICE) };
    const { types, rows } = await written(() => market.order(process, wanted));
    expect(stepsOf(types, 1, 3, 2, 1)).toEqual([
      ['BookingCheckoutStarted'],
      ['MandateReserved', 'OrderPlaced', 'SeatsHeld'],
      ['MandateConsumed', 'OrderPaid'],
      ['BookingTicketed'],
    ]);
    expect(rows).toBe(1);
  });

  it('charges no card before it is written down who flies', async () => {
    const { intercept, reached, open } = gate('before', 'insert buyers');
    const wanted = { booking: await market.book(process), mandate: await market.grant(process, PRICE) };
    const slow = market.process({ intercept });
    const orderId = market.stores.ids.next();
    const paid = market.order(slow, { ...wanted, orderId, buyer: { name: 'Ana' } });
    await reached;
    for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
    expect((await market.books()).ledger.size).toBe(0);
    open();
    expect(await paid).toMatchObject({ status: 'paid' });
    expect(await slow.checkouts.buyers.get(orderId)).toMatchObject({ body: { name: 'Ana' } });
  });

  it('opens first and closes last also where the order fails (rule 2)', async () => {
    const wanted = { booking: await market.book(process), mandate: await market.grant(process, PRICE) };
    const { types } = await written(() =>
      expect(market.order(process, { ...wanted, card: 'declined' })).rejects.toMatchObject({
        code: 'payment_declined',
      }),
    );
    expect(stepsOf(types, 1, 3, 3, 1)).toEqual([
      ['BookingCheckoutStarted'],
      ['MandateReserved', 'OrderPlaced', 'SeatsHeld'],
      ['MandateReleased', 'OrderFailed', 'SeatsReleased'],
      ['BookingCheckoutAbandoned'],
    ]);
  });

  it('freezes what is being bought: a fare raised meanwhile changes nothing of it (rule 2)', async () => {
    const { intercept, reached, open } = gate('after', 'append BookingCheckoutStarted');
    const slow = market.process({ intercept });
    const wanted = { booking: await market.book(process), mandate: await market.grant(process, PRICE) };
    const paid = market.order(slow, wanted);
    await reached;
    const fares = [sampleFare({ code: 'LEVE', name: 'Leve', price: 2 * PRICE, baggage: 'none' })];
    await process.aggregates.handle(flights, FLIGHT, { type: 'RepriceFares', fares }, systemContext('a test'));
    open();
    expect((await paid).grandTotal).toEqual(money(PRICE, 'BRL'));
    expect(await market.findings()).toEqual([]);
  });

  it('names the fares on sale where the one that was booked is there no more', async () => {
    const wanted = { booking: await market.book(process), mandate: await market.grant(process, PRICE) };
    const fares = [sampleFare({ code: 'CLASSICA', name: 'Clássica', price: 2 * PRICE })];
    await process.aggregates.handle(flights, FLIGHT, { type: 'RepriceFares', fares }, systemContext('a test'));
    await expect(market.order(process, wanted)).rejects.toMatchObject({
      code: 'invalid_fare',
      details: { currency: 'BRL', fares: [{ code: 'CLASSICA', name: 'Clássica', price: 2 * PRICE }] },
    });
    expect(await market.findings()).toEqual([]);
  });
});

describe('an answer', () => {
  /** What an answer waited for flights to show, by the type of the event there. */
  const awaited = async (work: () => Promise<unknown>) => {
    const { readModels } = market.stores;
    const places: [string, string | null][] = [];
    const waitFor = readModels.waitFor.bind(readModels);
    readModels.waitFor = (type, position) => {
      places.push([type.category, position]);
      return waitFor(type, position);
    };
    await work();
    readModels.waitFor = waitFor;
    const { events } = await market.books();
    const typeAt = new Map<string | null, string>(events.map(({ type, stored }) => [stored.position, type]));
    return places.flatMap(([category, position]) => typeAt.get(position) ?? (position ? [category] : [])).sort();
  };

  it('waits until flights show the seats that it took or gave back, and for no list (rule 25)', async () => {
    const wanted = { booking: await market.book(process), mandate: await market.grant(process, 5 * PRICE) };
    const [declined, asked] = [await market.book(process), await market.book(process)];
    const fails = (booking: string, card: 'challenged' | 'declined') => () =>
      expect(market.order(process, { ...wanted, booking, card })).rejects.toThrow();
    expect(await awaited(() => market.order(process, wanted))).toEqual(['SeatsHeld']);
    expect(await awaited(fails(declined, 'declined'))).toEqual(['SeatsReleased']);
    expect(await awaited(fails(asked, 'challenged'))).toEqual(['SeatsHeld']);
  });
});

describe('several requests for one order', () => {
  it('are walked by the one whose own append opened the checkout, and by no other (rule 3)', async () => {
    const orderId = market.stores.ids.next();
    const wanted = { booking: await market.book(process), mandate: await market.grant(process, PRICE), orderId };
    const beforeOpening = gate('before', 'append BookingCheckoutStarted');
    const paused = market.order(market.process({ intercept: beforeOpening.intercept }), wanted);
    await beforeOpening.reached;
    // Sent again, as after a lease of its key that ended: the same order.
    const beforeCharge = gate('before', 'charge');
    const retried = market.order(market.process({ intercept: beforeCharge.intercept }), wanted);
    await beforeCharge.reached;

    beforeOpening.open();
    await expect(paused).rejects.toMatchObject({ code: 'order_in_progress', orderId });
    beforeCharge.open();
    expect(await retried).toMatchObject({ id: orderId, status: 'paid' });
    expect(await market.findings()).toEqual([]);
  });

  it('are one that walks, of 20 on four processes at once (rule 3)', async () => {
    const counts = new Map<string, number>();
    const processes = Array.from({ length: 4 }, () => market.process({ intercept: counting(counts) }));
    const wanted = { booking: await market.book(process), mandate: await market.grant(process, 20 * PRICE) };
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, (_, place) => market.order(processes[place % 4] ?? process, wanted)),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect([counts.get('charge'), counts.get('append SeatsHeld')]).toEqual([1, 1]);
    expect(await market.findings()).toEqual([]);
  });
});
