import type { Aggregates } from '#event-store';
import { bookingStream } from '#events';
import { isId } from '#kernel';
import { bookingDecider } from './booking.decider.js';
import type { Booking } from './booking.state.js';

/** A booking as its stream has it now; what has not the form of an id names none. */
export const loadBooking = async (aggregates: Aggregates, bookingId: string): Promise<Booking> =>
  isId(bookingId) ? (await aggregates.load(bookingStream(bookingId), bookingDecider)).state : { kind: 'none' };
