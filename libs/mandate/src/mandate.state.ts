import { type Instant, type Money, money, type Scope } from '#kernel';

/** A mandate that was granted: totals, open reservations and fences, never every order (docs/consistency.md, rule 15). */
export interface GrantedMandate {
  readonly kind: 'granted';
  readonly mandateId: string;
  /** The traveller whose money it is. */
  readonly holder: string;
  /** The one agent that may spend it. */
  readonly clientId: string;
  readonly scope: readonly Scope[];
  readonly limit: Money;
  readonly minutes: number;
  readonly startsAt: Instant;
  readonly expiresAt: Instant;
  readonly revokedAt: Instant | null;
  readonly expiredAt: Instant | null;
  /** Cents captured. */
  readonly consumed: number;
  /** Cents set aside, by order. */
  readonly reservations: Readonly<Record<string, number>>;
  /** Orders that may reserve nothing any more, each until its `holdBefore` (rule 6). */
  readonly fences: Readonly<Record<string, Instant>>;
  /** Time of the latest event: nothing is decided in this stream at an earlier one (rule 16). */
  readonly latestAt: Instant;
  /** Charge refusals written in the hour of the last one (rule 18). */
  readonly refusals: { readonly hour: string; readonly count: number };
}

/** The state of `mandate-<id>`. */
export type Mandate = { readonly kind: 'none' } | { readonly kind: 'abandoned' } | GrantedMandate;

/** Status as the interface shows it (docs/decisions.md, Mandate). */
export const MANDATE_STATUSES = ['valid', 'exhausted', 'revoked', 'expired'] as const;
export type MandateStatus = (typeof MANDATE_STATUSES)[number];

/** Precedence: revoked, expired, exhausted, valid (rule 17). `exhausted` means that all of the limit was consumed. */
export const statusOf = (mandate: GrantedMandate, now: Instant): MandateStatus => {
  if (mandate.revokedAt !== null) return 'revoked';
  if (mandate.expiredAt !== null || now >= mandate.expiresAt) return 'expired';
  return mandate.consumed === mandate.limit.amount ? 'exhausted' : 'valid';
};

/** What is set aside for orders under way. */
export const reservedOf = ({ reservations, limit }: GrantedMandate): Money =>
  money(
    Object.values(reservations).reduce((sum, amount) => sum + amount, 0),
    limit.currency,
  );

/** What is left to reserve: `limit = consumed + reserved + remaining`, always. */
export const remainingOf = (mandate: GrantedMandate): Money =>
  money(mandate.limit.amount - mandate.consumed - reservedOf(mandate).amount, mandate.limit.currency);
