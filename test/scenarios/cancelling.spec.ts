import { flights, seatsLeft } from '#catalog';
import { Checkouts, endMandate } from '#checkout';
import { DEFAULT_CONDITIONS } from '#events';
import { type Clock, money, plus, systemContext } from '#kernel';
import { delegations, mandates } from '#mandate';
import { Orders, orders } from '#order';
import { sampleFare } from '../../libs/catalog/src/testing/index.js';
import { CancelOrder, CancelOrderHandler, Cancellations } from '../../libs/order/src/testing/index.js';
import { gate } from '../support/gate.js';
import type { Intercept } from '../support/intercept.js';
import type { LogicalProcess } from '../support/logical-process.js';
import { AGENT, FLIGHT, Market, PRICE, type Wanted } from '../support/market.js';
import { openForEach } from '#testing';

const CONTEXT = { ...systemContext('a test'), actor: AGENT };
const OWN = { ...CONTEXT, actor: { holder: AGENT.holder, clientId: null } };
const conditions = { ...DEFAULT_CONDITIONS, cancellation: [{ until: 'PT24H', fee: { percent: 20 } }] };
const TAXES = 40_00;
const fares = [sampleFare({ code: 'LEVE', name: 'Leve', price: PRICE, taxes: TAXES, baggage: 'none', conditions })];
/** The flight leaves six weeks after the beginning. */
const DATED = { departureDate: '2026-03-01', departureTime: '12:00', timeZone: 'UTC', fares };
const DEPARTS = '2026-03-01T12:00:00.000Z';
const [HOUR, DAY] = [3_600_000, 86_400_000];
const FEE = Math.floor(((PRICE - TAXES) * 20) / 100);

class Trip {
  private constructor(
    readonly market: Market,
    readonly calm: LogicalProcess,
    readonly mandate: string,
    readonly orderId: string,
  ) {}

  static async open(): Promise<Trip> {
    const market = await Market.open(3, DATED);
    const calm = market.process();
    const mandate = await market.grant(calm, 2 * PRICE, { minutes: 10_080 });
    const { id } = await market.order(calm, { booking: await market.book(calm), mandate });
    return new Trip(market, calm, mandate, id);
  }

  close(): Promise<void> {
    return this.market.close();
  }

  /** To a time before departure (ms). */
  until(before: number): void {
    const { clock } = this.market.stores;
    clock.advance(Date.parse(DEPARTS) - before - Date.parse(clock.now()));
  }

  async buy(changes: Partial<Wanted> = {}): Promise<string> {
    const mandate = changes.mandate ?? (await this.market.grant(this.calm, PRICE));
    return (await this.market.order(this.calm, { booking: await this.market.book(this.calm), ...changes, mandate })).id;
  }

  quote(orderId = this.orderId, process = this.calm, by: { holder: string; clientId: string | null } = AGENT) {
    return process.the(Cancellations).quote(this.market.stores.ids.next(), orderId, by);
  }

  confirm(
    id: string,
    orderId = this.orderId,
    process = this.calm,
    by: { holder: string; clientId: string | null } = AGENT,
  ) {
    const context = by.clientId === null ? OWN : CONTEXT;
    return process.the(CancelOrderHandler).execute(new CancelOrder(orderId, id, by, context));
  }

  async cancel(orderId = this.orderId, process = this.calm) {
    return this.confirm((await this.quote(orderId, process)).id, orderId, process);
  }

  async mandateNow(mandateId = this.mandate) {
    return (await this.calm.aggregates.load(mandates, mandateId)).state;
  }

  async delegationNow() {
    return (await this.calm.aggregates.load(delegations, AGENT)).state;
  }

  async orderNow(orderId = this.orderId) {
    return (await this.market.process().aggregates.load(orders, orderId)).state;
  }

  async seats(): Promise<number> {
    const { state } = await this.market.process().aggregates.load(flights, FLIGHT);
    return state.status === 'scheduled' ? seatsLeft(state) : 0;
  }

  async typesAfter(length: number): Promise<readonly string[]> {
    return (await this.market.books()).events.slice(length).map(({ type }) => type);
  }

  async expectSound(): Promise<void> {
    expect(await this.market.findings()).toEqual([]);
  }
}

const trip = openForEach(() => Trip.open());
const brl = (amount: number) => money(amount, 'BRL');
const refused = (code: string, details?: object): unknown =>
  expect.objectContaining({ code, ...(details && { details: expect.objectContaining(details) as unknown }) });

