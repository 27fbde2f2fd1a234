import { openForEach } from '#testing';
import { type People, Travellers } from '#booking';
import { systemContext } from '#kernel';
import { orders } from '#order';
import { ChangeBooking, ChangeBookingHandler } from '../../libs/booking/src/testing/index.js';
import { gate } from '../support/gate.js';
import type { LogicalProcess } from '../support/logical-process.js';
import { AGENT, PRICE } from '../support/market.js';
import { SETTINGS } from '../support/shared-stores.js';
import { Sale } from './sale.js';

const CONTEXT = systemContext('a test');
const ANA: People = { travellers: [{ givenName: 'Ana', familyName: 'Souza' }] };
const JOSE: People = { travellers: [{ givenName: 'José', familyName: "D'Ávila" }] };

const sale = openForEach(() => Sale.open());

const said = (id: string) => new Travellers(sale.market.stores.documents).of({ id }, AGENT);
/** `PATCH /bookings/{id}` with who flies. */
const change = (process: LogicalProcess, people: People) => {
  const { booking } = sale.wanted;
  return process.the(ChangeBookingHandler).execute(new ChangeBooking(booking, AGENT, {}, CONTEXT, undefined, people));
};

describe('who flies', () => {
  it('is as the booking has it once the order has taken the booking', async () => {
    await change(sale.calm, ANA);
    const { intercept, reached, open } = gate('before', 'append BookingCheckoutStarted');
    const orderId = sale.market.stores.ids.next();
    const paid = sale.market.order(sale.market.process({ intercept }), { ...sale.wanted, orderId });
    await reached;
    await change(sale.calm, JOSE);
    open();
    expect(await paid).toMatchObject({ status: 'paid' });
    expect(await said(orderId)).toEqual(JOSE);
  });

  it('is said to be changed by nobody once an order may have read it', async () => {
    const { intercept, reached, open } = gate('before', 'insert travellers');
    const changing = change(sale.market.process({ intercept }), JOSE);
    await reached;
    const { id } = await sale.market.order(sale.calm, sale.wanted);
    open();
    await expect(changing).rejects.toMatchObject({ code: 'booking_locked' });
    expect(await said(id)).toEqual({});
  });

  it('is with the order before its card is charged', async () => {
    await change(sale.calm, ANA);
    const { intercept, reached, open } = gate('before', 'insert travellers');
    const paid = sale.market.order(sale.market.process({ intercept }), sale.wanted);
    await reached;
    for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
    expect((await sale.market.books()).ledger.size).toBe(0);
    open();
    expect(await paid).toMatchObject({ status: 'paid' });
  });
});

describe('an order of several', () => {
  it('has a ticket for each, drawn once, also where somebody else finishes it first', async () => {
    const { market, calm } = sale;
    const { intercept, reached, open } = gate('before', 'append OrderPaid');
    const slow = market.process({ intercept });
    const orderId = market.stores.ids.next();
    const wanted = { booking: await market.book(calm, 2), mandate: await market.grant(calm, 2 * PRICE), orderId };
    const answer = market.order(slow, wanted);
    await reached;
    market.stores.clock.advance(SETTINGS.hold + 1);
    await market.recover(calm);
    open();
    const { tickets } = await answer;
    const { state } = await calm.aggregates.load(orders, orderId);
    expect(state).toMatchObject({ ticketCodes: tickets.map(({ ticketCode }) => ticketCode) });
    const others = await slow.checkouts.tickets.drawFor(2);
    expect(new Set([...others, ...tickets.map(({ ticketCode }) => ticketCode)]).size).toBe(4);
    await sale.expectSound();
  });
});
