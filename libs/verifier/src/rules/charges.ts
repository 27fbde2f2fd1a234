import type { Amount, AuditedEvent, Json } from '../audited-event.js';
import { canonicalJson } from '../canonical-json.js';
import type { Version } from '../version.js';
import { type MandateState, statusAt, type ReportBreach } from './mandate-state.js';
import { amount, instant, integer, isObject, isSame, shown, text, texts } from './members.js';

/** Scopes without which a mandate pays nothing (docs/decisions.md, Mandate). */
const CHARGE_SCOPES = ['order:write', 'payment:execute'];
/** The same where mandates of AP2 authorize the order. */
const PAYMENT_SCOPES = ['payment:execute'];

/** Whether an event of a charge says that mandates of AP2 authorize its order. */
const isByAp2 = (data: Json, version: Version): boolean => version >= 4 && data['ap2'] === true;

/** Why a charge has to be refused, first reason first; null: it has not. A trip that is unknown (null) breaks no constraint. */
const refusalAt = (
  state: MandateState,
  charged: Amount,
  trip: Trip | null,
  { at, ap2 }: { readonly at: string; readonly ap2: boolean },
): Refusal | null => {
  const refusal = REFUSALS[statusAt(state, at)];
  if (refusal) return refusal;
  if (!(ap2 ? PAYMENT_SCOPES : CHARGE_SCOPES).every((scope) => state.scope.includes(scope)))
    return { reason: 'mandate_scope_insufficient', rule: 'scope', message: 'its scopes do not allow a charge' };
  if (charged.currency !== state.limit.currency)
    return { reason: 'currency_mismatch', rule: 'currency', message: `${charged.currency} is not its currency` };
  const constraint =
    (trip && forbiddenBy(state.constraints, trip)) ??
    (isOutOfBounds(state.constraints, charged) ? 'orderTotal' : null) ??
    (isOrderedOut(state) ? 'maxOrders' : null);
  if (constraint !== null)
    return { reason: CONSTRAINT, rule: 'constraint', constraint, message: `its constraint ${constraint} forbids it` };
  const left = leftOf(state);
  if (charged.amount <= left) return null;
  const message = `${shown(charged)} is more than ${shown({ ...state.limit, amount: Math.max(0, left) })} that are left`;
  return { reason: LIMIT, rule: 'ceiling', message };
};

const CONSTRAINT = 'mandate_constraint_violated';
const LIMIT = 'mandate_limit_exceeded';

const leftOf = ({ limit, consumed, reserved }: MandateState): number => limit.amount - consumed - reserved;

interface Refusal {
  /** As it is recorded. */
  readonly reason: string;
  /** What a reservation breaks that was made all the same. */
  readonly rule: string;
  readonly constraint?: string;
  readonly message: string;
}

const REFUSALS: Readonly<Record<string, Refusal>> = {
  revoked: { reason: 'mandate_revoked', rule: 'after-revocation', message: 'the mandate was revoked before' },
  expired: { reason: 'mandate_expired', rule: 'after-expiry', message: 'the mandate had expired' },
  requested: { reason: 'mandate_pending', rule: 'while-pending', message: 'the mandate was not granted yet' },
  paused: { reason: 'mandate_paused', rule: 'while-paused', message: 'the mandate was paused' },
};

/** The version of bundles by which it judges, and who gets breaches. */
interface Asking {
  readonly version: Version;
  readonly report: ReportBreach;
}

/** Whether orders reserved and paid are as many as its constraint allows. */
const isOrderedOut = ({ constraints, paidOrders, reservations }: MandateState): boolean =>
  constraints['maxOrders'] !== undefined && paidOrders + reservations.size >= integer(constraints, 'maxOrders');

/** Whether an order costs more than it may in all, or less than it has to. */
const isOutOfBounds = (constraints: Json, { amount: charged }: Amount): boolean => {
  const bounds = constraints['orderTotal'];
  if (!isObject(bounds)) return false;
  return (
    charged > amount(bounds, 'max').amount || (bounds['min'] !== undefined && charged < amount(bounds, 'min').amount)
  );
};

