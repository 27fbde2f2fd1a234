import { type Flight, flightAsItIs } from '#catalog';
import { Checkouts } from '#checkout';
import { DEFAULT_CONDITIONS } from '#events';
import { money, systemContext } from '#kernel';
import { delegations } from '#mandate';
import { cancelFlight, orders } from '#order';
import { openForEach } from '#testing';
import { sampleFare } from '../../libs/catalog/src/testing/index.js';
import { CancelOrder, CancelOrderHandler, Cancellations } from '../../libs/order/src/testing/index.js';
import { gate } from '../support/gate.js';
import type { LogicalProcess } from '../support/logical-process.js';
import { AGENT, FLIGHT, Market, PRICE, type Wanted } from '../support/market.js';
import { swept } from '../support/sweep.js';

const CONTEXT = systemContext('an operator');
const OWN = { ...CONTEXT, actor: { holder: AGENT.holder, clientId: AGENT.clientId } };
const conditions = {
  ...DEFAULT_CONDITIONS,
  withdrawal: false,
  cancellation: [{ until: 'PT24H', fee: { percent: 20 } }],
};
const fares = [sampleFare({ code: 'LEVE', name: 'Leve', price: PRICE, baggage: 'none', conditions })];
const DATED = { departureDate: '2026-03-01', departureTime: '12:00', timeZone: 'UTC', fares };
const HOUR = 3_600_000;
const FEE = Math.floor(PRICE * 0.2);
const brl = (amount: number) => money(amount, 'BRL');

/** A market whose flight has a day, and an operator. */
class Airline {
  private constructor(
    readonly market: Market,
    readonly calm: LogicalProcess,
  ) {}

  static async open(): Promise<Airline> {
    const market = await Market.open(9, DATED);
    return new Airline(market, market.process());
  }

  close(): Promise<void> {
    return this.market.close();
  }

  async wanted(changes: Partial<Wanted> = {}): Promise<Wanted> {
    const mandate = await this.market.grant(this.calm, 2 * PRICE, { minutes: 10_080 });
    return { booking: await this.market.book(this.calm), mandate, ...changes };
  }

  async buy(changes: Partial<Wanted> = {}): Promise<string> {
    return (await this.market.order(this.calm, await this.wanted(changes))).id;
  }

  /** `alcada flight cancel`: what came of each order. */
  async cancel(process = this.market.process()): Promise<Readonly<Record<string, string>>> {
    const state = await flightAsItIs(process.aggregates, FLIGHT);
    const flight = (state.status === 'scheduled' ? state.flight : null) as Flight;
    const ends: Record<string, string> = {};
    const desk = { checkouts: process.the(Checkouts), ids: this.market.stores.ids };
    for await (const { orderId, found } of cancelFlight(desk, flight, 'nevoeiro', CONTEXT))
      ends[orderId] = found instanceof Error ? found.message : found.end;
    return ends;
  }

  async quote(orderId: string) {
    return this.calm.the(Cancellations).quote(this.market.stores.ids.next(), orderId, AGENT);
  }

  confirm(id: string, orderId: string, process = this.calm) {
    return process.the(CancelOrderHandler).execute(new CancelOrder(orderId, id, AGENT, OWN));
  }

  async orderNow(orderId: string) {
    return (await this.market.process().aggregates.load(orders, orderId)).state;
  }

  /** Time passes, and recovery finishes what is left. */
  async expectSound(): Promise<void> {
    this.market.stores.clock.advance(HOUR);
    await this.market.recover(this.market.process());
    expect(await this.market.findings()).toEqual([]);
    const types = (await this.market.books()).events.map(({ type }) => type);
    expect(types.slice(types.indexOf('FlightCancelled'))).not.toContain('SeatsHeld');
  }
}

const airline = openForEach(() => Airline.open());
const refused = (code: string): unknown => expect.objectContaining({ code });

