import { Command } from '@nestjs/cqrs';
import type { Context } from '#kernel';
import type { BookingView } from './booking.view.js';
import type { BookingRequest } from './pricing.js';

/** Books, for the traveller `holder` through the agent `clientId`. `bookingId` is minted by the caller. */
export class CreateBooking extends Command<BookingView> {
  constructor(
    readonly bookingId: string,
    readonly party: { readonly holder: string; readonly clientId: string },
    readonly request: BookingRequest,
    readonly context: Context,
  ) {
    super();
  }
}
