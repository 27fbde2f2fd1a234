import { Query } from '@nestjs/cqrs';
import type { BookingView } from './booking.view.js';

/** A booking by id, for any client of its holder. */
export class GetBooking extends Query<BookingView> {
  constructor(
    readonly bookingId: string,
    readonly holder: string,
  ) {
    super();
  }
}
