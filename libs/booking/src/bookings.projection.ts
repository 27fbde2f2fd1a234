import { idOf } from '#events';
import type { Projection } from '#read-models';
import type { Choice } from './booking.state.js';

/** A booking in its holder's list. */
export interface BookingListItem extends Choice {
  readonly holder: string;
  readonly createdAt: string;
}

/** The bookings of each holder, by time of creation. */
export const bookingsProjection: Projection<BookingListItem> = {
  name: 'bookings',
  version: 1,
  categories: ['booking'],
  indexes: [{ fields: ['holder', 'createdAt'] }],
  documentsOf: ({ stream }) => [idOf(stream)],
  evolve: (booking, event) => {
    switch (event.type) {
      case 'BookingCreated': {
        const { bookingId: _, clientId: __, ...item } = event.data;
        return item;
      }
      case 'BookingChanged': {
        const { changedAt: _, ...choice } = event.data;
        return booking && { ...booking, ...choice };
      }
      default:
        return booking;
    }
  },
};
