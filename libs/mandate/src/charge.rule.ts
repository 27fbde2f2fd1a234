import {
  CHARGE_SCOPES,
  covers,
  DomainError,
  type ErrorCode,
  type Instant,
  type Money,
  type Party,
  PAYMENT_SCOPES,
} from '#kernel';
import type { Constraints, Line } from '#events';
import { type GrantedMandate, type Mandate, remainingOf, statusOf } from './mandate.state.js';

/** What of a purchase a mandate may restrict, the airports of its flight and the price of one seat, and which flight it is. */
export type Purchase = Pick<Line, 'flightNumber' | 'from' | 'to' | 'unitPrice'>;

export type ConstraintName = keyof Constraints;

/** The first constraint that forbids this flight, its price or what all of it costs, whatever else is bought; null where none does. */
export const forbiddenBy = (
  { constraints }: GrantedMandate,
  { from, to, unitPrice }: Omit<Purchase, 'flightNumber'>,
  total: Money,
): ConstraintName | null => {
  if (constraints.from && !constraints.from.includes(from)) return 'from';
  if (constraints.to && !constraints.to.includes(to)) return 'to';
  const { maxPricePerSeat, orderTotal } = constraints;
  if (maxPricePerSeat && unitPrice.amount > maxPricePerSeat.amount) return 'maxPricePerSeat';
  if (!orderTotal) return null;
  const { min, max } = orderTotal;
  return total.amount > max.amount || total.amount < (min?.amount ?? 0) ? 'orderTotal' : null;
};

/** Whether the mandate admits no further order: those that reserved money count like those that were paid. */
export const isOrderedOut = ({ constraints: { maxOrders }, paidOrders, reservations }: GrantedMandate): boolean =>
  maxOrders !== undefined && paidOrders + reservations.length >= maxOrders;

/** The first constraint that a purchase violates now; null: none (docs/decisions.md, Mandate). */
export const violatedConstraint = (mandate: GrantedMandate, purchase: Purchase, total: Money): ConstraintName | null =>
  forbiddenBy(mandate, purchase, total) ?? (isOrderedOut(mandate) ? 'maxOrders' : null);

export interface Charge {
  readonly holder: string;
  readonly clientId: string;
  readonly bookingId: string;
  readonly amount: Money;
  readonly purchase: Purchase;
  /** Whether mandates of AP2 authorize the order; absent: none do. */
  readonly ap2?: true | undefined;
}

/** The mandate, if this agent may spend from it. @throws DomainError `invalid_mandate`, `mandate_client_mismatch` */
export const spendable = (mandate: Mandate, { holder, clientId }: Party): GrantedMandate => {
  if (mandate.kind !== 'granted' || mandate.holder !== holder) throw new DomainError('invalid_mandate');
  if (mandate.clientId !== clientId) throw new DomainError('mandate_client_mismatch');
  return mandate;
};

/** Why a mandate does not allow a charge, first reason wins (docs/decisions.md, Order); null where it does. */
export const chargeRefusal = (
  mandate: GrantedMandate,
  { amount, purchase, ap2 }: Pick<Charge, 'amount' | 'purchase' | 'ap2'>,
  now: Instant,
): Omit<ChargeRefusal, 'amount'> | null => {
  const status = statusOf(mandate, now);
  if (status === 'revoked') return { reason: 'mandate_revoked' };
  if (status === 'expired') return { reason: 'mandate_expired' };
  if (status === 'pending' || status === 'paused') return { reason: `mandate_${status}` };
  if (!covers(mandate.scope, ap2 ? PAYMENT_SCOPES : CHARGE_SCOPES)) return { reason: 'mandate_scope_insufficient' };
  if (mandate.limit.currency !== amount.currency) return { reason: 'currency_mismatch' };
  const constraint = violatedConstraint(mandate, purchase, amount);
  if (constraint) return { reason: 'mandate_constraint_violated', constraint };
  return amount.amount > remainingOf(mandate).amount ? { reason: 'mandate_limit_exceeded' } : null;
};

export interface ChargeRefusal {
  readonly reason: ErrorCode;
  readonly constraint?: ConstraintName | undefined;
  readonly amount: Money;
}

/** The refusal an agent is answered: over the ceiling it learns what remains, which constraint is in its way, and that all agents are paused. */
export const refusedCharge = (
  { reason, constraint, amount: required }: ChargeRefusal,
  mandate: GrantedMandate,
): DomainError => {
  if (reason === 'mandate_limit_exceeded')
    return new DomainError(reason, { required, remaining: remainingOf(mandate) });
  if (reason === 'mandate_paused' && mandate.pauseOfAll?.isOn) return new DomainError(reason, { allAgents: true });
  if (constraint) return new DomainError(reason, { constraint, value: mandate.constraints[constraint] });
  return new DomainError(reason);
};
