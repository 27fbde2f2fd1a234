import { bookings } from '#booking/pure';
import type { Instant } from '#kernel';
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
  version: 3,
  from: [bookings, orders],
  indexes: [{ fields: ['dueAt'] }, { fields: ['runner'] }],
  documentsOf: (event) => {
    if (event.type === 'PaymentChallenged' || event.type === 'PaymentDeclined') return [event.data.bookingId];
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
      case 'BookingCreated':
      case 'BookingChanged':
      case 'BookingCheckoutAbandoned':
      case 'BookingTicketed':
      case 'OrderPlaced':
      case 'PaymentApproved':
      case 'OrderPaid':
      case 'OrderFailed':
        return null;
    }
  },
};

const CHECKOUT_EVENTS: readonly string[] = ['BookingCheckoutStarted', 'BookingCheckoutAbandoned', 'BookingTicketed'];
