/** The currencies a mandate may be granted in (docs/decisions.md, Mandate). */
export const CURRENCIES = ['BRL', 'USD', 'EUR'] as const;
/** ISO 4217 code of an accepted currency. */
export type Currency = (typeof CURRENCIES)[number];

/** An amount in integer cents with its currency (docs/interface.md, Money). */
export interface Money {
  readonly amount: number;
  readonly currency: Currency;
}

export const money = (amount: number, currency: Currency): Money => ({ amount, currency });

/** One sum a currency of these amounts, reais first. */
export const sumOfEach = (amounts: readonly Money[]): readonly Money[] =>
  CURRENCIES.flatMap((currency) => {
    const ofCurrency = amounts.filter((one) => one.currency === currency);
    return ofCurrency.length === 0
      ? []
      : [
          money(
            ofCurrency.reduce((sum, { amount }) => sum + amount, 0),
            currency,
          ),
        ];
  });

export const sameMoney = (one: Money, other: Money): boolean =>
  one.amount === other.amount && one.currency === other.currency;
