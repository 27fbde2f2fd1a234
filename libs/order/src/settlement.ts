import { Injectable } from '@nestjs/common';
import { bookings } from '#booking';
import { flights } from '#catalog';
import { Aggregates, type Position } from '#event-store';
import { type Checkout, type Payment } from '#events';
import type { Context, ErrorCode } from '#kernel';
import { mandates } from '#mandate';
import { type FinalOutcome, PaymentProcessor } from '#payment';
import { ChallengeSlots } from './challenge-slots.js';
import { orders } from './order.decider.js';
import type { PlacedOrder } from './order.state.js';
import { TicketStock } from './ticket-stock.js';

/** How an order ended, and where in the log the last event of it stands in each kind of stream. */
export interface Settled {
  readonly order: PlacedOrder;
  readonly positions: ReadonlyMap<{ readonly category: string }, Position | null>;
}

/**
 * Ends an order one way or the other (docs/consistency.md, rule 5): whoever calls it, it never charges, and may run anywhere,
 * any number of times, side by side. The ledger decides: captured → consume, `OrderPaid`, `BookingTicketed`; else →
 * `MandateReleased`, `SeatsReleased`, `OrderFailed`, `BookingCheckoutAbandoned`.
 */
@Injectable()
export class Settlement {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly processor: PaymentProcessor,
    private readonly tickets: TicketStock,
    private readonly slots: ChallengeSlots,
  ) {}

  /** `failure`: why the order fails if nothing was captured and the processor gives no reason of its own. */
  async settle(checkout: Checkout, failure: ErrorCode, context: Context): Promise<Settled> {
    const outcome = await this.processor.close(checkout.orderId);
    const settled =
      outcome.status === 'captured'
        ? await this.complete(checkout, outcome, context)
        : await this.compensate(checkout, outcome.status === 'refused' ? outcome.reason : failure, context);
    // A failed order may have taken a place for its challenge, and never have come to ask.
    if (settled.order.challenge || settled.order.kind === 'failed')
      await this.slots.free(checkout.holder, checkout.orderId);
    return settled;
  }

  private async complete(
    { orderId, bookingId, mandateId }: Checkout,
    captured: Captured,
    context: Context,
  ): Promise<Settled> {
    const consume = { type: 'Consume', orderId } as const;
    const mandate = await this.aggregates.handle(mandates, mandateId, consume, context);
    const payment: Payment = { ...paymentOf(captured), processor: 'test', method: 'card' };
    const pay = { type: 'PayOrder', ticketCode: await this.codeFor(orderId), payment } as const;
    const order = await this.aggregates.handle(orders, orderId, pay, context);
    if (order.state.kind !== 'paid') throw new Error(`order ${orderId} was captured and is ${order.state.kind}`);
    // The code that stands in the order's stream: another settler may have been first.
    const ticket = { type: 'TicketBooking', orderId, ticketCode: order.state.ticketCode } as const;
    const booking = await this.aggregates.handle(bookings, bookingId, ticket, context);
    return {
      order: order.state,
      positions: new Map<{ readonly category: string }, Position | null>([
        [mandates, mandate.position],
        [orders, order.position],
        [bookings, booking.position],
      ]),
    };
  }

  private async compensate(checkout: Checkout, failure: ErrorCode, context: Context): Promise<Settled> {
    const { orderId, bookingId, mandateId, holdBefore, line } = checkout;
    const release = { type: 'Release', orderId, holdBefore } as const;
    const mandate = await this.aggregates.handle(mandates, mandateId, release, context);
    const seats = { type: 'ReleaseSeats', orderId, holdBefore } as const;
    const flight = await this.aggregates.handle(flights, line.flightNumber, seats, context);
    const fail = { type: 'FailOrder', checkout, failure } as const;
    const order = await this.aggregates.handle(orders, orderId, fail, context);
    if (order.state.kind !== 'failed') throw new Error(`order ${orderId} was not captured and is ${order.state.kind}`);
    const abandon = { type: 'AbandonCheckout', orderId } as const;
    const booking = await this.aggregates.handle(bookings, bookingId, abandon, context);
    return {
      order: order.state,
      positions: new Map<{ readonly category: string }, Position | null>([
        [mandates, mandate.position],
        [flights, flight.position],
        [orders, order.position],
        [bookings, booking.position],
      ]),
    };
  }

  /** The order's ticket code where it has one, so that settling twice draws none from the stock. */
  private async codeFor(orderId: string): Promise<string> {
    const { state } = await this.aggregates.load(orders, orderId);
    return state.kind === 'paid' ? state.ticketCode : this.tickets.draw();
  }
}

type Captured = Extract<FinalOutcome, { status: 'captured' }>;

const paymentOf = ({ id, brand, last4, amount, capturedAt }: Captured) => ({
  id,
  brand,
  last4,
  amount,
  capturedAt,
});
