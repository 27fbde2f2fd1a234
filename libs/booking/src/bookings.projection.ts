import { bookings } from './booking.decider.js';
import type { Projection } from '#read-models';
import type { Choice } from './booking.state.js';

export interface BookingListItem extends Choice {
  readonly holder: string;
  readonly createdAt: string;
  /** Whether it was said who flies. */
  readonly named?: boolean | undefined;
}

/** The bookings of each holder, by time of creation. */
export const bookingsProjection: Projection<BookingListItem, readonly [typeof bookings]> = {
  name: 'bookings',
  version: 6,
  from: [bookings],
  indexes: [{ fields: ['holder', 'createdAt'] }],
  // An order's events change nothing here.
  documentsOf: ({ type, id }) => (type === 'BookingCreated' || type === 'BookingChanged' ? [id] : []),
  evolve: (booking, event) => {
    switch (event.type) {
      case 'BookingCreated': {
        const { bookingId: _, clientId: __, ...item } = event.data;
        return item;
      }
      case 'BookingChanged': {
        const { changedAt: _, ...choice } = event.data;
        if (!booking) return booking;
        const { holder, createdAt, named } = booking;
        return { ...(named !== undefined && { named }), ...choice, holder, createdAt };
      }
      case 'BookingCheckoutStarted':
      case 'BookingCheckoutAbandoned':
      case 'BookingTicketed':
        return booking;
    }
  },
};
