import { type Delegation, usedOf } from '#delegation';
import type { Aggregates } from '#event-store';
import { type Currency, type Money, money } from '#kernel';
import { mandates } from '../mandate.decider.js';

/** What counts against a cap, in its two parts. */
export interface Spending {
  /** Charged: by the mandates closed since the first cap, and by the open ones. It never comes back. */
  readonly spent: Money;
  /** What the open mandates may still charge. It comes back once they are closed. */
  readonly committed: Money;
}

/** What is spent and what is committed in this currency, as the streams of the open mandates have it now. */
export const spendingOf = async (
  aggregates: Aggregates,
  delegation: Delegation,
  currency: Currency,
): Promise<Spending> => {
  if (delegation.status === 'unknown') return { spent: money(0, currency), committed: money(0, currency) };
  const open = Object.entries(delegation.openMandates).filter(([, { limit }]) => limit.currency === currency);
  const loaded = await Promise.all(open.map(([mandateId]) => aggregates.load(mandates, mandateId)));
  const consumed = loaded.map(({ state }) => (state.kind === 'granted' ? state.consumed : 0));
  const spent = consumed.reduce((sum, amount) => sum + amount, delegation.spent?.[currency] ?? 0);
  return { spent: money(spent, currency), committed: money(usedOf(delegation, currency).amount - spent, currency) };
};
