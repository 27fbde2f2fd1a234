import { type Currency, type ErrorCode, type Money, money } from '#kernel';
import type { Movement } from '../movements/movements.js';

interface Sum {
  readonly sum: Money;
  readonly count: number;
}

/** What was charged, came back and was refused of the purchases of a month, by currency. */
export interface MonthSums {
  readonly month: string;
  readonly charged: readonly Sum[];
  /** Of these purchases, whenever it came back. */
  readonly refunded: readonly Sum[];
  readonly refused: readonly (Sum & { readonly reason: ErrorCode })[];
}

/** Sums by currency, in the order in which they began. */
class Sums {
  private readonly sums = new Map<Currency, Sum>();

  add({ amount, currency }: Money): void {
    const known = this.sums.get(currency);
    const sum = money((known?.sum.amount ?? 0) + amount, currency);
    this.sums.set(currency, { sum, count: (known?.count ?? 0) + 1 });
  }

  all(): readonly Sum[] {
    return [...this.sums.values()];
  }
}

/** Adds up the movements of a month, however many there are; only the sums are kept. */
export const monthSums = async (month: string, movements: AsyncIterable<Movement>): Promise<MonthSums> => {
  const [charged, refunded] = [new Sums(), new Sums()];
  const refused = new Map<ErrorCode, Sums>();
  for await (const { amount, refund, reason } of movements) {
    if (reason === null) charged.add(amount);
    else {
      const sums = refused.get(reason) ?? new Sums();
      sums.add(amount);
      refused.set(reason, sums);
    }
    if (refund && refund.amount > 0) refunded.add(refund);
  }
  const reasons = [...refused].flatMap(([reason, sums]) => sums.all().map((one) => ({ ...one, reason })));
  return { month, charged: charged.all(), refunded: refunded.all(), refused: reasons };
};
