import { Command } from '@nestjs/cqrs';
import type { Context } from '#kernel';
import type { BookingView } from './booking.view.js';
import type { BookingRequest } from './pricing.js';

/** Changes what is named in `changes`; what is absent stays. */
export class ChangeBooking extends Command<BookingView> {
  constructor(
    readonly bookingId: string,
    readonly party: { readonly holder: string; readonly clientId: string },
    readonly changes: Partial<BookingRequest>,
    readonly context: Context,
  ) {
    super();
  }
}
