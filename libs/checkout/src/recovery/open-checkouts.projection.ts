import { bookings } from '#booking/pure';
import { type Instant, plus } from '#kernel';
import { orders } from '#order/pure';
import type { Projection } from '#read-models';

export interface OpenCheckout {
  readonly orderId: string;
  /** When the recovery worker takes it up: what was not finished by then will not be. */
  readonly dueAt: Instant;
  /** The process that runs it: the recovery worker takes it up earlier where that one's lease has lapsed. */
  readonly runner?: string;
}

/** The work list of the recovery worker, by booking id: a hint, the streams decide (docs/consistency.md, rule 8). */
export const openCheckoutsProjection: Projection<OpenCheckout, readonly [typeof bookings, typeof orders]> = {
  name: 'open-checkouts',
  version: 4,
  from: [bookings, orders],
  indexes: [{ fields: ['dueAt'] }, { fields: ['runner'] }],
  documentsOf: (event) => {
    if (OF_BOOKINGS.includes(event.type) && 'bookingId' in event.data) return [event.data.bookingId];
    return CHECKOUT_EVENTS.includes(event.type) ? [event.id] : [];
  },
  evolve: (checkout, event) => {
    switch (event.type) {
      case 'BookingCheckoutStarted': {
        const { orderId, holdBefore: dueAt, runner } = event.data;
        return { orderId, dueAt, ...(runner && { runner }) };
      }
      case 'PaymentChallenged':
        // A booking may have gone on to another order since. Nobody runs an order that waits for its holder.
        return checkout?.orderId === event.id ? { orderId: event.id, dueAt: event.data.expiresAt } : checkout;
      case 'PaymentDeclined':
        // Who declined it finishes it as well, unless their process ends before it does.
        return checkout?.orderId === event.id ? { orderId: event.id, dueAt: event.data.declinedAt } : checkout;
      case 'OrderCancellationStarted': {
        const { startedAt, runner } = event.data;
        return { orderId: event.id, dueAt: plus(startedAt, CANCELLATION), ...(runner && { runner }) };
      }
      case 'BookingCreated':
      case 'BookingChanged':
      case 'BookingCheckoutAbandoned':
      case 'BookingTicketed':
      case 'OrderPlaced':
      case 'PaymentApproved':
      case 'OrderPaid':
      case 'OrderFailed':
      case 'OrderCancelled':
      case 'OrderRefundFailed':
        return null;
    }
  },
};

/** How long (ms) a cancellation may take before somebody else carries it out. */
const CANCELLATION = 60_000;

/** Of an order, about the booking that it has. */
const OF_BOOKINGS: readonly string[] = [
  'PaymentChallenged',
  'PaymentDeclined',
  'OrderCancellationStarted',
  'OrderCancelled',
  'OrderRefundFailed',
];
const CHECKOUT_EVENTS: readonly string[] = ['BookingCheckoutStarted', 'BookingCheckoutAbandoned', 'BookingTicketed'];
