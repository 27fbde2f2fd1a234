import type { Asker, Buses, Creation } from '#http';
import type { CreateBookingDto } from './booking.dto.js';
import type { BookingView } from './booking.view.js';
import { CreateBooking } from './create-booking.command.js';
import { GetBooking } from './get-booking.query.js';

/** How a booking is created, whichever door its agent came through (interface.md, endpoint 5). */
export const bookingCreation = (
  { commands, queries }: Buses,
  body: CreateBookingDto,
  { caller, context }: Asker,
): Creation<BookingView> => {
  const { flightNumber = null, fareCode = null, passengers = 1 } = body;
  const wish = { flightNumber, fareCode, passengers };
  return {
    start: (id) => commands.execute(new CreateBooking(id, caller, wish, context)),
    find: (id) => queries.execute(new GetBooking(id, caller.holder)),
  };
};
