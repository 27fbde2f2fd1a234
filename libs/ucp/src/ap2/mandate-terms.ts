import type { Constraints } from '#events';
import { type Currency, money, type Money } from '#kernel';
import { MAX_LIMIT } from '#mandate';
import { mismatch } from './ap2-error.js';
import { budgetOf, currencyOf } from './constraints.js';
import type { ConstraintOf, PaymentConstraint } from './mandate-content.js';
import type { OpenPermission } from './verify-mandates.js';

/** The terms of the mandate of ours that stands for an open one of AP2. */
export interface MandateTerms {
  readonly limit: Money;
  readonly expiresAt: Date;
  readonly constraints: Constraints;
}

/** The longest that an open mandate is honoured, from when it was signed: what agents may be granted at once, too. */
const SEVEN_DAYS = 7 * 86_400_000;

const only = <T extends PaymentConstraint['type']>(constraints: readonly PaymentConstraint[], type: T) => {
  const [one, ...others] = constraints.filter((each): each is ConstraintOf<T> => each.type === type);
  if (others.length) throw mismatch(`Ele tem ${type} mais de uma vez.`);
  return one ?? null;
};

/**
 * Our terms for an open payment mandate. Whoever signed it said how much it may cost at most, which checkout mandate it belongs to,
 * and when it ends or began: without any of these nothing here stands for it. Without a recurrence it is for one order.
 * @throws Ap2Error `mandate_scope_mismatch`
 */
export const termsOf = ({ constraints, issuedAt, endsAt }: Omit<OpenPermission, 'id'>, now: Date): MandateTerms => {
  const range = rangeOf(only(constraints, 'payment.amount_range'));
  const budget = limitOf(only(constraints, 'payment.budget'));
  const recurrence = only(constraints, 'payment.agent_recurrence');
  if (!only(constraints, 'payment.reference')) throw mismatch('Falta a restrição payment.reference.');
  if (recurrence && !(budget && range)) throw mismatch('A recorrência exige payment.budget e payment.amount_range.');
  const limit = budget ?? range?.max;
  if (!limit?.amount) throw mismatch('Falta um teto: payment.budget ou payment.amount_range.');
  if (range && range.max.currency !== limit.currency) throw mismatch('O teto e o valor estão em moedas diferentes.');
  const orders = recurrence ? ordersOf(recurrence) : 1;
  return {
    limit,
    expiresAt: new Date(endOf({ issuedAt, endsAt }, now)),
    constraints: { ...(orders !== null && { maxOrders: orders }), ...(range && { orderTotal: range }) },
  };
};

/** How many orders within seven days; null: as many as the budget pays. A day between two of them is nothing that our mandates know. */
const ordersOf = ({ frequency, max_occurrences: most }: ConstraintOf<'payment.agent_recurrence'>) =>
  frequency === 'ON_DEMAND' ? (most ?? null) : 1;

/** As much as that, or what a mandate of ours may have at most. */
const atMost = (amount: number, currency: Currency): Money => money(Math.min(amount, MAX_LIMIT), currency);

const limitOf = (constraint: ConstraintOf<'payment.budget'> | null): Money | null => {
  if (!constraint) return null;
  const budget = budgetOf(constraint);
  if (!budget) throw mismatch('O orçamento não está em centavos inteiros de uma moeda aceita.');
  return atMost(budget.amount, budget.currency);
};

const rangeOf = (constraint: ConstraintOf<'payment.amount_range'> | null) => {
  if (!constraint) return null;
  const currency = currencyOf(constraint.currency);
  if (!currency) throw mismatch('O valor não está em uma moeda aceita.');
  const { min = 0, max } = constraint;
  return { ...(min > 0 && { min: money(min, currency) }), max: atMost(max, currency) };
};

/** Seven days from when it was signed, if it says; one that does not has to end by itself by then. */
const endOf = ({ issuedAt, endsAt }: Pick<OpenPermission, 'issuedAt' | 'endsAt'>, now: Date): number => {
  if (issuedAt !== null) {
    const end = Math.min(endsAt ?? Infinity, issuedAt + SEVEN_DAYS, now.getTime() + SEVEN_DAYS);
    if (end <= now.getTime()) throw mismatch('Ele foi assinado há mais de sete dias.');
    return end;
  }
  if (endsAt === null || endsAt > now.getTime() + SEVEN_DAYS) throw mismatch('Ele vale por mais de sete dias.');
  return endsAt;
};
