import type { CommandBus } from '@nestjs/cqrs';
import { changed, type IdempotentOperation, type RequestContext } from '#http';
import type { Party } from '#kernel';
import { type BookingView, bookingView, type ChangeBookingDto, type CreateBookingDto } from './booking.dto.js';
import type { Bookings } from './bookings.js';
import { ChangeBooking } from './change-booking.js';
import type { BookedChoice } from './booking.state.js';
import { CreateBooking, type NamedFlight } from './create-booking.js';
import { peopleIn } from './travellers.js';

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
  const { flightNumber, date, fareCode = null, passengers = 1 } = body;
  const request = { flightId: null, fareCode, passengers };
  const metadata = changed({}, body.metadata ?? {});
  const people = peopleIn(body);
  return {
    begin: async (id) =>
      bookingView(
        await commands.execute(
          new CreateBooking(id, caller, request, context, metadata, people, flightNamed({ flightNumber, date })),
        ),
        metadata,
        people,
      ),
    outcomeOf: (id) => readBooking(bookings, id, caller),
  };
};

const flightNamed = (named: NamedFlight): NamedFlight | undefined =>
  named.flightNumber === undefined && named.date === undefined ? undefined : named;

/** A booking as an agent of its holder is shown it. */
export const readBooking = async (bookings: Bookings, id: string, caller: Party): Promise<BookingView> =>
  shownTo(caller, bookings, await bookings.get(id, caller.holder));

const shownTo = async (caller: Party, bookings: Bookings, booking: BookedChoice): Promise<BookingView> => {
  const { bookingId: id, named } = booking;
  const [metadata, people] = await Promise.all([
    bookings.attached.notedOn(id, caller),
    bookings.travellers.of({ id, named }, caller),
  ]);
  return bookingView(booking, metadata, people);
};

/** The change of a booking, whichever channel its agent uses (docs/interface.md, endpoint 7): what is not named stays. */
export const bookingChange = (
  id: string,
  { flightNumber, date, fareCode, passengers, metadata, ...people }: ChangeBookingDto,
  { caller: { holder, clientId }, context }: Omit<RequestContext, 'urls'>,
): ChangeBooking => {
  const changes = {
    ...(fareCode !== undefined && { fareCode }),
    ...(passengers !== undefined && { passengers }),
  };
  const flight = flightNamed({ flightNumber, date });
  return new ChangeBooking(id, { holder, clientId }, changes, context, metadata, peopleIn(people), flight);
};

export const changedBooking = async (
  { commands, bookings }: Desk,
  id: string,
  body: ChangeBookingDto,
  by: Omit<RequestContext, 'urls'>,
): Promise<BookingView> => shownTo(by.caller, bookings, await commands.execute(bookingChange(id, body, by)));
