import { type Delegation, delegationDecider, endedBy, usedOf } from '#delegation';
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

/**
 * What the delegation will be once a cap is set and the open mandates that it ends are closed, and the limits of those,
 * oldest first, with the ones that no longer fit beside what the ended have spent (docs/consistency.md, rule 28): the cap
 * and the closings after it are played through, and nothing is written.
 */
export const playedUnder = async (
  aggregates: Aggregates,
  delegation: Delegation,
  cap: Money | null,
): Promise<{ readonly after: Delegation; readonly ended: readonly Money[] }> => {
  const setCap = { type: 'SpendingCapSet', data: { cap, ending: [], setAt: '' } } as const;
  if (delegation.status === 'unknown') return { after: delegationDecider.evolve(delegation, setCap), ended: [] };
  const open = Object.entries(delegation.openMandates);
  const ended = new Set<string>();
  let state: Delegation = delegationDecider.evolve(delegation, setCap);
  for (let ending = endedBy(state, cap); ending.length > 0; ending = endedBy(state, cap)) {
    const closing = open.filter(([mandateId]) => ending.includes(mandateId));
    for (const [mandateId, { limit, expiresAt: closedAt }] of closing) {
      const { state: mandate } = await aggregates.load(mandates, mandateId);
      const consumed = money(mandate.kind === 'granted' ? mandate.consumed : 0, limit.currency);
      state = delegationDecider.evolve(state, { type: 'MandateClosed', data: { mandateId, consumed, closedAt } });
      ended.add(mandateId);
    }
  }
  return { after: state, ended: open.flatMap(([mandateId, { limit }]) => (ended.has(mandateId) ? [limit] : [])) };
};

/** The limits of the open mandates that a cap would end, oldest first. */
export const endedUnder = async (
  aggregates: Aggregates,
  delegation: Delegation,
  cap: Money | null,
): Promise<readonly Money[]> => (await playedUnder(aggregates, delegation, cap)).ended;
