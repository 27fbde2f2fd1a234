import type { MandateEvent } from '#events';
import { DomainError, type Instant, type Money, money, plus } from '#kernel';
import { ends, holds } from './pause/pause.state.js';
import type { CommandOf } from './mandate.commands.js';
import { type GrantedMandate, type Mandate, remainingOf, statusOf } from './mandate.state.js';

/** Whether the mandate is neither revoked nor expired. @throws DomainError where it is unknown, or another holder's */
const isInForce = (mandate: Mandate, holder: string, now: Instant): mandate is GrantedMandate => {
  if (mandate.kind !== 'granted') throw new DomainError('mandate_not_found');
  if (mandate.holder !== holder) throw new DomainError('mandate_forbidden');
  const status = statusOf(mandate, now);
  return status !== 'revoked' && status !== 'expired';
};

/** Any client of the holder may revoke; twice, or after expiry, changes nothing (docs/decisions.md, Mandate). */
export const revoke = ({ holder, now }: CommandOf<'Revoke'>, mandate: Mandate): readonly MandateEvent[] =>
  isInForce(mandate, holder, now) ? [{ type: 'MandateRevoked', data: { revokedAt: now } }] : [];

/** By itself and with everything it is paused apart, so that each ends what it began (rule 41). */
export const pause = ({ holder, pause: ofAll, now }: CommandOf<'Pause'>, mandate: Mandate): readonly MandateEvent[] => {
  if (!isInForce(mandate, holder, now) || mandate.pending) return [];
  if (ofAll === undefined) return mandate.pausedAt === null ? [{ type: 'MandatePaused', data: { pausedAt: now } }] : [];
  return holds(ofAll, mandate.pauseOfAll) ? [{ type: 'MandatePaused', data: { pause: ofAll, pausedAt: now } }] : [];
};

export const resume = (
  { holder, pause: ofAll, now }: CommandOf<'Resume'>,
  mandate: Mandate,
): readonly MandateEvent[] => {
  if (!isInForce(mandate, holder, now)) return [];
  if (ofAll === undefined)
    return mandate.pausedAt === null ? [] : [{ type: 'MandateResumed', data: { resumedAt: now } }];
  return ends(ofAll, mandate.pauseOfAll) ? [{ type: 'MandateResumed', data: { pause: ofAll, resumedAt: now } }] : [];
};

/** How soon (ms) a narrowed mandate may end: later than any charge under way, which has 30 s at most (docs/consistency.md, rule 29). */
export const SHORTEST_REST = 60_000;

/** The lowest ceiling to which a mandate can be narrowed: what is spent and set aside, and as little as one may be granted. */
export const lowestLimit = (mandate: GrantedMandate): Money =>
  money(Math.max(1, mandate.limit.amount - remainingOf(mandate).amount), mandate.limit.currency);

/** A ceiling below the lowest one, and an end that is no earlier or too soon, are refused. */
export const narrow = (command: CommandOf<'Narrow'>, mandate: Mandate): readonly MandateEvent[] => {
  const { holder, now } = command;
  if (!isInForce(mandate, holder, now)) throw new DomainError('mandate_revoked');
  if (mandate.pending) throw new DomainError('mandate_pending');
  const { limit = mandate.limit, expiresAt = mandate.expiresAt } = command;
  const isLower = limit.currency === mandate.limit.currency && limit.amount <= mandate.limit.amount;
  if (!isLower || limit.amount < lowestLimit(mandate).amount) throw new DomainError('invalid_limit');
  const isChanged = expiresAt !== mandate.expiresAt;
  if (isChanged && (expiresAt > mandate.expiresAt || expiresAt < plus(now, SHORTEST_REST)))
    throw new DomainError('invalid_validity');
  if (!isChanged && limit.amount === mandate.limit.amount) return [];
  return [{ type: 'MandateNarrowed', data: { limit, expiresAt, narrowedAt: now } }];
};

/** Decided once: a second answer, and one that comes too late, change nothing (rule 31). */
export const approve = (
  { holder, limit, minutes, now }: CommandOf<'Approve'>,
  mandate: Mandate,
): readonly MandateEvent[] => {
  if (!isInForce(mandate, holder, now) || !mandate.pending || mandate.pending.approved) return [];
  const expiresAt = plus(now, minutes * 60_000);
  return [{ type: 'MandateApproved', data: { limit, minutes, startsAt: now, expiresAt } }];
};