describe('a quote', () => {
  it('gives everything back within a day of buying, a week or more before departure', async () => {
    expect(await trip.quote()).toMatchObject({ reason: 'withdrawal', refund: brl(PRICE), fee: brl(0) });
    trip.market.stores.clock.advance(DAY - HOUR / 10);
    const last = await trip.quote();
    expect(last.reason).toBe('withdrawal');
    trip.market.stores.clock.advance(HOUR / 10);
    expect(await trip.quote()).toMatchObject({ reason: 'fare_rule', refund: brl(PRICE - FEE), fee: brl(FEE) });
    expect(last.expiresAt).toBe(trip.market.stores.clock.now());
  });

  it('gives back what the fare says afterwards, and holds until that changes', async () => {
    trip.until(DAY + HOUR / 10);
    const quote = await trip.quote();
    expect(quote).toMatchObject({ reason: 'fare_rule', refund: brl(PRICE - FEE) });
    trip.until(DAY);
    expect(quote.expiresAt > trip.market.stores.clock.now()).toBe(true);
    trip.until(DAY - 1);
    expect(quote.expiresAt).toBe(trip.market.stores.clock.now());
    await expect(trip.confirm(quote.id)).rejects.toMatchObject({
      code: 'cancellation_expired',
      quote: { refund: brl(TAXES), fee: brl(PRICE - TAXES) },
    });
    expect(await trip.orderNow()).toMatchObject({ kind: 'paid' });
  });

  it('is confirmed no earlier than it holds, where the clock of who gave it was ahead', async () => {
    const { clock } = trip.market.stores;
    const ahead = Object.create(clock, { now: { value: () => plus(clock.now(), 2 * HOUR) } }) as Clock;
    const early = async () => (await trip.quote(trip.orderId, trip.market.process({ clock: ahead }))).id;
    clock.advance(DAY - HOUR);
    await expect(trip.confirm(await early())).rejects.toMatchObject({ quote: { reason: 'withdrawal' } });
    trip.until(DAY + HOUR);
    const lost = await early();
    await expect(trip.confirm(lost)).rejects.toMatchObject({
      code: 'cancellation_expired',
      quote: { refund: brl(PRICE - FEE), fee: brl(FEE) },
    });
    expect(await trip.orderNow()).toMatchObject({ kind: 'paid' });
    trip.until(DAY - 1);
    expect(await trip.confirm(lost)).toMatchObject({ cancellation: { refund: brl(TAXES) } });
    await trip.expectSound();
  });

  it('changes nothing, and none is given once the flight has left', async () => {
    const { length } = trip.market.stores.events.all;
    await trip.quote();
    expect(await trip.typesAfter(length)).toEqual([]);
    trip.until(0);
    await expect(trip.quote()).rejects.toEqual(refused('order_not_cancellable', { reason: 'departed' }));
  });

  it('is for the agent that bought it and for the traveller alone', async () => {
    await expect(trip.quote(trip.orderId, trip.calm, { ...AGENT, clientId: 'other' })).rejects.toEqual(
      refused('order_not_found'),
    );
    await expect(trip.quote(trip.orderId, trip.calm, { holder: 'bruno', clientId: null })).rejects.toEqual(
      refused('order_not_found'),
    );
    const { id } = await trip.quote(trip.orderId, trip.calm, { ...AGENT, clientId: null });
    expect(await trip.confirm(id, trip.orderId, trip.calm, { ...AGENT, clientId: null })).toMatchObject({
      kind: 'cancelled',
    });
    await trip.expectSound();
  });
});

