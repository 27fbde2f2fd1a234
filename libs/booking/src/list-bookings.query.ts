import { Query } from '@nestjs/cqrs';
import type { ListPage } from '#read-models';
import type { BookingView } from './booking.view.js';

/** The holder's bookings of every client, newest first. */
export class ListBookings extends Query<ListPage<BookingView>> {
  constructor(
    readonly holder: string,
    readonly page: { readonly limit: number; readonly cursor: string | undefined },
  ) {
    super();
  }
}
