import type { BookingEvent } from '#events';
import type { Booking, Choice } from './booking.state.js';

/** Folds one event into a booking's state. */
export const evolveBooking = (booking: Booking, event: BookingEvent): Booking => {
  if (event.type === 'BookingCreated') {
    const { bookingId, holder, clientId, createdAt } = event.data;
    return { kind: 'open', bookingId, holder, clientId, choice: choiceOf(event.data), createdAt };
  }
  if (booking.kind === 'none') return booking;
  const { bookingId, holder, clientId, choice, createdAt } = booking;
  const existing = { bookingId, holder, clientId, choice, createdAt };
  switch (event.type) {
    case 'BookingChanged':
      return { ...existing, kind: 'open', choice: choiceOf(event.data) };
    case 'BookingCheckoutStarted': {
      const { openedAt: _, ...checkout } = event.data;
      return { ...existing, kind: 'checkout', checkout };
    }
    case 'BookingCheckoutAbandoned':
      return { ...existing, kind: 'open' };
    case 'BookingTicketed':
      return { ...existing, kind: 'ticketed', orderId: event.data.orderId };
  }
};

const choiceOf = ({ flightNumber, fareCode, passengers, total }: Choice): Choice => ({
  flightNumber,
  fareCode,
  passengers,
  total,
});
