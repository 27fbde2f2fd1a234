import { loadBooking } from '#booking';
import { flights, seatsLeft } from '#catalog';
import { type Checkout } from '#events';
import { gate } from '../support/gate.js';
import type { LogicalProcess } from '../support/logical-process.js';
import { FLIGHT, Market, PRICE, type Wanted } from '../support/market.js';
import { mandates } from '#mandate';

type StoppedOrder = Awaited<ReturnType<Sale['stoppedOrder']>>;

/** A market with a booking and a mandate that can pay it twice. */
export class Sale {
  private constructor(
    private readonly seats: number,
    readonly market: Market,
    /** A process on good lines. */
    readonly calm: LogicalProcess,
    readonly wanted: { readonly booking: string; readonly mandate: string },
  ) {}

  static async open(seats = 3): Promise<Sale> {
    const market = await Market.open(seats);
    const calm = market.process();
    const wanted = { booking: await market.book(calm), mandate: await market.grant(calm, 2 * PRICE) };
    return new Sale(seats, market, calm, wanted);
  }

  close(): Promise<void> {
    return this.market.close();
  }

  /** Time passes, and a little more. */
  past(milliseconds: number): void {
    this.market.stores.clock.advance(milliseconds + 1);
  }

  async typesOf(stream: string): Promise<readonly string[]> {
    const { events } = await this.market.books();
    return events.filter(({ stored }) => stored.stream === stream).map(({ type }) => type);
  }

  async bookingNow(booking = this.wanted.booking): Promise<string> {
    return (await loadBooking(this.calm.aggregates, booking)).kind;
  }

  async checkoutNow(): Promise<Checkout> {
    const booking = await loadBooking(this.calm.aggregates, this.wanted.booking);
    if (booking.kind !== 'checkout') throw new Error(`the booking is ${booking.kind}`);
    return booking.checkout;
  }

  /** An order whose process stands still at a call, until it is let through or for ever, as one that was killed there. */
  async stoppedOrder(where: 'before' | 'after', call: string, wanted: Wanted = this.wanted) {
    const { intercept, reached, open } = gate(where, call);
    const answer = this.market.order(this.market.process({ intercept }), wanted);
    answer.catch(() => undefined); // heard by whoever waits for it
    await reached;
    return { answer, open };
  }

  /** Lets a stopped order go on: it is paid. */
  async expectPaid({ answer, open }: StoppedOrder): Promise<void> {
    open();
    expect(await answer).toMatchObject({ status: 'paid' });
    await this.expectSound();
  }

  /** Lets a stopped order go on: it is refused, and holds nothing. */
  async expectRefused({ answer, open }: StoppedOrder, code: unknown): Promise<void> {
    open();
    await expect(answer).rejects.toMatchObject({ code });
    await this.expectFree();
  }

  /** Everything that was held is free, and the booking can be ordered. */
  async expectFree(): Promise<void> {
    const { aggregates } = this.calm;
    const flight = await aggregates.load(flights, FLIGHT);
    const { state } = await aggregates.load(mandates, this.wanted.mandate);
    expect(flight.state.status === 'scheduled' && seatsLeft(flight.state)).toBe(this.seats);
    expect(state).toMatchObject({ consumed: 0, reservations: {} });
    await this.expectSound();
    const mandate = await this.market.grant(this.calm, PRICE);
    expect(await this.market.order(this.calm, { ...this.wanted, mandate })).toMatchObject({ status: 'paid' });
    await this.expectSound();
  }

  /** Log, ledger, mandates, seats, bookings and tickets agree. */
  async expectSound(): Promise<void> {
    expect(await this.market.findings()).toEqual([]);
  }
}
