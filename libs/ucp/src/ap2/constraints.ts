import { CURRENCIES, type Currency, type Money } from '#kernel';
import type {
  CheckoutConstraint,
  ClosedPayment,
  ConstraintOf,
  Merchant,
  PaymentConstraint,
} from './mandate-content.js';

/** What a checkout contains, for the constraints on it. */
export interface Item {
  readonly id: string;
  readonly quantity: number;
}

/** Whether both are one merchant: by `id` where both have it, otherwise by name and website (as the reference implementation). */
export const isMerchant = (one: Merchant, other: Merchant): boolean => {
  if (one.id !== undefined && other.id !== undefined) return one.id === other.id;
  return one.name === other.name && one.website !== undefined && one.website === other.website;
};

/** Whether a constraint on the checkout holds. */
export const holdsForCheckout = (constraint: CheckoutConstraint, us: Merchant, items: readonly Item[]): boolean =>
  constraint.type === 'checkout.allowed_merchants'
    ? constraint.allowed.some((each) => isMerchant(each, us))
    : areTheItems(constraint.items, items);

type Requirement = Extract<CheckoutConstraint, { type: 'checkout.line_items' }>['items'][number];

/** Whether each requirement gets as many of its items as it wants, and no item is left over (AP2 0.2, Line Items): a matching of units. */
const areTheItems = (requirements: readonly Requirement[], items: readonly Item[]): boolean => {
  const wanted = requirements.flatMap((each) => Array<Requirement>(each.quantity).fill(each));
  const units = items.flatMap(({ id, quantity }) => Array<string>(quantity).fill(id));
  if (wanted.length !== units.length) return false;
  const takenBy: number[] = [];
  const place = (want: number, tried: Set<number>): boolean =>
    units.some((id, unit) => {
      if (tried.has(unit) || !wanted[want]?.acceptable_items.some((each) => each.id === id)) return false;
      tried.add(unit);
      const holder = takenBy[unit];
      if (holder !== undefined && !place(holder, tried)) return false;
      takenBy[unit] = want;
      return true;
    });
  return wanted.every((_, want) => place(want, new Set()));
};

export interface PaymentFacts {
  readonly us: Merchant;
  readonly now: Date;
  /** The digests of the open checkout mandates behind the same purchase. */
  readonly openCheckouts: readonly string[];
}

const DAY = 86_400_000;

/** The currency, if it is one of ours, all of which have cents. */
export const currencyOf = (code: string): Currency | null => CURRENCIES.find((each) => each === code) ?? null;

/** A budget in cents; null where it is in no currency of ours, or not in whole cents. */
export const budgetOf = ({ max, currency: code }: ConstraintOf<'payment.budget'>): Money | null => {
  const currency = currencyOf(code);
  const amount = Math.round(max * 100);
  // A number with decimals is not exact: a thousandth of a cent is none.
  return currency && Number.isSafeInteger(amount) && Math.abs(amount - max * 100) < 0.001 ? { amount, currency } : null;
};

/** The last millisecond of a date, or the moment that it names. */
const endOfDate = (text: string) => Date.parse(text) + (text.includes('T') ? 0 : DAY - 1);

/** Whether a constraint on the payment holds (AP2 0.2, Payment Mandate Constraints). What is used up, the mandate of ours counts. */
export const holdsForPayment = (
  constraint: PaymentConstraint,
  closed: ClosedPayment,
  { us, now, openCheckouts }: PaymentFacts,
): boolean => {
  const { amount, currency } = closed.payment_amount;
  switch (constraint.type) {
    case 'payment.amount_range':
      return currency === constraint.currency && amount <= constraint.max && amount >= (constraint.min ?? 0);
    case 'payment.budget': {
      const budget = budgetOf(constraint);
      return budget !== null && budget.currency === currency && amount <= budget.amount;
    }
    case 'payment.agent_recurrence':
      return true;
    case 'payment.allowed_payees':
      return constraint.allowed.some((each) => isMerchant(each, closed.payee) && isMerchant(each, us));
    case 'payment.allowed_payment_instruments': {
      const { id, type } = closed.payment_instrument;
      return constraint.allowed.some((each) => each.id === id && each.type === type);
    }
    case 'payment.allowed_pisps':
      return false; // nobody initiates payments for us
    case 'payment.execution_date':
      // It is paid at once, whatever day the closed mandate names.
      return (
        Date.parse(constraint.not_before ?? '1970-01-01') <= now.getTime() &&
        now.getTime() <= endOfDate(constraint.not_after ?? '9999-12-31')
      );
    case 'payment.reference':
      return openCheckouts.includes(constraint.conditional_transaction_id);
  }
};
