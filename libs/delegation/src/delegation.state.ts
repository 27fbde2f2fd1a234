import { type Currency, type Instant, type Money, money } from '#kernel';

/** A mandate of this agent that still counts: not closed. */
export interface OpenMandate {
  readonly limit: Money;
  readonly expiresAt: Instant;
}

/** An agent that its traveller let in once. Totals and what is open, never every mandate (docs/consistency.md, rule 15). */
export interface KnownDelegation {
  /** `revoked`: until a new consent. */
  readonly status: 'authorized' | 'revoked';
  readonly openMandates: Readonly<Record<string, OpenMandate>>;
  /** Of those, the ones to be ended since the agent was revoked, whatever it is authorized to later. */
  readonly ending: readonly string[];
  /** What this agent may spend in all; null: no cap. */
  readonly cap: Money | null;
  /** Cents consumed by the mandates closed since the first cap, by currency; null: there was never a cap. */
  readonly spent: Readonly<Partial<Record<Currency, number>>> | null;
}

/** What a traveller lets one agent do (docs/consistency.md, rule 19). */
export type Delegation = { readonly status: 'unknown' } | KnownDelegation;

/** A cap as `GET /mandates` shows it. `available` is 0 where the cap was lowered below what is used. */
export interface CapUse {
  readonly limit: Money;
  readonly used: Money;
  readonly available: Money;
}

/**
 * What counts against a cap in this currency: the limits of the mandates not closed, also of those opened before the
 * first cap, and what the mandates closed since then had consumed. What came back before the first cap never counts,
 * what was spent after it never comes back, whatever the cap becomes.
 */
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
