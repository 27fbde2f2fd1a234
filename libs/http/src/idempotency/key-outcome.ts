import { DomainError, type ErrorCode } from '#kernel';
import { ERROR_CATALOGUE } from '../error-catalogue.js';

/**
 * What becomes of a key once its request is answered (docs/decisions.md, Idempotency-Key): `answered`, for a day the same
 * again; `open`, its id waits for a retry; `free`, as if it had never been used.
 */
export type Fate = 'answered' | 'open' | 'free';

/** The fate of the key of a request that was to create `resourceId`; `outcome` is the view of what it created, or a refusal. */
export const keyOutcomeOf = (outcome: object, resourceId: string): Fate => {
  if (!(outcome instanceof DomainError)) return 'answered';
  const { status } = ERROR_CATALOGUE[outcome.code];
  if (status === 402) return outcome.code === 'payment_challenge_required' ? 'free' : 'answered';
  return status >= 500 || isAbout(outcome, resourceId) ? 'open' : 'free';
};

const OF_AN_ORDER: readonly ErrorCode[] = ['order_in_progress', 'booking_already_ordered'];

/** Whether a booking is refused because of the very order that the request had placed before. */
export const isAbout = (outcome: object, resourceId: string): boolean =>
  outcome instanceof DomainError &&
  OF_AN_ORDER.includes(outcome.code) &&
  JSON.stringify([outcome.details, outcome.members]).includes(resourceId);
