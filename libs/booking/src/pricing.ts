import { departureOf, flights } from '#catalog';
import type { Aggregates } from '#event-store';
import { flightNameOf } from '#events';
import { DomainError } from '#kernel';
import type { Offer } from './pricing.rule.js';

/** A flight as its stream has it now; null: there is none to be booked. @throws DomainError `invalid_flight` */
export const offerOf = async (aggregates: Aggregates, flightId: string | null): Promise<Offer | null> => {
  if (flightId === null) return null;
  const { state } = await aggregates.load(flights, flightId);
  if (state.status === 'unscheduled') throw new DomainError('invalid_flight');
  const { currency, fares } = state.flight;
  return {
    ...flightNameOf(state.flight),
    currency,
    fares: fares.map(({ code, name, price }) => ({ code, name, price })),
    departsAt: departureOf(state.flight),
  };
};