/** Money is set aside only while the mandate allows it, within its ceiling, once an order, and in time (rules 6 and 17). */
export const reserve = (
  state: MandateState,
  { data, metadata }: AuditedEvent,
  trip: Trip | null,
  { version, report }: Asking,
): void => {
  const at = metadata.occurredAt;
  const orderId = text(data, 'orderId');
  const charged = amount(data, 'amount');
  const holdBefore = instant(data, 'holdBefore');
  const ap2 = isByAp2(data, version);
  if (trip && trip.ap2 !== ap2)
    report('checkout', 'reserved for an order that mandates of AP2 do, or do not, authorize');
  const refusal = refusalAt(state, charged, trip, { at, ap2 });
  if (refusal) report(refusal.rule, `${shown(charged)} reserved, and ${refusal.message}`);
  const { holder, clientId } = metadata.actor;
  if (clientId !== state.clientId) report('agent', `${clientId ?? 'nobody'} is not the agent of this mandate`);
  if (version >= 3 && holder !== state.holder) report('agent', 'reserved for another than its traveller');
  const before = state.reservations.get(orderId);
  if (before) report('reservation', `reserved twice for order ${orderId}`);
  if (isSettled(state, orderId, at)) report('fence', `reserved for order ${orderId}, which was settled before`);
  if (at > holdBefore) report('fence', `reserved for order ${orderId} later than ${holdBefore}`);
  state.reserved += charged.amount - (before?.amount.amount ?? 0);
  state.reservations.set(orderId, { amount: charged, holdBefore });
};

/** What is captured is what was set aside, once, whatever the status is (rule 9). */
export const consume = (state: MandateState, data: Json, report: ReportBreach): void => {
  const orderId = text(data, 'orderId');
  const charged = amount(data, 'amount');
  const reservation = state.reservations.get(orderId);
  if (!reservation) report('consumption', `consumed for order ${orderId}, for which nothing was reserved`);
  else if (!isSame(reservation.amount, charged))
    report(
      'consumption',
      `consumed ${shown(charged)}, and ${shown(reservation.amount)} were reserved for order ${orderId}`,
    );
  settle(state, orderId, reservation?.holdBefore ?? FOR_GOOD);
  state.consumed += charged.amount;
  state.paidOrders += 1;
};

/** What comes back was consumed, once an order, whatever the status is (rule 36). */
export const refund = (state: MandateState, data: Json, report: ReportBreach): void => {
  const orderId = text(data, 'orderId');
  const back = amount(data, 'amount');
  if (state.refunds.has(orderId)) report('refund', `refunded twice for order ${orderId}`);
  if (state.kind !== 'granted' || back.currency !== state.limit.currency || back.amount > state.consumed)
    report('refund', `refunded ${shown(back)}, which is more than was consumed`);
  if (state.paidOrders === 0) report('refund', 'refunded for an order that it did not pay');
  state.refunds.add(orderId);
  state.consumed -= back.amount;
  state.refunded += back.amount;
  state.paidOrders -= 1;
};

/** What comes back is what was set aside; an empty release is a fence, once an order (rule 6). */
export const release = (state: MandateState, { data, metadata }: AuditedEvent, report: ReportBreach): void => {
  const orderId = text(data, 'orderId');
  const released = amount(data, 'amount');
  const held = state.reservations.get(orderId)?.amount ?? { ...state.limit, amount: 0 };
  if (!isSame(released, held)) report('release', `released ${shown(released)} of ${shown(held)} for order ${orderId}`);
  if (isSettled(state, orderId, metadata.occurredAt))
    report('release', `released for order ${orderId}, which was settled before`);
  settle(state, orderId, instant(data, 'holdBefore'));
};

/** An order stays settled until an event of the stream is later than its last chance to reserve. */
const isSettled = ({ settled, latestAt }: MandateState, orderId: string, at: string): boolean =>
  (at > latestAt ? at : latestAt) <= (settled.get(orderId) ?? '');

