import { type Constraints, type MandateEvent, mandateEvents, streamType } from '#events';
import {
  CHARGE_SCOPES,
  covers,
  type Decider,
  DomainError,
  type ErrorCode,
  type Instant,
  type Money,
  money,
  type Party,
  plus,
  type Scope,
  type Stamped,
  TooLate,
} from '#kernel';
import { type ConstraintName, type Purchase, violatedConstraint } from './constraints.rule.js';
import {
  evolveMandate,
  type GrantedMandate,
  type Grantor,
  type Mandate,
  remainingOf,
  statusOf,
} from './mandate.state.js';

/** Commands of `mandate-<id>`. */
export type MandateCommand =
  | {
      readonly type: 'CreateMandate';
      readonly mandateId: string;
      readonly holder: string;
      readonly clientId: string;
      readonly scope: readonly Scope[];
      readonly limit: Money;
      readonly minutes: number;
      readonly startsAt: Instant;
      readonly expiresAt: Instant;
      readonly constraints?: Constraints;
      /** Who decided to open it. */
      readonly grantedBy: Grantor;
    }
  /** The agent asks the traveller for a mandate. */
  | {
      readonly type: 'RequestMandate';
      readonly mandateId: string;
      readonly holder: string;
      readonly clientId: string;
      readonly scope: readonly Scope[];
      readonly limit: Money;
      readonly minutes: number;
      readonly constraints?: Constraints;
      readonly requestedAt: Instant;
      readonly lapsesAt: Instant;
    }
  /** The traveller allows what was asked for, with this ceiling and for so long. */
  | { readonly type: 'Approve'; readonly holder: string; readonly limit: Money; readonly minutes: number }
  /** Asks whether a charge would be allowed, reserving nothing (rule 1). */
  | ({ readonly type: 'AuthorizeCharge' } & Charge)
  | ({
      readonly type: 'Reserve';
      readonly orderId: string;
      readonly bookingId: string;
      readonly holdBefore: Instant;
    } & Charge)
  | { readonly type: 'Consume'; readonly orderId: string }
  | { readonly type: 'Release'; readonly orderId: string; readonly holdBefore: Instant }
  | { readonly type: 'Revoke'; readonly holder: string }
  /** The traveller lowers the ceiling or brings the end nearer; what is absent stays as it is. */
  | { readonly type: 'Narrow'; readonly holder: string; readonly limit?: Money; readonly expiresAt?: Instant }
  /** Nothing more is charged until the traveller resumes it. */
  | { readonly type: 'Pause'; readonly holder: string }
  | { readonly type: 'Resume'; readonly holder: string }
  /** Writes down that the validity has ended; once there it is final (rule 16). */
  | { readonly type: 'Expire' }
  /** Shuts a stream that was opened in the delegation and never created (rule 19). */
  | { readonly type: 'Abandon'; readonly mandateId: string };

/** A charge somebody wants to make against a mandate. */
export interface Charge {
  readonly holder: string;
  readonly clientId: string;
  readonly amount: Money;
  readonly purchase: Purchase;
}

/**
 * The mandate, if this agent of this traveller may spend from it at all.
 *
 * @throws DomainError `invalid_mandate` (unknown or another holder's: the same answer), `mandate_client_mismatch`
 */
export const spendable = (mandate: Mandate, { holder, clientId }: Party): GrantedMandate => {
  if (mandate.kind !== 'granted' || mandate.holder !== holder) throw new DomainError('invalid_mandate');
  if (mandate.clientId !== clientId) throw new DomainError('mandate_client_mismatch');
  return mandate;
};

/** Why a mandate does not allow a charge, first reason wins (docs/decisions.md, Order); null where it does. */
export const chargeRefusal = (
  mandate: GrantedMandate,
  { amount, purchase }: Pick<Charge, 'amount' | 'purchase'>,
  now: Instant,
): Omit<ChargeRefusal, 'amount'> | null => {
  const status = statusOf(mandate, now);
  if (status === 'revoked') return { reason: 'mandate_revoked' };
  if (status === 'expired') return { reason: 'mandate_expired' };
  if (status === 'pending' || status === 'paused') return { reason: `mandate_${status}` };
  if (!covers(mandate.scope, CHARGE_SCOPES)) return { reason: 'mandate_scope_insufficient' };
  if (mandate.limit.currency !== amount.currency) return { reason: 'currency_mismatch' };
  const constraint = violatedConstraint(mandate, purchase);
  if (constraint) return { reason: 'mandate_constraint_violated', constraint };
  return amount.amount > remainingOf(mandate).amount ? { reason: 'mandate_limit_exceeded' } : null;
};

/** Why a charge of this amount was refused. */
export interface ChargeRefusal {
  readonly reason: ErrorCode;
  readonly constraint?: ConstraintName | undefined;
  readonly amount: Money;
}

