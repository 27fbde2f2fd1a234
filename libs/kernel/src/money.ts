/** The currencies a mandate may be granted in (docs/decisions.md, Mandate). */
export const CURRENCIES = ['BRL', 'USD', 'EUR'] as const;
/** ISO 4217 code of an accepted currency. */
export type Currency = (typeof CURRENCIES)[number];

/** An amount in integer cents with its currency (docs/interface.md, Money). */
export interface Money {
  readonly amount: number;
  readonly currency: Currency;
}

/** `amount` cents of `currency`. */
export const money = (amount: number, currency: Currency): Money => ({ amount, currency });

/** Whether two amounts are the same in value and currency. */
export const sameMoney = (one: Money, other: Money): boolean =>
  one.amount === other.amount && one.currency === other.currency;
