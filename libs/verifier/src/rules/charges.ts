import type { Amount, AuditedEvent, Json } from '../audited-event.js';
import { type MandateState, statusAt, type Tell } from './mandate-state.js';
import { amount, instant, integer, shown, text, texts } from './members.js';

/** Scopes without which a mandate pays nothing (docs/decisions.md, Mandate). */
const CHARGE_SCOPES = ['order:write', 'payment:execute'];

/** Why a charge has to be refused whatever is bought with it, first reason first; null: nothing of that is in its way. */
const refusalAt = (state: MandateState, charged: Amount, at: string): Refusal | null => {
  const refusal = REFUSALS[statusAt(state, at)];
  if (refusal) return refusal;
  if (!CHARGE_SCOPES.every((scope) => state.scope.includes(scope)))
    return { reason: 'mandate_scope_insufficient', rule: 'scope', message: 'its scopes do not allow a charge' };
  if (charged.currency !== state.limit.currency)
    return { reason: 'currency_mismatch', rule: 'currency', message: `${charged.currency} is not its currency` };
  return null;
};

interface Refusal {
  /** As it is recorded. */
  readonly reason: string;
  /** What a reservation breaks that was made all the same. */
  readonly rule: string;
  readonly message: string;
}

const REFUSALS: Readonly<Record<string, Refusal>> = {
  revoked: { reason: 'mandate_revoked', rule: 'after-revocation', message: 'the mandate was revoked before' },
  expired: { reason: 'mandate_expired', rule: 'after-expiry', message: 'the mandate had expired' },
  requested: { reason: 'mandate_pending', rule: 'while-pending', message: 'the mandate was not granted yet' },
  paused: { reason: 'mandate_paused', rule: 'while-paused', message: 'the mandate was paused' },
};

/** Whether orders reserved and paid are as many as its constraint allows. */
const isOrderedOut = ({ constraints, paidOrders, reservations }: MandateState): boolean =>
  constraints['maxOrders'] !== undefined && paidOrders + reservations.size >= integer(constraints, 'maxOrders');

/** Money is set aside only while the mandate allows it, within its ceiling, once an order, and in time (rules 6 and 17). */
export const reserve = (state: MandateState, { data, metadata }: AuditedEvent, tell: Tell): void => {
  const at = metadata.occurredAt;
  const orderId = text(data, 'orderId');
  const charged = amount(data, 'amount');
  const holdBefore = instant(data, 'holdBefore');
  const refusal = refusalAt(state, charged, at);
  if (refusal) tell(refusal.rule, `reserved though ${refusal.message}`);
  const { clientId } = metadata.actor;
  if (clientId !== null && clientId !== state.clientId) tell('agent', `${clientId} is not the agent of this mandate`);
  if (state.reservations.has(orderId)) tell('reservation', `reserved twice for order ${orderId}`);
  else if (state.settled.has(orderId)) tell('fence', `reserved for order ${orderId}, which was settled before`);
  if (at > holdBefore) tell('fence', `reserved for order ${orderId} later than ${holdBefore}`);
  if (isOrderedOut(state)) tell('constraint', 'reserved for more orders than maxOrders');
  const remaining = state.limit.amount - state.consumed - state.reserved;
  if (charged.amount > remaining)
    tell('ceiling', `reserved ${shown(charged)} of ${shown({ ...state.limit, amount: Math.max(0, remaining) })} left`);
  state.reserved += charged.amount - (state.reservations.get(orderId)?.amount ?? 0);
  state.reservations.set(orderId, { amount: charged.amount, holdBefore });
};

/** What is captured is what was set aside, once, whatever the status is (rule 9). */
export const consume = (state: MandateState, data: Json, tell: Tell): void => {
  const orderId = text(data, 'orderId');
  const charged = amount(data, 'amount');
  const reservation = state.reservations.get(orderId);
  if (!reservation) tell('consumption', `consumed for order ${orderId}, for which nothing was reserved`);
  else if (reservation.amount !== charged.amount || charged.currency !== state.limit.currency)
    tell('consumption', `consumed ${shown(charged)}, and not what was reserved for order ${orderId}`);
  settle(state, orderId, reservation?.holdBefore ?? '');
  state.consumed += charged.amount;
  state.paidOrders += 1;
};

/** What comes back is what was set aside; an empty release is a fence, once an order (rule 6). */
export const release = (state: MandateState, data: Json, tell: Tell): void => {
  const orderId = text(data, 'orderId');
  const released = amount(data, 'amount');
  const held = state.reservations.get(orderId)?.amount ?? 0;
  if (released.amount !== held || released.currency !== state.limit.currency)
    tell('release', `released ${shown(released)} of ${shown({ ...state.limit, amount: held })} for order ${orderId}`);
  if (state.settled.has(orderId)) tell('release', `released for order ${orderId}, which was settled before`);
  settle(state, orderId, instant(data, 'holdBefore'));
};

const settle = (state: MandateState, orderId: string, until: string): void => {
  state.reserved -= state.reservations.get(orderId)?.amount ?? 0;
  state.reservations.delete(orderId);
  state.settled.set(orderId, until);
};

/** A refusal states the first reason that there was (docs/decisions.md, Order). */
export const refuse = (state: MandateState, data: Json, at: string, tell: Tell): void => {
  const charged = amount(data, 'amount');
  const reason = text(data, 'reason');
  const expected = refusalAt(state, charged, at);
  if (expected) {
    if (reason !== expected.reason) tell('refusal', `refused as ${reason}, and ${expected.message}`);
    return;
  }
  const remaining = { ...state.limit, amount: state.limit.amount - state.consumed - state.reserved };
  if (reason === 'mandate_constraint_violated') refuseByConstraint(state, text(data, 'constraint'), tell);
  else if (reason !== 'mandate_limit_exceeded') tell('refusal', `refused as ${reason}, and that was not so`);
  else if (charged.amount <= remaining.amount)
    tell('refusal', `refused ${shown(charged)} as ${reason} with ${shown(remaining)} left`);
  else if (isOrderedOut(state)) tell('refusal', `refused as ${reason}, and maxOrders was reached`);
};

const refuseByConstraint = (state: MandateState, constraint: string, tell: Tell): void => {
  const isThere = state.constraints[constraint] !== undefined;
  if (!isThere) tell('refusal', `refused by ${constraint}, and the mandate has no such constraint`);
  else if (constraint === 'maxOrders' && !isOrderedOut(state)) tell('refusal', 'refused by maxOrders below it');
};

/** What of a purchase a mandate may restrict, beside the number of orders. */
export interface Trip {
  readonly from: string;
  readonly to: string;
  /** Cents of one seat. */
  readonly unitPrice: number;
}

/** The first constraint that forbids a trip; null: none does. */
export const forbiddenBy = (constraints: Json, { from, to, unitPrice }: Trip): string | null => {
  if (constraints['from'] !== undefined && !texts(constraints, 'from').includes(from)) return 'from';
  if (constraints['to'] !== undefined && !texts(constraints, 'to').includes(to)) return 'to';
  if (constraints['maxPricePerSeat'] === undefined) return null;
  return unitPrice > amount(constraints, 'maxPricePerSeat').amount ? 'maxPricePerSeat' : null;
};
