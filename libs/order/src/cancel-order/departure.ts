import { departureOf, flights } from '#catalog';
import type { Aggregates } from '#event-store';
import { flightIdOf, type Line } from '#events';
import type { Departure } from './cancellation.rule.js';

/** When the flight of an order leaves, as its stream says; null: it has no date. */
export const departureOfLine = async (aggregates: Aggregates, line: Line): Promise<Departure | null> => {
  const { state } = await aggregates.load(flights, flightIdOf(line));
  if (state.status === 'unscheduled') return null;
  const { departureDate: date, timeZone } = state.flight;
  const at = departureOf(state.flight);
  return at === null || date === null ? null : { at, date, timeZone: timeZone ?? 'UTC' };
};