/** The refusal an agent is answered: over the ceiling it learns what remains, and which constraint is in its way. */
export const refusedCharge = (
  { reason, constraint, amount: required }: ChargeRefusal,
  mandate: GrantedMandate,
): DomainError => {
  if (reason === 'mandate_limit_exceeded')
    return new DomainError(reason, { required, remaining: remainingOf(mandate) });
  if (constraint) return new DomainError(reason, { constraint, value: mandate.constraints[constraint] });
  return new DomainError(reason);
};

type CommandOf<Type extends MandateCommand['type']> = Stamped<Extract<MandateCommand, { type: Type }>>;

/** Refusals that are written an hour, for each mandate; beyond that they are only raised (rule 18). */
export const REFUSALS_WRITTEN_AN_HOUR = 20;

/** The rules of `mandate-<id>`: nothing is spent that was not granted. */
export const mandateDecider: Decider<Mandate, MandateCommand, MandateEvent> = {
  initialState: () => ({ kind: 'none' }),
  evolve: evolveMandate,
  decide: (command, mandate) => {
    switch (command.type) {
      case 'CreateMandate':
        return create(command, mandate);
      case 'RequestMandate': {
        const { type: _, now: __, ...terms } = command;
        if (mandate.kind === 'abandoned') throw new TooLate();
        return mandate.kind === 'none' ? [{ type: 'MandateRequested', data: terms }] : [];
      }
      case 'Approve':
        return approve(command, mandate);
      case 'AuthorizeCharge':
        return refuseCharge(command, spendable(mandate, command), null);
      case 'Reserve':
        return reserve(command, spendable(mandate, command));
      case 'Consume':
        return consume(command, mandate);
      case 'Release':
        return release(command, mandate);
      case 'Revoke':
        return revoke(command, mandate);
      case 'Narrow':
        return narrow(command, mandate);
      case 'Pause':
        return pause(command, mandate);
      case 'Resume':
        return resume(command, mandate);
      case 'Expire':
        return expire(command, mandate);
      case 'Abandon': {
        const { mandateId, now } = command;
        return mandate.kind === 'none' ? [{ type: 'MandateAbandoned', data: { mandateId, abandonedAt: now } }] : [];
      }
    }
  },
};

const create = ({ type: _, now, ...terms }: CommandOf<'CreateMandate'>, mandate: Mandate): readonly MandateEvent[] => {
  if (mandate.kind === 'abandoned') throw new TooLate();
  if (mandate.kind === 'granted' && !mandate.pending) return [];
  // What was asked for was revoked or has lapsed since its traveller approved it.
  if (mandate.kind === 'granted' && statusOf(mandate, now) !== 'pending') throw new TooLate();
  return [{ type: 'MandateCreated', data: terms }];
};

/** Decided once: a second answer, and one that comes too late, change nothing (rule 31). */
const approve = ({ holder, limit, minutes, now }: CommandOf<'Approve'>, mandate: Mandate): readonly MandateEvent[] => {
  if (!isInForce(mandate, holder, now) || !mandate.pending || mandate.pending.approved) return [];
  const expiresAt = plus(now, minutes * 60_000);
  return [{ type: 'MandateApproved', data: { limit, minutes, startsAt: now, expiresAt } }];
};

/** The refusal as an event, or none where the charge is allowed. */
const refuseCharge = (
  charge: Stamped<Charge>,
  mandate: GrantedMandate,
  orderId: string | null,
): readonly MandateEvent[] => {
  const { amount, now } = charge;
  const refusal = chargeRefusal(mandate, charge, now);
  if (!refusal) return [];
  const { hour, count } = mandate.refusals;
  if (hour === now.slice(0, 13) && count >= REFUSALS_WRITTEN_AN_HOUR)
    throw refusedCharge({ ...refusal, amount }, mandate);
  return [{ type: 'MandateChargeRefused', data: { orderId, ...refusal, amount, refusedAt: now } }];
};

const reserve = (command: CommandOf<'Reserve'>, mandate: GrantedMandate): readonly MandateEvent[] => {
  const { orderId, bookingId, amount, holdBefore, now } = command;
  if (Object.hasOwn(mandate.reservations, orderId)) return [];
  // Too late, or settled meanwhile: nobody would release it any more (rule 6).
  if (now > holdBefore || Object.hasOwn(mandate.fences, orderId)) throw new TooLate();
  const refused = refuseCharge(command, mandate, orderId);
  if (refused.length > 0) return refused;
  return [{ type: 'MandateReserved', data: { orderId, bookingId, amount, holdBefore, reservedAt: now } }];
};

