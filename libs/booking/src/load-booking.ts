import type { Aggregates } from '#event-store';
import { isId } from '#kernel';
import type { Booking } from './booking.state.js';
import { bookings } from './booking.decider.js';

/** A booking as its stream has it now; what has not the form of an id names none. */
export const loadBooking = async (aggregates: Aggregates, bookingId: string): Promise<Booking> =>
  isId(bookingId) ? (await aggregates.load(bookings, bookingId)).state : { kind: 'none' };
