import type { CommandBus } from '@nestjs/cqrs';
import { flightIdNamed } from '#catalog';
import { changed, type IdempotentOperation, type RequestContext } from '#http';
import type { Party } from '#kernel';
import { type BookingView, bookingView, type ChangeBookingDto, type CreateBookingDto } from './booking.dto.js';
import type { Bookings } from './bookings.js';
import { ChangeBooking } from './change-booking.js';
import { CreateBooking } from './create-booking.js';

interface Desk {
  readonly commands: Pick<CommandBus, 'execute'>;
  readonly bookings: Bookings;
}

/** How a booking is created, whichever channel its agent uses (docs/interface.md, endpoint 5). */
export const bookingOperation = (
  { commands, bookings }: Desk,
  body: CreateBookingDto,
  { caller, context }: RequestContext,
): IdempotentOperation<BookingView> => {
  const { flightNumber, fareCode = null, passengers = 1 } = body;
  const request = { flightId: null, ...flightNamed(flightNumber), fareCode, passengers };
  const metadata = changed({}, body.metadata ?? {});
  return {
    begin: async (id) =>
      bookingView(await commands.execute(new CreateBooking(id, caller, request, context, metadata)), metadata),
    outcomeOf: (id) => readBooking(bookings, id, caller),
  };
};

/** The flight that a request names, if it names one. */
const flightNamed = (flightNumber: string | undefined) =>
  flightNumber !== undefined && { flightId: flightIdNamed(flightNumber) };

/** A booking as an agent of its holder is shown it. */
export const readBooking = async (bookings: Bookings, id: string, caller: Party): Promise<BookingView> =>
  bookingView(await bookings.get(id, caller.holder), await bookings.attached.notedOn(id, caller));

/** The change of a booking, whichever channel its agent uses (docs/interface.md, endpoint 7): what is not named stays. */
export const bookingChange = (
  id: string,
  { flightNumber, fareCode, passengers, metadata }: ChangeBookingDto,
  { caller: { holder, clientId }, context }: Omit<RequestContext, 'urls'>,
): ChangeBooking => {
  const changes = {
    ...flightNamed(flightNumber),
    ...(fareCode !== undefined && { fareCode }),
    ...(passengers !== undefined && { passengers }),
  };
  return new ChangeBooking(id, { holder, clientId }, changes, context, metadata);
};

export const changedBooking = async (
  { commands, bookings }: Desk,
  id: string,
  body: ChangeBookingDto,
  by: Omit<RequestContext, 'urls'>,
): Promise<BookingView> => {
  const booking = await commands.execute(bookingChange(id, body, by));
  return bookingView(booking, await bookings.attached.notedOn(id, by.caller));
};
