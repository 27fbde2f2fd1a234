import { idOf } from '#events';
import type { Projection } from '#read-models';

/** A booking whose checkout is open. */
export interface OpenCheckout {
  readonly orderId: string;
  readonly openedAt: string;
}

/** The settler's work list by booking id: a hint, the streams decide (consistency.md, rule 8). */
export const openCheckoutsProjection: Projection<OpenCheckout> = {
  name: 'open-checkouts',
  version: 1,
  categories: ['booking'],
  indexes: [{ fields: ['openedAt'] }],
  documentsOf: ({ type, stream }) => (CHECKOUT_EVENTS.includes(type) ? [idOf(stream)] : []),
  evolve: (_, event) => {
    if (event.type !== 'BookingCheckoutStarted') return null;
    const { orderId, openedAt } = event.data;
    return { orderId, openedAt };
  },
};

const CHECKOUT_EVENTS: readonly string[] = ['BookingCheckoutStarted', 'BookingCheckoutAbandoned', 'BookingTicketed'];
