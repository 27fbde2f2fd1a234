import { fareOf, type Flight, flights, hasDeparted, noSuchFare, normalFlightNumber } from '#catalog';
import type { Aggregates } from '#event-store';
import { DomainError, type Instant, money } from '#kernel';
import type { Choice } from './booking.state.js';

/** What somebody wants to book; the price is ours. */
export type BookingRequest = Omit<Choice, 'total'>;

/**
 * The flight as its stream has it now.
 *
 * @throws DomainError `invalid_flight` where nobody knows the number
 */
export const flightOnSale = async (aggregates: Aggregates, flightNumber: string): Promise<Flight> => {
  const { state } = await aggregates.load(flights, flightNumber);
  if (state.status === 'unscheduled') throw new DomainError('invalid_flight');
  return state.flight;
};

/**
 * The flight that a request names; null: it names none.
 *
 * @throws DomainError `invalid_flight` where nobody knows the number
 */
export const flightOf = async (
  aggregates: Aggregates,
  { flightNumber }: Pick<BookingRequest, 'flightNumber'>,
): Promise<Flight | null> =>
  flightNumber === null ? null : flightOnSale(aggregates, normalFlightNumber(flightNumber));

/**
 * What is asked for on a flight, at its fare now. An empty draft and a flight without a fare cost 0.
 *
 * @throws DomainError `flight_departed`, `invalid_fare`
 */
export const priced = (flight: Flight | null, { fareCode, passengers }: BookingRequest, now: Instant): Choice => {
  if (flight === null) {
    if (fareCode !== null) throw new DomainError('invalid_fare');
    return { flightNumber: null, fareCode, passengers, total: money(0, 'BRL') };
  }
  if (hasDeparted(flight, now)) throw new DomainError('flight_departed');
  const { flightNumber, currency } = flight;
  if (fareCode === null) return { flightNumber, fareCode, passengers, total: money(0, currency) };
  const fare = fareOf(flight, fareCode);
  if (!fare) throw noSuchFare(flight);
  return { flightNumber, fareCode, passengers, total: money(fare.price * passengers, currency) };
};
