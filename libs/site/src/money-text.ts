import type { Currency, Money } from '#kernel';

const formats = new Map<Currency, Intl.NumberFormat>();

/** An amount as a page shows it: `R$ 1.234,50`. The space does not break. */
export const moneyText = ({ amount, currency }: Money): string => {
  const format = formats.get(currency) ?? new Intl.NumberFormat('pt-BR', { style: 'currency', currency });
  formats.set(currency, format);
  return format.format(amount / 100);
};
