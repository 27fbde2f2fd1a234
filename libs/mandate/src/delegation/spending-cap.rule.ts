import { type Currency, DomainError, type Money, money } from '#kernel';
import type { Delegation } from './delegation.state.js';

/** A cap as `GET /mandates` shows it. `available` is 0 where the cap was lowered below what is used. */
export interface CapUse {
  readonly limit: Money;
  readonly used: Money;
  readonly available: Money;
}

/** What counts against a cap: limits of mandates not closed, and what those closed since the first cap had consumed. */
export const usedOf = (delegation: Delegation, currency: Currency): Money => {
  if (delegation.status === 'unknown') return money(0, currency);
  const open = Object.values(delegation.openMandates)
    .filter(({ limit }) => limit.currency === currency)
    .reduce((sum, { limit }) => sum + limit.amount, 0);
  return money(open + (delegation.spent?.[currency] ?? 0), currency);
};

/** The agent's cap with what is used of it; null where there is none. */
export const capOf = (delegation: Delegation): CapUse | null => {
  if (delegation.status === 'unknown' || delegation.cap === null) return null;
  const { cap: limit } = delegation;
  const used = usedOf(delegation, limit.currency);
  return { limit, used, available: money(Math.max(0, limit.amount - used.amount), limit.currency) };
};

/** Whether a mandate of this limit fits, with `used` cents of the cap taken. Another currency never does: nothing here converts. */
const fits = (cap: Money, used: number, limit: Money): boolean =>
  limit.currency === cap.currency && limit.amount <= cap.amount - used;

/** Why the cap admits no further mandate of this limit; null where it does, or where there is no cap. */
export const capRefusal = (delegation: Delegation, limit: Money): DomainError | null => {
  const use = capOf(delegation);
  if (!use || fits(use.limit, use.used.amount, limit)) return null;
  return new DomainError('mandate_cap_exceeded', { cap: use.limit, used: use.used, available: use.available });
};

/** The open mandates that a cap ends: the oldest stay, as far as they fit beside what was spent (docs/consistency.md, rule 28). */
export const endedBy = (delegation: Delegation, cap: Money | null): readonly string[] => {
  if (delegation.status === 'unknown' || cap === null) return [];
  const ending = new Set(delegation.ending);
  let used = delegation.spent?.[cap.currency] ?? 0;
  return Object.entries(delegation.openMandates).flatMap(([mandateId, { limit }]) => {
    if (ending.has(mandateId)) return [];
    if (!fits(cap, used, limit)) return [mandateId];
    used += limit.amount;
    return [];
  });
};