describe('a cancelled order (rules 35 and 36)', () => {
  it('gives money, limit and seats back, once, however often it is confirmed', async () => {
    trip.until(2 * DAY);
    expect(await trip.mandateNow()).toMatchObject({ consumed: PRICE, refunded: 0, paidOrders: 1 });
    const { id } = await trip.quote();
    const { length } = trip.market.stores.events.all;
    const cancelled = await trip.confirm(id);
    expect(cancelled).toMatchObject({ kind: 'cancelled', cancellation: { refund: brl(PRICE - FEE), fee: brl(FEE) } });
    expect(await trip.confirm(id)).toEqual(cancelled);
    expect((await trip.typesAfter(length)).toSorted()).toEqual(
      [
        'OrderCancellationStarted',
        'MandateRefunded',
        'MandateRefundCounted',
        'SeatsReleased',
        'OrderCancelled',
      ].toSorted(),
    );
    expect(await trip.mandateNow()).toMatchObject({ consumed: FEE, refunded: PRICE - FEE, paidOrders: 0 });
    expect(await trip.seats()).toBe(3);
    await expect(trip.quote()).rejects.toEqual(refused('order_not_cancellable', { reason: 'cancelled' }));
    await trip.expectSound();
  });

  it('lets its mandate pay again, also one that was used up or had its last order', async () => {
    const mandate = await trip.market.grant(trip.calm, PRICE, { constraints: { maxOrders: 1 } });
    await trip.cancel(await trip.buy({ mandate }));
    expect(await trip.buy({ mandate })).toEqual(expect.any(String));
    await trip.expectSound();
  });

  it('stays closed: its booking is sold, and a late order of it buys nothing', async () => {
    const booking = await trip.market.book(trip.calm);
    await trip.cancel(await trip.buy({ booking }));
    await expect(trip.buy({ booking })).rejects.toEqual(refused('booking_already_ordered'));
  });

  it('gives nothing back where all is lost: no row of the ledger, and the order no longer counts', async () => {
    const gone = { ...DEFAULT_CONDITIONS, taxesRefundable: false, withdrawal: false };
    const lost = [sampleFare({ code: 'LEVE', name: 'Leve', price: PRICE, baggage: 'none', conditions: gone })];
    await trip.calm.aggregates.handle(flights, FLIGHT, { type: 'RepriceFares', fares: lost }, CONTEXT);
    const orderId = await trip.buy();
    expect(await trip.cancel(orderId)).toMatchObject({
      refundId: null,
      cancellation: { refund: brl(0), fee: brl(PRICE) },
    });
    expect((await trip.market.books()).refunds.size).toBe(0);
    await trip.expectSound();
  });

  it('stays paid where the card takes no refund', async () => {
    const orderId = await trip.buy({ card: 'refusesRefunds' });
    const { id } = await trip.quote(orderId);
    for (let time = 0; time < 2; time += 1)
      await expect(trip.confirm(id, orderId)).rejects.toEqual(
        refused('order_not_cancellable', { reason: 'refund_failed' }),
      );
    expect(await trip.orderNow(orderId)).toMatchObject({
      kind: 'paid',
      cancellation: { failedAt: expect.any(String) },
    });
    expect(await trip.seats()).toBe(1);
    await trip.expectSound();
  });

  it('gives the limit back under a cap, whether its mandate is closed before, after or meanwhile', async () => {
    await trip.market.setCap(trip.calm, brl(6 * PRICE));
    const spent = async () => {
      const state = await trip.delegationNow();
      return state.status === 'unknown' ? null : state.spent?.BRL;
    };
    const [first, second] = [await trip.buy(), await trip.buy()];
    const mandateOf = async (orderId: string) => {
      const order = await trip.orderNow(orderId);
      return order.kind === 'none' ? '' : order.checkout.mandateId;
    };
    await trip.market.revoke(trip.calm, await mandateOf(first));
    expect(await spent()).toBe(PRICE);
    await trip.cancel(first);
    expect(await spent()).toBe(0);
    await trip.cancel(second);
    await trip.market.revoke(trip.calm, await mandateOf(second));
    expect(await spent()).toBe(0);
    expect(await trip.mandateNow(await mandateOf(first))).toMatchObject({ consumed: 0, refunded: PRICE });
    await trip.expectSound();
  });

  it('counts nothing under a cap that came after its mandate was closed', async () => {
    const orderId = await trip.buy();
    const order = await trip.orderNow(orderId);
    await trip.market.revoke(trip.calm, order.kind === 'none' ? '' : order.checkout.mandateId);
    await trip.market.setCap(trip.calm, brl(6 * PRICE));
    await trip.cancel(orderId);
    expect(await trip.delegationNow()).toMatchObject({ spent: {} });
    await trip.expectSound();
  });

  it('is limited to twenty a traveller and day for agents, and not for the traveller', async () => {
    const { cancellations } = trip.market.process().the(Cancellations)['checkouts'];
    for (let order = 0; order < 20; order += 1) await cancellations.count(AGENT, `order ${order}`);
    const { id } = await trip.quote();
    await expect(trip.confirm(id)).rejects.toEqual(refused('rate_limited'));
    await trip.confirm(id, trip.orderId, trip.calm, { ...AGENT, clientId: null });
    await trip.expectSound();
  });
});

/** Every call of the way back to somebody else, in the order in which they are made. */
const CALLS = [
  'append OrderCancellationStarted',
  'refund',
  'ledger: insert payment-refunds',
  'append MandateRefundCounted',
  'append MandateRefunded',
  'append SeatsReleased',
  'append OrderCancelled',
] as const;

