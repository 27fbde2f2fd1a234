import { openForEach } from '#testing';
import { loadBooking } from '#booking';
import { flights } from '#catalog';
import { DEFAULT_CONDITIONS } from '#events';
import { type Money, money, systemContext } from '#kernel';
import { mandates } from '#mandate';
import { orders } from '#order';
import { ChangeBooking, ChangeBookingHandler } from '../../libs/booking/src/testing/index.js';
import { sampleFare } from '../../libs/catalog/src/testing/index.js';
import { AGENT, FLIGHT, PRICE, type Wanted } from '../support/market.js';
import { SETTINGS } from '../support/shared-stores.js';
import { Sale } from './sale.js';

const CONTEXT = systemContext('a test');
const sale = openForEach(() => Sale.open());
const brl = (amount: number): Money => money(amount, 'BRL');

/** What a seat costs from now on, with its taxes; another process than the one that orders is told. */
const reprice = async (price: number, taxes = 0): Promise<void> => {
  const fares = [sampleFare({ code: 'LEVE', name: 'Leve', price, taxes, baggage: 'none' })];
  await sale.market.process().aggregates.handle(flights, FLIGHT, { type: 'RepriceFares', fares }, CONTEXT);
};
const letPromiseEnd = () => sale.market.stores.clock.advance(SETTINGS.promise);
const order = (changes: Partial<Wanted> = {}) => sale.market.order(sale.calm, { ...sale.wanted, ...changes });
const booked = async () => loadBooking(sale.calm.aggregates, sale.wanted.booking);
const rich = async () => ({ mandate: await sale.market.grant(sale.calm, 3 * PRICE) });

describe('the price of a booking (rule 34)', () => {
  it('is charged while it is promised, whatever the flight costs meanwhile', async () => {
    await reprice(PRICE + 1);
    await sale.calm.aggregates.load(flights, FLIGHT);
    sale.market.stores.clock.advance(SETTINGS.promise - 1);
    expect(await order()).toMatchObject({ status: 'paid', grandTotal: brl(PRICE) });
  });

  it('is the lower one of the flight afterwards, as the stream has it, and the mandate pays that', async () => {
    const { mandate } = sale.wanted;
    letPromiseEnd();
    // The process that orders has judged the flight by what it knew.
    await sale.calm.aggregates.load(flights, FLIGHT);
    await reprice(PRICE - 100, 30_00);
    const { id } = await order({ expectedTotal: brl(PRICE) });
    const { state } = await sale.calm.aggregates.load(orders, id);
    expect(state).toMatchObject({
      checkout: { total: brl(PRICE - 100), line: { taxes: brl(30_00), unitPrice: brl(PRICE - 100) } },
      payment: { amount: brl(PRICE - 100) },
    });
    const paying = await sale.calm.aggregates.load(mandates, mandate);
    expect(paying.state).toMatchObject({ consumed: PRICE - 100 });
    expect(await booked()).toMatchObject({ choice: { total: brl(PRICE) } });
  });

  it('is not a higher one unless the order names it, and until then nothing changes', async () => {
    letPromiseEnd();
    await sale.calm.aggregates.load(flights, FLIGHT);
    await reprice(PRICE + 100);
    const before = await booked();
    const details = { previous: brl(PRICE), current: brl(PRICE + 100) };
    const dear = await rich();
    const { length } = sale.market.stores.events.all;
    for (const named of [{}, { expectedTotal: brl(PRICE) }, { acceptUpTo: brl(PRICE + 99) }])
      await expect(order({ ...dear, ...named })).rejects.toMatchObject({ code: 'offer_expired', details });
    expect(sale.market.stores.events.all.length).toBe(length);
    expect(await booked()).toEqual(before);
    expect(await order({ ...dear, acceptUpTo: brl(PRICE + 100) })).toMatchObject({ grandTotal: brl(PRICE + 100) });
  });

  it('is refused by a mandate that the price of then is too much for', async () => {
    letPromiseEnd();
    await reprice(PRICE + 100);
    const mandate = await sale.market.grant(sale.calm, PRICE);
    await expect(order({ mandate, expectedTotal: brl(PRICE + 100) })).rejects.toMatchObject({
      code: 'mandate_limit_exceeded',
    });
  });

  it('keeps its conditions while it is promised; afterwards none that are worse are bought without a change', async () => {
    const on = async (percent: number) => {
      const conditions = { ...DEFAULT_CONDITIONS, cancellation: [{ until: 'PT2H', fee: { percent } }] };
      const fares = [sampleFare({ code: 'LEVE', name: 'Leve', price: PRICE, baggage: 'none', conditions })];
      await sale.market.process().aggregates.handle(flights, FLIGHT, { type: 'RepriceFares', fares }, CONTEXT);
      return conditions;
    };
    const soft = await on(10);
    const booking = await sale.market.book(sale.calm);
    await on(20);
    expect(await order({ booking, ...(await rich()) })).toMatchObject({ conditions: soft });
    await on(10);
    const other = { booking: await sale.market.book(sale.calm), ...(await rich()) };
    const hard = await on(20);
    letPromiseEnd();
    await expect(order({ ...other, expectedTotal: brl(PRICE) })).rejects.toMatchObject({
      code: 'offer_expired',
      details: { previous: brl(PRICE), current: brl(PRICE), conditions: { previous: soft, current: hard } },
    });
    const change = new ChangeBooking(other.booking, AGENT, { passengers: 1 }, CONTEXT);
    await sale.calm.the(ChangeBookingHandler).execute(change);
    expect(await order(other)).toMatchObject({ conditions: hard });
  });

  it('is promised anew by a change, also to the same', async () => {
    letPromiseEnd();
    await reprice(PRICE + 100);
    const change = new ChangeBooking(sale.wanted.booking, AGENT, { passengers: 1 }, CONTEXT);
    const changed = await sale.calm.the(ChangeBookingHandler).execute(change);
    expect(changed.total).toEqual(brl(PRICE + 100));
    await reprice(PRICE + 200);
    sale.market.stores.clock.advance(SETTINGS.promise - 1);
    expect(await order(await rich())).toMatchObject({ grandTotal: brl(PRICE + 100) });
  });

  it('of an order that waits for its holder is completed by the same request, and by none that names less', async () => {
    letPromiseEnd();
    await reprice(PRICE - 100);
    const asking = { card: 'challenged', expectedTotal: brl(PRICE), orderId: sale.market.stores.ids.next() } as const;
    await expect(order(asking)).rejects.toMatchObject({ code: 'payment_challenge_required' });
    await sale.market.decide(sale.calm, asking.orderId, 'approve');
    await expect(order({ ...asking, acceptUpTo: brl(PRICE - 101) })).rejects.toMatchObject({ code: 'total_changed' });
    expect(await order(asking)).toMatchObject({ id: asking.orderId, grandTotal: brl(PRICE - 100) });
  });

  it('that was higher is not completed by who names nothing', async () => {
    letPromiseEnd();
    await reprice(PRICE + 100);
    const orderId = sale.market.stores.ids.next();
    const asking = { ...(await rich()), card: 'challenged' as const, orderId };
    const named = { ...asking, acceptUpTo: brl(2 * PRICE) };
    await expect(order(named)).rejects.toMatchObject({ code: 'payment_challenge_required' });
    await sale.market.decide(sale.calm, orderId, 'approve');
    await expect(order(asking)).rejects.toMatchObject({ code: 'total_changed' });
    expect(await order(named)).toMatchObject({ id: orderId, status: 'paid', grandTotal: brl(PRICE + 100) });
  });
});
