import type { Delegation } from '../delegation/delegation.state.js';
import { delegationDecider } from '../delegation/delegation.decider.js';
import { endedBy, usedOf } from '../delegation/spending-cap.rule.js';
import type { Aggregates } from '#event-store';
import { type Currency, type Instant, type Money, money, plus, sumOfEach } from '#kernel';
import type { ReadModelStore } from '#documents';
import { mandates } from '../mandate.decider.js';
import { isOrderedOut } from '../charge.rule.js';
import { remainingOf } from '../mandate.state.js';
import type { MandateListItem } from './mandates.projection.js';

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

/** What a delegation and its open mandates will be under a cap, played through without writing (docs/consistency.md, rule 28). */
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

/** What the open mandates of a holder may still charge. */
export interface Committed {
  /** One amount a currency, reais first; nothing under one that admits no further order. */
  readonly available: readonly Money[];
  /** false: there are more open mandates than were counted. */
  readonly isExact: boolean;
}

/** The longest validity of a mandate, in milliseconds (docs/decisions.md, Mandate): none that began earlier is open. */
const LONGEST = 10_080 * 60_000;
/** Open mandates that are counted: an agent has a hundred at most, unless that limit is switched off. */
const MOST = 500;

/** What a holder's agents may still charge, by a collection of mandates: of those in force and of those that are paused. */
export const committedOf = async (
  store: ReadModelStore,
  collection: string,
  { holder, now }: { readonly holder: string; readonly now: Instant },
): Promise<Committed> => {
  const running = { field: 'expiresAt', atLeast: plus(now, 1) };
  const found = await store.find<MandateListItem>(collection, {
    where: [
      { field: 'holder', equals: holder },
      { field: 'startsAt', atLeast: plus(now, -LONGEST) },
    ],
    anyOf: (['open', 'paused'] as const).map((phase) => [{ field: 'phase', equals: phase }, running]),
    sort: { field: 'startsAt', direction: 'descending' },
    limit: MOST + 1,
  });
  const open = found.slice(0, MOST).map(({ body }) => body);
  const rest = open.filter((mandate) => !isOrderedOut(mandate)).map(remainingOf);
  return { available: sumOfEach(rest.filter(({ amount }) => amount > 0)), isExact: found.length <= MOST };
};
