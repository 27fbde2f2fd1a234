import { offerFrom, priced } from '#booking';
import { fareOf, type Flight, flightAsItIs, seatsLeft } from '#catalog';
import type { Aggregates } from '#event-store';
import { DomainError, type Instant } from '#kernel';
import type { FareOfFlight } from '../ids.js';
import type { ErrorMessage } from '../envelope.js';
import { said } from './refusal-messages.js';
import type { SessionLine } from './stored-session.js';

/** Seats that one booking may have (docs/interface.md, endpoint 5). */
const MOST_PASSENGERS = 9;

/** A line at today's price, and what keeps it from being bought as it is; null: nothing does. */
export interface PricedLine {
  readonly line: SessionLine;
  readonly problem: ErrorMessage | null;
  /** The flight as it is now. */
  readonly flight: Flight;
}

/** An item by the booking's own rule of prices; a message where nobody can buy it at all. */
export const pricedLine = async (
  aggregates: Aggregates,
  { flightId, fareCode }: FareOfFlight,
  quantity: number,
  now: Instant,
): Promise<PricedLine | ErrorMessage> => {
  const state = await flightAsItIs(aggregates, flightId);
  if (state.status === 'unscheduled') return said('invalid_flight');
  try {
    const { total, taxes } = priced(offerFrom(state), { fareCode, passengers: 1 }, now, 0);
    const { flight } = state;
    const title = titleOf(flight, fareOf(flight, fareCode)?.name ?? fareCode);
    const { amount: price, currency } = total;
    const line = { flightId, fareCode, quantity, title, price, taxes: taxes?.amount ?? 0, currency };
    const isTooMany = quantity > Math.min(seatsLeft(state), MOST_PASSENGERS);
    return { line, flight, problem: isTooMany ? said('seats_unavailable') : null };
  } catch (error) {
    if (error instanceof DomainError) return said(error.code);
    throw error;
  }
};

const titleOf = (
  { flightNumber, from, to, fromCity, toCity, departureDate, departureTime }: Flight,
  fareName: string,
): string => {
  const day = departureDate?.split('-').reverse().join('/');
  const when = day === undefined ? departureTime : `${day} às ${departureTime}`;
  return `Voo ${flightNumber} de ${fromCity ?? from} (${from}) a ${toCity} (${to}), ${when}, tarifa ${fareName}`;
};
