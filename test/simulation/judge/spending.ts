import { idOf } from '#events';
import type { BookedEvent } from '../../support/books.js';

/** What counts as spent (cents) from the `from`-th event on while this cap is in force; empty for another cap. */
export const spendingsUnder = (
  events: readonly BookedEvent[],
  delegation: string,
  from: number,
  cents: number | null,
): readonly number[] => {
  const spendings: number[] = [];
  const own = new Set<string>();
  const consumed = new Map<string, number>();
  const exempt = new Set<string>();
  let cap: number | null = null;
  let hasBegun = false;
  for (const [place, { type, data, stored }] of events.entries()) {
    const id = idOf(stored.stream);
    if (type === 'MandateConsumed' && own.has(id)) consumed.set(id, (consumed.get(id) ?? 0) + data.amount.amount);
    if (type === 'MandateRefunded' && own.has(id)) consumed.set(id, (consumed.get(id) ?? 0) - data.amount.amount);
    if (stored.stream === delegation) {
      if (type === 'MandateOpened') own.add(data.mandateId);
      if (type === 'MandateClosed' && !hasBegun) exempt.add(data.mandateId);
      if (type === 'SpendingCapSet') {
        cap = data.cap?.amount ?? null;
        hasBegun ||= cap !== null;
      }
    }
    if (place < from - 1) continue;
    if (cap === null || cap !== cents) break;
    spendings.push([...consumed].reduce((sum, [one, amount]) => (exempt.has(one) ? sum : sum + amount), 0));
  }
  return spendings;
};
