import type { BookingEvent } from '#events';
import { plus } from '#kernel';
import type { Booking, Choice } from './booking.state.js';

/** How long an abandoned order is remembered, in ms (docs/decisions.md, Test processor). */
const ABANDONED_MEMORY = 600_000;

/** Folds one event into a booking's state. */
export const evolveBooking = (booking: Booking, event: BookingEvent): Booking => {
  if (event.type === 'BookingCreated') {
    const { bookingId, holder, clientId, createdAt } = event.data;
    return { kind: 'open', bookingId, holder, clientId, choice: choiceOf(event.data), createdAt, abandoned: {} };
  }
  if (booking.kind === 'none') return booking;
  const { bookingId, holder, clientId, choice, createdAt, abandoned } = booking;
  const existing = { bookingId, holder, clientId, choice, createdAt, abandoned };
  switch (event.type) {
    case 'BookingChanged':
      return { ...existing, kind: 'open', choice: choiceOf(event.data) };
    case 'BookingCheckoutStarted': {
      const { openedAt: _, ...checkout } = event.data;
      return { ...existing, kind: 'checkout', checkout };
    }
    case 'BookingCheckoutAbandoned': {
      const { orderId, abandonedAt } = event.data;
      const since = plus(abandonedAt, -ABANDONED_MEMORY);
      const recent = Object.entries(abandoned).filter(([, at]) => at > since);
      return { ...existing, kind: 'open', abandoned: { ...Object.fromEntries(recent), [orderId]: abandonedAt } };
    }
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
