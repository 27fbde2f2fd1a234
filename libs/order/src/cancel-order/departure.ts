import { dateAt, departureOf, flights } from '#catalog';
import type { Aggregates } from '#event-store';
import { flightIdOf } from '#events';
import type { ChargedOrder } from '../order.decider.js';
import type { Departure } from './cancellation.rule.js';

/** When the flight of an order leaves, as its stream says; null: it has no date. */
export const departureOfOrder = async (
  aggregates: Aggregates,
  { checkout, paidAt }: Pick<ChargedOrder, 'checkout' | 'paidAt'>,
): Promise<Departure | null> => {
  const { state } = await aggregates.load(flights, flightIdOf(checkout.line));
  if (state.status === 'unscheduled') return null;
  const { departureDate: date, timeZone, cancelledAt } = state.flight;
  const at = departureOf(state.flight);
  if (at === null || date === null) return null;
  return { at, date, boughtOn: dateAt(paidAt, timeZone ?? 'UTC'), isCancelled: cancelledAt !== undefined };
};