describe('a way back that was interrupted', () => {
  /** Its process stands still for ever at a call, as one that was killed. */
  const killedAt = async (...at: Parameters<typeof gate>): Promise<void> => {
    const { id } = await trip.quote();
    const { intercept, reached } = gate(...at);
    trip.confirm(id, trip.orderId, trip.market.process({ intercept })).catch(() => undefined);
    await reached;
  };

  it.each(CALLS.flatMap((call) => [['before', call] as const, ['after', call] as const]))(
    'is carried out by recovery: %s %s',
    async (where, call) => {
      await killedAt(where, call);
      trip.market.stores.clock.advance(2 * HOUR);
      await trip.market.recover(trip.market.process());
      const order = await trip.orderNow();
      expect(order.kind).toBe(where === 'before' && call === 'append OrderCancellationStarted' ? 'paid' : 'cancelled');
      await trip.expectSound();
    },
  );

  it.each([2, 3, 4])(
    'is finished by the same request sent again, wherever that comes upon it: read %i of the order',
    async (nth) => {
      const { id } = await trip.quote();
      const { intercept: standing, reached } = gate('after', 'append OrderCancellationStarted');
      let reads = 0;
      const intercept: Intercept = async (call, work) => {
        if (call === 'read order') reads += 1;
        if (call === 'read order' && reads === nth) {
          void trip.confirm(id, trip.orderId, trip.market.process({ intercept: standing }));
          await reached;
        }
        return work();
      };
      const again = await trip.confirm(id, trip.orderId, trip.market.process({ intercept }));
      expect(again).toMatchObject({ kind: 'cancelled', cancellation: { cancellationId: id } });
      await trip.expectSound();
    },
  );

  it('is carried out after the flight has left too, once', async () => {
    await killedAt('after', 'append MandateRefunded');
    // Its ticket is drawn no more, though it is paid until the way back ends.
    const drawn = trip.market.process().the(Orders).paid(trip.orderId, AGENT.holder);
    await expect(drawn).rejects.toMatchObject({ code: 'ticket_not_found' });
    trip.until(-2 * DAY);
    // Something else happens in the mandate, so that it forgets what left long ago.
    await trip.market.recover(trip.market.process());
    expect(await trip.orderNow()).toMatchObject({ kind: 'cancelled' });
    await trip.expectSound();
  });

  it('ends no mandate that has room beside what its own spent, counted by then', async () => {
    await trip.market.setCap(trip.calm, brl(3 * PRICE));
    const beside = await trip.market.grant(trip.calm, PRICE);
    await killedAt('after', 'append MandateRefunded');
    for (let order = 0; order < 2; order += 1) await trip.buy({ mandate: trip.mandate });
    await trip.market.revoke(trip.calm, trip.mandate);
    expect(await trip.delegationNow()).toMatchObject({
      ending: [],
      openMandates: { [beside]: {} },
      spent: { BRL: 2 * PRICE },
    });
    trip.market.stores.clock.advance(HOUR);
    await trip.market.recover(trip.market.process());
    await trip.expectSound();
  });

  it('counts under the cap after its flight has left, though its mandate is closed just then', async () => {
    await trip.market.setCap(trip.calm, brl(6 * PRICE));
    await killedAt('before', 'append MandateRefundCounted');
    trip.until(-2 * DAY);
    let closing: Promise<unknown> | undefined;
    const closedAfterALook: Intercept = async (call, work) => {
      const result = await work();
      const ending = { mandateId: trip.mandate, ...AGENT };
      if (call === 'read delegation') await (closing ??= endMandate(trip.calm.the(Checkouts), ending, CONTEXT));
      return result;
    };
    await trip.market.recover(trip.market.process({ intercept: closedAfterALook }));
    expect(await trip.delegationNow()).toMatchObject({ openMandates: {}, spent: { BRL: 0 } });
    await trip.expectSound();
  });

  it('is under way, and refused to nobody, where its process stood still over a step', async () => {
    const { id } = await trip.quote();
    const intercept = async <Result>(call: string, work: () => Promise<Result>): Promise<Result> => {
      const result = await work();
      if (call === 'read mandate') trip.market.stores.clock.advance(HOUR);
      return result;
    };
    const confirmed = trip.confirm(id, trip.orderId, trip.market.process({ intercept }));
    await expect(confirmed).rejects.toMatchObject({ name: 'CancellationUnderWay' });
    await trip.market.recover(trip.market.process());
    expect(await trip.orderNow()).toMatchObject({ kind: 'cancelled', cancellation: { cancellationId: id } });
    await trip.expectSound();
  });

  it('ends one way for two who confirm, and for a revocation, a pause and an expiry beside it', async () => {
    const ids = [(await trip.quote()).id, (await trip.quote()).id];
    const ended = await Promise.allSettled([
      ...ids.map((id) => trip.confirm(id, trip.orderId, trip.market.process())),
      trip.market.pause(trip.market.process(), trip.mandate),
      trip.market.revoke(trip.market.process(), trip.mandate),
    ]);
    expect(ended.slice(0, 2).filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await trip.market.recover(trip.market.process());
    expect(await trip.mandateNow()).toMatchObject({ consumed: 0, refunded: PRICE, revokedAt: expect.any(String) });
    await trip.expectSound();
  });
});
