import { type Currency, type Instant, type Money, plus } from '#kernel';
import type { Projection } from '#read-models';
import { isCharged, orderDecider, orders, type PlacedOrder } from '../order.decider.js';

/** An order in its holder's list, with what the list is searched and sorted by. */
export type OrderListItem = PlacedOrder & {
  readonly holder: string;
  /** Key of the month in which it was charged, where the sum of that month does not hold it. */
  readonly apart?: string;
};

/** What was charged to one holder in one month: cents by currency, and the number of orders. Its id is a `monthKey`. */
export interface MonthOfHolder {
  readonly kind: 'month';
  readonly spent: Readonly<Partial<Record<Currency, number>>>;
  readonly orders: number;
  /** What came back in it; absent: nothing. */
  readonly refunded?: Readonly<Partial<Record<Currency, number>>>;
}

/** Milliseconds that Brasília is behind UTC; there has been no summer time since 2019. */
const BEHIND_UTC = 3 * 3_600_000;

/** What the charges of this holder's month are counted under: the month in Brasília that the instant is in. */
export const monthKey = (holder: string, at: Instant): string => `${plus(at, -BEHIND_UTC).slice(0, 7)} ${holder}`;

/** A holder's orders and months. A payment of before that recovery recorded names no holder: it stays apart, with its order. */
export const ordersProjection: Projection<OrderListItem | MonthOfHolder, readonly [typeof orders]> = {
  name: 'orders',
  version: 11,
  from: [orders],
  // Auditors list everybody's by time. `kind` only narrows: an index that began with it would tempt a store to read by it.
  indexes: [
    { fields: ['holder', 'placedAt'] },
    { fields: ['placedAt'] },
    { fields: ['apart', 'kind'] },
    { fields: ['ticketCode'] },
  ],
  documentsOf: (event) => {
    const { id, party } = event;
    if (event.type === 'OrderPaid' && party) return [id, monthKey(party.holder, event.data.payment.capturedAt)];
    if (event.type === 'OrderCancelled' && party) return [id, monthKey(party.holder, event.data.refundedAt)];
    return [id];
  },
  evolve: (document, event, id) => {
    if (id !== event.id) {
      const month = document?.kind === 'month' ? document : null;
      if (event.type === 'OrderPaid') return withCharge(month, event.data.payment.amount);
      return event.type === 'OrderCancelled' ? withRefund(month, event.data.refund) : month;
    }
    const order = orderDecider.evolve(document && document.kind !== 'month' ? document : { kind: 'none' }, event);
    if (order.kind === 'none') return null;
    const { holder } = order.checkout;
    const wasApart = document && 'apart' in document;
    const isApart = isCharged(order) && (wasApart || (event.type === 'OrderPaid' && !event.party));
    return { ...order, holder, ...(isApart && { apart: monthKey(holder, order.payment.capturedAt) }) };
  },
};

const withCharge = (month: MonthOfHolder | null, { amount, currency }: Money): MonthOfHolder => ({
  kind: 'month',
  spent: { ...month?.spent, [currency]: (month?.spent[currency] ?? 0) + amount },
  orders: (month?.orders ?? 0) + 1,
  ...(month?.refunded && { refunded: month.refunded }),
});

const withRefund = (month: MonthOfHolder | null, { amount, currency }: Money): MonthOfHolder => ({
  kind: 'month',
  spent: month?.spent ?? {},
  orders: month?.orders ?? 0,
  refunded: { ...month?.refunded, [currency]: (month?.refunded?.[currency] ?? 0) + amount },
});
