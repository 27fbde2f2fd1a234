import { Command } from '@nestjs/cqrs';
import type { Context } from '#kernel';
import type { BookingView } from './booking.view.js';
import type { Wish } from './pricing.js';

/** Changes what is named in `changes`; what is absent stays. */
export class ChangeBooking extends Command<BookingView> {
  constructor(
    readonly bookingId: string,
    readonly by: { readonly holder: string; readonly clientId: string },
    readonly changes: Partial<Wish>,
    readonly context: Context,
  ) {
    super();
  }
}
