import type { Buses, IdempotentOperation, RequestContext } from '#http';
import type { CreateBookingDto } from './booking.dto.js';
import type { BookingView } from './booking.view.js';
import { CreateBooking } from './create-booking.command.js';
import { GetBooking } from './get-booking.query.js';

/** How a booking is created, whichever door its agent came through (docs/interface.md, endpoint 5). */
export const bookingOperation = (
  { commands, queries }: Buses,
  body: CreateBookingDto,
  { caller, context }: RequestContext,
): IdempotentOperation<BookingView> => {
  const { flightNumber = null, fareCode = null, passengers = 1 } = body;
  const request = { flightNumber, fareCode, passengers };
  return {
    start: (id) => commands.execute(new CreateBooking(id, caller, request, context)),
    find: (id) => queries.execute(new GetBooking(id, caller.holder)),
  };
};
