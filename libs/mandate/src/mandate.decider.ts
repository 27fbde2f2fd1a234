import { type MandateEvent, mandateEvents, streamType } from '#events';
import { type Decider, money, ofOrder, partyOf, type Stamped, TooLate } from '#kernel';
import type { CommandOf, MandateCommand } from './mandate.commands.js';
import { approve, narrow, pause, resume, revoke } from './traveller-decisions.rule.js';
import { type Charge, chargeRefusal, refusedCharge, spendable } from './charge.rule.js';
import { evolveMandate, type GrantedMandate, type Mandate, statusOf } from './mandate.state.js';

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
      case 'Refund':
        return refund(command, mandate);
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
  // What was asked for was not approved, or was revoked or has lapsed since.
  const isApproved = mandate.kind === 'none' || (mandate.pending?.approved && terms.grantedBy === 'traveller');
  if (!isApproved || (mandate.kind === 'granted' && statusOf(mandate, now) !== 'pending')) throw new TooLate();
  return [{ type: 'MandateCreated', data: terms }];
};

/** The refusal as an event, or none where the charge is allowed. */
const refuseCharge = (
  charge: Stamped<Charge>,
  mandate: GrantedMandate,
  orderId: string | null,
): readonly MandateEvent[] => {
  const { amount, bookingId, purchase, ap2, now } = charge;
  const refusal = chargeRefusal(mandate, charge, now);
  if (!refusal) return [];
  const { hour, count } = mandate.refusals;
  if (hour === now.slice(0, 13) && count >= REFUSALS_WRITTEN_AN_HOUR)
    throw refusedCharge({ ...refusal, amount }, mandate);
  const { constraint } = refusal;
  const { flightNumber, from, to, unitPrice } = purchase;
  const allowed = constraint && { allowed: { [constraint]: mandate.constraints[constraint] } };
  const refused = { ...refusal, ...allowed, amount, ...(ap2 && { ap2 }), bookingId, flightNumber, from, to, unitPrice };
  return [{ type: 'MandateChargeRefused', data: { orderId, ...refused, refusedAt: now } }];
};

const reserve = (command: CommandOf<'Reserve'>, mandate: GrantedMandate): readonly MandateEvent[] => {
  const { orderId, bookingId, amount, holdBefore, ap2, now } = command;
  if (ofOrder(mandate.reservations, orderId)) return [];
  // Too late, or settled meanwhile: nobody would release it any more (rule 6).
  if (now > holdBefore || ofOrder(mandate.fences, orderId)) throw new TooLate();
  const refused = refuseCharge(command, mandate, orderId);
  if (refused.length > 0) return refused;
  const reserved = { orderId, bookingId, amount, holdBefore, ...(ap2 && { ap2 }), reservedAt: now };
  return [{ type: 'MandateReserved', data: reserved }];
};

/** Never refused, whatever the status: captured money is always booked (rule 9). */
const consume = ({ orderId, now }: CommandOf<'Consume'>, mandate: Mandate): readonly MandateEvent[] => {
  const reserved = mandate.kind === 'granted' ? ofOrder(mandate.reservations, orderId) : undefined;
  if (mandate.kind !== 'granted' || reserved === undefined) return [];
  const amount = money(reserved.amount, mandate.limit.currency);
  return [{ type: 'MandateConsumed', data: { orderId, amount, consumedAt: now } }];
};

/** Recorded also where nothing was reserved, as a fence (rule 6), unless the stream, not this clock, is past `holdBefore`. */
const release = ({ orderId, holdBefore, now }: CommandOf<'Release'>, mandate: Mandate): readonly MandateEvent[] => {
  if (mandate.kind !== 'granted') return [];
  const reserved = ofOrder(mandate.reservations, orderId);
  const cannotReserveAnyMore = mandate.latestAt > holdBefore || ofOrder(mandate.fences, orderId);
  if (reserved === undefined && cannotReserveAnyMore) return [];
  const amount = money(reserved?.amount ?? 0, mandate.limit.currency);
  return [{ type: 'MandateReleased', data: { orderId, amount, holdBefore, releasedAt: now } }];
};

/** Never refused, whatever the status: what came back is always booked. Who is late looks at the stream first (rule 36). */
const refund = (
  { orderId, amount, departsAt, refundBefore, now }: CommandOf<'Refund'>,
  mandate: Mandate,
): readonly MandateEvent[] => {
  if (mandate.kind !== 'granted' || ofOrder(mandate.refunds, orderId)) return [];
  if (now > refundBefore) throw new TooLate();
  return [{ type: 'MandateRefunded', data: { orderId, amount, departsAt, refundedAt: now } }];
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
  party: (mandate) => (mandate.kind === 'granted' ? partyOf(mandate) : null),
  snapshotVersion: 5,
});
