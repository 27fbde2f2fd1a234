import type { Constraints, Line } from '#events';
import type { GrantedMandate } from './mandate.state.js';

/** What of a purchase a mandate may restrict, the airports of its flight and the price of one seat, and which flight it is. */
export type Purchase = Pick<Line, 'flightNumber' | 'from' | 'to' | 'unitPrice'>;

/** A constraint by its name. */
export type ConstraintName = keyof Constraints;

/** The first constraint that forbids this flight or its price, whatever else is bought; null where none does. */
export const forbiddenBy = (
  { constraints }: GrantedMandate,
  { from, to, unitPrice }: Omit<Purchase, 'flightNumber'>,
): ConstraintName | null => {
  if (constraints.from && !constraints.from.includes(from)) return 'from';
  if (constraints.to && !constraints.to.includes(to)) return 'to';
  const { maxPricePerSeat } = constraints;
  return maxPricePerSeat && unitPrice.amount > maxPricePerSeat.amount ? 'maxPricePerSeat' : null;
};

/** Whether the mandate admits no further order: those that reserved money count like those that were paid. */
export const isOrderedOut = ({ constraints: { maxOrders }, paidOrders, reservations }: GrantedMandate): boolean =>
  maxOrders !== undefined && paidOrders + reservations.length >= maxOrders;

/** The first constraint that a purchase violates now; null: none (docs/decisions.md, Mandate). */
export const violatedConstraint = (mandate: GrantedMandate, purchase: Purchase): ConstraintName | null =>
  forbiddenBy(mandate, purchase) ?? (isOrderedOut(mandate) ? 'maxOrders' : null);
