import type { RequestContext } from '#http';
import type { ChangeBookingDto } from './booking.dto.js';
import { ChangeBooking } from './change-booking.command.js';

/** The change of a booking, whichever door its agent came through (docs/interface.md, endpoint 7): what is not named stays. */
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
