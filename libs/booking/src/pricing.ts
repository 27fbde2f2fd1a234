import { departureOf, flights, normalFlightNumber } from '#catalog';
import type { Aggregates } from '#event-store';
import { DomainError } from '#kernel';
import type { BookingRequest, Offer } from './pricing.rule.js';

/** The flight that a request names, as its stream has it now; null: it names none. @throws DomainError `invalid_flight` */
export const offerOf = async (
  aggregates: Aggregates,
  { flightNumber: named }: Pick<BookingRequest, 'flightNumber'>,
): Promise<Offer | null> => {
  if (named === null) return null;
  const { state } = await aggregates.load(flights, normalFlightNumber(named));
  if (state.status === 'unscheduled') throw new DomainError('invalid_flight');
  const { flightNumber, currency, fares } = state.flight;
  return {
    flightNumber,
    currency,
    fares: fares.map(({ code, name, price }) => ({ code, name, price })),
    departsAt: departureOf(state.flight),
  };
};