/** Until when an order is settled that was consumed without a reservation. */
const FOR_GOOD = '9999-12-31T23:59:59.999Z';

const settle = (state: MandateState, orderId: string, until: string): void => {
  state.reserved -= state.reservations.get(orderId)?.amount.amount ?? 0;
  state.reservations.delete(orderId);
  state.settled.delete(orderId); // it is put at the end, with those that are settled longest
  state.settled.set(orderId, until);
};

/** A refusal states its first reason (docs/decisions.md, Order). A trip it does not name (v2) is believed if a constraint fits. */
export const refuse = (
  state: MandateState,
  { data, metadata }: AuditedEvent,
  frozen: Trip | null,
  { version, report }: Asking,
): void => {
  const ap2 = isByAp2(data, version);
  if (frozen && frozen.ap2 !== ap2)
    report('refusal', 'refused as if mandates of AP2 did, or did not, authorize its order');
  const said = version < 2 ? null : tripIn(data, ap2);
  if (frozen && said && TRIP.some((name) => frozen[name] !== said[name]))
    report('refusal', 'refused for another trip than its order froze');
  if (version >= 2 && data['allowed'] !== undefined && !isAllowed(state.constraints, data))
    report('refusal', 'its constraint allows something else than it says');
  const trip = frozen ?? said;
  const charged = amount(data, 'amount');
  const reason = text(data, 'reason');
  const constraint = data['constraint'];
  const expected = refusalAt(state, charged, trip, { at: metadata.occurredAt, ap2 });
  const isOfTrip = reason === CONSTRAINT && typeof constraint === 'string' && TRIP_CONSTRAINTS.includes(constraint);
  const isPossible = expected === null || ['constraint', 'ceiling'].includes(expected.rule);
  if (trip === null && isOfTrip && isPossible) {
    if (state.constraints[constraint] === undefined)
      report('refusal', `refused by ${constraint}, and the mandate has no such constraint`);
  } else if (reason !== expected?.reason) {
    report('refusal', `refused as ${reason}, and ${expected?.message ?? 'nothing was in its way'}`);
  } else if (expected.constraint !== constraint) {
    report('refusal', `refused by another constraint than ${expected.constraint ?? 'none'}`);
  }
};

/** What of a purchase a mandate may restrict, beside the number of orders. */
export interface Trip {
  readonly from: string;
  readonly to: string;
  /** Cents of one seat. */
  readonly unitPrice: number;
  /** Whether mandates of AP2 authorize the order. */
  readonly ap2: boolean;
}

/** The constraints that a trip has to be known for. */
const TRIP_CONSTRAINTS = ['from', 'to', 'maxPricePerSeat'];

const TRIP = ['from', 'to', 'unitPrice'] as const;

/** The trip that a refusal says it was of; null: it does not say, as those of before. */
const tripIn = (data: Json, ap2: boolean): Trip | null => {
  if (TRIP.some((name) => data[name] === undefined)) return null;
  return { from: text(data, 'from'), to: text(data, 'to'), unitPrice: amount(data, 'unitPrice').amount, ap2 };
};

/** Whether a refusal says of its constraint, and of no other one, what the mandate does. */
const isAllowed = (constraints: Json, { constraint, allowed }: Json): boolean =>
  typeof constraint === 'string' && canonicalJson(allowed) === canonicalJson({ [constraint]: constraints[constraint] });

/** The first constraint that forbids a trip; null: none does. */
export const forbiddenBy = (constraints: Json, { from, to, unitPrice }: Omit<Trip, 'ap2'>): string | null => {
  if (constraints['from'] !== undefined && !texts(constraints, 'from').includes(from)) return 'from';
  if (constraints['to'] !== undefined && !texts(constraints, 'to').includes(to)) return 'to';
  if (constraints['maxPricePerSeat'] === undefined) return null;
  return unitPrice > amount(constraints, 'maxPricePerSeat').amount ? 'maxPricePerSeat' : null;
};