describe('a flight that its airline cancels (rule 37)', () => {
  it('is paid back whole, ends what is under way, and lists whose card takes nothing back', async () => {
    const before = await airline.buy();
    await airline.confirm((await airline.quote(before)).id, before);
    const [paid, open] = [await airline.buy(), await airline.buy({ card: 'refusesRefunds' })];
    const asked = await airline.wanted({ card: 'challenged', orderId: airline.market.stores.ids.next() });
    await airline.market.order(airline.calm, asked).catch(() => undefined);
    const { booking: unordered, mandate } = await airline.wanted();
    const ends = await airline.cancel();
    expect(ends).toEqual({
      [before]: 'cancelled',
      [paid]: 'refunded',
      [open]: 'refund_failed',
      [asked.orderId ?? '']: 'failed',
    });
    expect(await airline.orderNow(paid)).toMatchObject({
      kind: 'cancelled',
      cancellation: { reason: 'flight_cancelled', refund: brl(PRICE), fee: brl(0) },
    });
    expect(await airline.orderNow(asked.orderId ?? '')).toMatchObject({ kind: 'failed', failure: 'flight_cancelled' });
    const { length } = airline.market.stores.events.all;
    expect(await airline.cancel()).toEqual(ends);
    expect(airline.market.stores.events.all).toHaveLength(length);
    const late = airline.market.order(airline.market.process(), { booking: unordered, mandate });
    await expect(late).rejects.toEqual(refused('flight_cancelled'));
    await expect(airline.market.book(airline.market.process())).rejects.toEqual(refused('flight_cancelled'));
    await airline.expectSound();
  });

  it('gives everything back to who was quoted a fee before, and leaves as it is what was begun before', async () => {
    const [quoted, begun] = [await airline.buy(), await airline.buy()];
    const { id } = await airline.quote(quoted);
    const { intercept, reached } = gate('after', 'append OrderCancellationStarted');
    void airline.confirm((await airline.quote(begun)).id, begun, airline.market.process({ intercept }));
    await reached;
    const stopped = gate('after', 'append FlightCancelled');
    void airline.cancel(airline.market.process({ intercept: stopped.intercept }));
    await stopped.reached;
    await expect(airline.confirm(id, quoted)).rejects.toMatchObject({
      quote: { reason: 'flight_cancelled', refund: brl(PRICE), fee: brl(0) },
    });
    const own = await airline.quote(quoted);
    expect(await airline.confirm(own.id, quoted)).toMatchObject({ cancellation: { refund: brl(PRICE) } });
    expect(await airline.cancel()).toEqual({ [quoted]: 'refunded', [begun]: 'cancelled' });
    expect(await airline.orderNow(begun)).toMatchObject({ cancellation: { fee: brl(FEE) } });
    await airline.expectSound();
  });

  it('is paid back also where it was to have left already', async () => {
    const orderId = await airline.buy();
    airline.market.stores.clock.advance(60 * 24 * HOUR);
    expect(await airline.cancel()).toEqual({ [orderId]: 'refunded' });
    await airline.expectSound();
    const { state } = await airline.calm.aggregates.load(delegations, AGENT);
    expect(state).toMatchObject({ openMandates: {} });
  });
});

/** Every call of a cancelled flight to somebody else, in the order in which they are made. */
const CALLS = [
  'append FlightCancelled',
  'append OrderCancellationStarted',
  'refund',
  'append MandateRefundCounted',
  'append MandateRefunded',
  'append SeatsReleased',
  'append OrderCancelled',
] as const;

describe('a cancellation of a flight that was interrupted', () => {
  const places = CALLS.flatMap((call) => [['before', call] as const, ['after', call] as const]);
  it.each(places)('is finished by running it again: %s %s', async (where, call) => {
    const ids = [await airline.buy(), await airline.buy()];
    const { intercept, reached } = gate(where, call);
    void airline.cancel(airline.market.process({ intercept })); // it stands still for ever, as one that was killed
    await reached;
    expect(await airline.cancel()).toEqual(Object.fromEntries(ids.map((id) => [id, 'refunded'])));
    await airline.expectSound();
  });
});

/** Where an order may be when its flight is cancelled. */
const STEPS = [
  'append BookingCheckoutStarted',
  'append SeatsHeld',
  'append OrderPlaced',
  'append MandateReserved',
  'charge',
];
const LATER = ['append MandateConsumed', 'append OrderPaid', 'append BookingTicketed'];

describe('an order of a flight that is cancelled meanwhile', () => {
  const places = [...STEPS, ...LATER].flatMap((call) => [['before', call] as const, ['after', call] as const]);
  const all = { short: places.slice(2, 6), middle: places, full: places };
  it.each(swept(all).flatMap(([where, call]) => [[where, call, true] as const, [where, call, false] as const]))(
    'is paid back or never charged, %s %s, whether it goes on or not (%s)',
    async (where, call, goesOn) => {
      const orderId = airline.market.stores.ids.next();
      const wanted = await airline.wanted({ orderId });
      const { intercept, reached, open } = gate(where, call);
      const answer = airline.market.order(airline.market.process({ intercept }), wanted);
      answer.catch(() => undefined);
      await reached;
      await airline.cancel();
      if (goesOn) {
        open();
        await answer.catch(() => undefined);
      }
      airline.market.stores.clock.advance(HOUR);
      await airline.market.recover(airline.market.process());
      await airline.cancel();
      const order = await airline.orderNow(orderId);
      expect(['none', 'failed', 'cancelled']).toContain(order.kind);
      await airline.expectSound();
    },
  );
});
