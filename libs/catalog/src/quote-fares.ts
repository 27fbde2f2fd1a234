import type { Fare } from '#events';
import { type Currency, money } from '#kernel';
import { type FareOptionView, type FareQuoteView, SHORTCOMINGS } from './fare-quote.view.js';
import { arrivalAndBaggage } from './flight.view.js';

const byTotalThenCode = (one: FareOptionView, other: FareOptionView): number =>
  one.total.amount - other.total.amount || (one.fareCode < other.fareCode ? -1 : 1);

/**
 * Prices every fare of a flight for a party, and picks the cheapest that arrives the same day with a checked bag.
 * `budget`: integer cents of the flight's currency for the whole party.
 */
export const quoteFares = (
  { fares, currency }: { readonly fares: readonly Fare[]; readonly currency: Currency },
  budget: number,
  passengers: number,
): FareQuoteView => {
  const optionOf = (fare: Fare): FareOptionView => {
    const total = fare.price * passengers;
    const fitsBudget = total <= budget;
    const { arrivesSameDay, hasCheckedBag } = arrivalAndBaggage(fare);
    const falls = { over_budget: !fitsBudget, arrives_next_day: !arrivesSameDay, no_checked_bag: !hasCheckedBag };
    return {
      fareCode: fare.code,
      fareName: fare.name,
      baggage: fare.baggage,
      hasCheckedBag,
      arrivesSameDay,
      arrivalTime: fare.arrivalTime,
      arrivalDayOffset: fare.arrivalDayOffset,
      unitPrice: money(fare.price, currency),
      passengers,
      total: money(total, currency),
      fitsBudget,
      budgetDelta: money(budget - total, currency),
      reasons: SHORTCOMINGS.filter((reason) => falls[reason]),
    };
  };
  const options = fares.map(optionOf).sort(byTotalThenCode);
  const best = options.find(({ arrivesSameDay, hasCheckedBag }) => arrivesSameDay && hasCheckedBag);
  return { budget: money(budget, currency), options, bestByConstraints: best ?? null };
};
