import type { Buses, IdempotentOperation, RequestContext } from '#http';
import type { ChangeBookingDto, CreateBookingDto } from './booking.dto.js';
import { type BookingView, bookingView } from './booking.view.js';
import { ChangeBooking } from './change-booking.js';
import { CreateBooking } from './create-booking.js';
import { GetBooking } from './get-booking.js';

/** How a booking is created, whichever channel its agent uses (docs/interface.md, endpoint 5). */
export const bookingOperation = (
  { commands, queries }: Buses,
  body: CreateBookingDto,
  { caller, context }: RequestContext,
): IdempotentOperation<BookingView> => {
  const { flightNumber = null, fareCode = null, passengers = 1 } = body;
  const request = { flightNumber, fareCode, passengers };
  return {
    start: (id) => commands.execute(new CreateBooking(id, caller, request, context)).then(bookingView),
    find: (id) => queries.execute(new GetBooking(id, caller.holder)).then(bookingView),
  };
};

/** The change of a booking, whichever channel its agent uses (docs/interface.md, endpoint 7): what is not named stays. */
export const bookingChange = (
  id: string,
  { flightNumber, fareCode, passengers }: ChangeBookingDto,
  { caller: { holder, clientId }, context }: Omit<RequestContext, 'urls'>,
): ChangeBooking => {
  const changes = {
    ...(flightNumber !== undefined && { flightNumber }),
    ...(fareCode !== undefined && { fareCode }),
    ...(passengers !== undefined && { passengers }),
  };
  return new ChangeBooking(id, { holder, clientId }, changes, context);
};
