import type { ReadModelStore } from '#documents';
import { CURRENCIES, type Instant, type Money, money, sumOfEach } from '#kernel';
import { listed } from '../recovery/work-list.js';
import { monthKey, type MonthOfHolder, type OrderListItem } from './orders.projection.js';

/** What a holder was charged since the month began in Brasília, as the lists have it. */
export interface SpentInMonth {
  /** An instant of that month. */
  readonly at: Instant;
  /** One amount a currency in which anything was charged, reais first. */
  readonly spent: readonly Money[];
  /** Orders that were paid. */
  readonly orders: number;
}

/** What was charged to a holder in the month that an instant is in, by a collection of orders. */
export const spentInMonth = async (
  store: ReadModelStore,
  collection: string,
  { holder, at }: { readonly holder: string; readonly at: Instant },
): Promise<SpentInMonth> => {
  const key = monthKey(holder, at);
  const [stored] = await store.getGuarded(collection, [key]);
  // The projection alone writes this collection.
  const month = stored?.body as MonthOfHolder | null | undefined;
  const charged = CURRENCIES.flatMap((currency): readonly Money[] => {
    const amount = month?.spent[currency];
    return amount === undefined ? [] : [money(amount, currency)];
  });
  let orders = month?.orders ?? 0;
  for await (const { body } of listed<OrderListItem>(store, collection, { field: 'apart', equals: key })) {
    if (body.kind !== 'paid') continue;
    charged.push(body.payment.amount);
    orders += 1;
  }
  return { at, spent: sumOfEach(charged), orders };
};
