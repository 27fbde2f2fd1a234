import type { z } from 'zod';
import type { People } from '#booking';
import { departureOf, fareOf, type Flight, soldFare } from '#catalog';
import type { Conditions, Line } from '#events';
import type { ChargedOrder } from '#order';
import { ticketCodesOf } from '#order/pure';
import { conditionsView } from '#site';
import type { flightsOfCheckout, flightsOfOrder, Segment } from './flights.forms.js';

export type FlightsOfCheckout = z.infer<typeof flightsOfCheckout>;
type FlightsOfSale = Pick<FlightsOfCheckout, 'segments' | 'conditions'>;
type FlightsOfOrder = z.infer<typeof flightsOfOrder>;

type Flown = Pick<Segment, 'flightNumber' | 'from' | 'to' | 'departureDate' | 'departureTime' | 'departureAt'>;
type Sold = Omit<Segment, keyof Flown | 'hasCheckedBag'>;

const segmentOf = (
  { flightNumber, from, to, departureDate, departureTime, departureAt }: Flown,
  { arrivalTime, arrivalDayOffset, fareCode, fareName, baggage }: Sold,
): Segment => ({
  ...{ flightNumber, from, to, departureDate, departureTime, departureAt, arrivalTime, arrivalDayOffset },
  ...{ fareCode, fareName, baggage, hasCheckedBag: baggage !== 'none' },
});

/** A flight as it was sold. */
export const flightsOfLine = (line: Line): FlightsOfSale => ({
  segments: [segmentOf({ ...line, departureAt: line.departureAt ?? null }, line)],
  conditions: line.conditions ? conditionsView(line.conditions) : null,
});

/** A flight that a checkout is about. `promised`: what its booking says comes back of it; absent: what the fare says today. */
export const flightsOfSale = (flight: Flight, fareCode: string, promised?: Conditions): FlightsOfSale => {
  const fare = fareOf(flight, fareCode);
  if (!fare) return { segments: [], conditions: null };
  const flown = { ...flight, departureAt: departureOf(flight) };
  return { segments: [segmentOf(flown, soldFare(fare))], conditions: conditionsView(promised ?? fare.conditions) };
};

/** The flight of an order with its tickets, and who flies with each. */
export const flightsOfOrderView = (order: ChargedOrder, locator: string, { travellers }: People): FlightsOfOrder => ({
  ...flightsOfLine(order.checkout.line),
  locator,
  tickets: ticketCodesOf(order).map((code, place) => ({ code, passenger: travellers?.[place] ?? null })),
});