/** Never refused, whatever the status: captured money is always booked (rule 9). */
const consume = ({ orderId, now }: CommandOf<'Consume'>, mandate: Mandate): readonly MandateEvent[] => {
  const reserved = mandate.kind === 'granted' ? mandate.reservations[orderId] : undefined;
  if (mandate.kind !== 'granted' || reserved === undefined) return [];
  const amount = money(reserved.amount, mandate.limit.currency);
  return [{ type: 'MandateConsumed', data: { orderId, amount, consumedAt: now } }];
};

/**
 * Releasing what was never reserved is recorded too: the fence that keeps a late reservation out (rule 6), unless the
 * stream's own time is past `holdBefore`. The present time alone would not do: a late reserver's clock may be behind ours.
 */
const release = ({ orderId, holdBefore, now }: CommandOf<'Release'>, mandate: Mandate): readonly MandateEvent[] => {
  if (mandate.kind !== 'granted') return [];
  const reserved = mandate.reservations[orderId];
  const cannotReserveAnyMore = mandate.latestAt > holdBefore || Object.hasOwn(mandate.fences, orderId);
  if (reserved === undefined && cannotReserveAnyMore) return [];
  const amount = money(reserved?.amount ?? 0, mandate.limit.currency);
  return [{ type: 'MandateReleased', data: { orderId, amount, holdBefore, releasedAt: now } }];
};

/** Whether the mandate is neither revoked nor expired. @throws DomainError where it is unknown, or another holder's */
const isInForce = (mandate: Mandate, holder: string, now: Instant): mandate is GrantedMandate => {
  if (mandate.kind !== 'granted') throw new DomainError('mandate_not_found');
  if (mandate.holder !== holder) throw new DomainError('mandate_forbidden');
  const status = statusOf(mandate, now);
  return status !== 'revoked' && status !== 'expired';
};

/** Any client of the holder may revoke; twice, or after expiry, changes nothing (docs/decisions.md, Mandate). */
const revoke = ({ holder, now }: CommandOf<'Revoke'>, mandate: Mandate): readonly MandateEvent[] =>
  isInForce(mandate, holder, now) ? [{ type: 'MandateRevoked', data: { revokedAt: now } }] : [];

const pause = ({ holder, now }: CommandOf<'Pause'>, mandate: Mandate): readonly MandateEvent[] =>
  isInForce(mandate, holder, now) && !mandate.pending && mandate.pausedAt === null
    ? [{ type: 'MandatePaused', data: { pausedAt: now } }]
    : [];

const resume = ({ holder, now }: CommandOf<'Resume'>, mandate: Mandate): readonly MandateEvent[] =>
  isInForce(mandate, holder, now) && mandate.pausedAt !== null
    ? [{ type: 'MandateResumed', data: { resumedAt: now } }]
    : [];

/**
 * How soon (ms) a narrowed mandate may end. A charge under way has 30 seconds at most, and less than a narrowed mandate
 * has left, so that nothing is captured after the new end (docs/consistency.md, rule 29).
 */
export const SHORTEST_REST = 60_000;

/** A ceiling below what is spent and set aside, and an end that is no earlier or too soon, are refused. */
const narrow = (command: CommandOf<'Narrow'>, mandate: Mandate): readonly MandateEvent[] => {
  const { holder, now } = command;
  if (!isInForce(mandate, holder, now)) throw new DomainError('mandate_revoked');
  if (mandate.pending) throw new DomainError('mandate_pending');
  const { limit = mandate.limit, expiresAt = mandate.expiresAt } = command;
  const committed = mandate.limit.amount - remainingOf(mandate).amount;
  const isLower = limit.currency === mandate.limit.currency && limit.amount <= mandate.limit.amount;
  if (!isLower || limit.amount < committed) throw new DomainError('invalid_limit');
  const isChanged = expiresAt !== mandate.expiresAt;
  if (isChanged && (expiresAt > mandate.expiresAt || expiresAt < plus(now, SHORTEST_REST)))
    throw new DomainError('invalid_validity');
  if (!isChanged && limit.amount === mandate.limit.amount) return [];
  return [{ type: 'MandateNarrowed', data: { limit, expiresAt, narrowedAt: now } }];
};

/** Nothing is written for a mandate that still runs, was revoked, or is written down as expired already. */
const expire = ({ now }: CommandOf<'Expire'>, mandate: Mandate): readonly MandateEvent[] => {
  if (mandate.kind !== 'granted' || mandate.revokedAt !== null || mandate.expiredAt !== null) return [];
  return now < mandate.expiresAt ? [] : [{ type: 'MandateExpired', data: { expiredAt: now } }];
};

/** `mandate-<id>`: the stream an auditor replays. */
export const mandates = streamType({
  category: 'mandate',
  id: (mandateId: string) => mandateId,
  events: mandateEvents,
  decider: mandateDecider,
  snapshot: { version: 2, toJson: (mandate) => mandate, fromJson: (json) => json as Mandate }, // it is plain JSON
});
