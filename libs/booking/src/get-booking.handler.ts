import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Aggregates } from '#event-store';
import { DomainError } from '#kernel';
import { bookingView } from './booking.view.js';
import { GetBooking } from './get-booking.query.js';
import { loadBooking } from './load-booking.js';

/** Folds the stream, so that a writer reads its own writes (docs/consistency.md, rule 25). */
@QueryHandler(GetBooking)
export class GetBookingHandler implements IQueryHandler<GetBooking> {
  constructor(private readonly aggregates: Aggregates) {}

  async execute({ bookingId, holder }: GetBooking) {
    const booking = await loadBooking(this.aggregates, bookingId);
    if (booking.kind === 'none' || booking.holder !== holder) throw new DomainError('booking_not_found');
    return bookingView(bookingId, booking.choice);
  }
}
