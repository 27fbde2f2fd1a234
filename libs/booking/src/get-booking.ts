import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Aggregates } from '#event-store';
import { DomainError, isId } from '#kernel';
import { bookings } from './booking.decider.js';
import type { Booking } from './booking.state.js';
import type { BookedChoice } from './booking.state.js';

/** A booking as its stream has it now; what has not the form of an id names none. */
export const loadBooking = async (aggregates: Aggregates, bookingId: string): Promise<Booking> =>
  isId(bookingId) ? (await aggregates.load(bookings, bookingId)).state : { kind: 'none' };

/** A booking by id, for any client of its holder. */
export class GetBooking extends Query<BookedChoice> {
  constructor(
    readonly bookingId: string,
    readonly holder: string,
  ) {
    super();
  }
}

/** Folds the stream, so that a writer reads its own writes (docs/consistency.md, rule 25). */
@QueryHandler(GetBooking)
export class GetBookingHandler implements IQueryHandler<GetBooking> {
  constructor(private readonly aggregates: Aggregates) {}

  async execute({ bookingId, holder }: GetBooking) {
    const booking = await loadBooking(this.aggregates, bookingId);
    if (booking.kind === 'none' || booking.holder !== holder) throw new DomainError('booking_not_found');
    return { bookingId, ...booking.choice };
  }
}
