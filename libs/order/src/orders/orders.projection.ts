import type { Projection } from '#read-models';
import { orderDecider, orders, type PlacedOrder } from '../order.decider.js';

/** An order in its holder's list, with what the list is searched and sorted by. */
export type OrderListItem = PlacedOrder & { readonly holder: string };

/** The orders of each holder, by the time they were placed. */
export const ordersProjection: Projection<OrderListItem, readonly [typeof orders]> = {
  name: 'orders',
  version: 1,
  from: [orders],
  indexes: [{ fields: ['holder', 'placedAt'] }, { fields: ['kind'] }],
  documentsOf: ({ id }) => [id],
  evolve: (item, event) => {
    const order = orderDecider.evolve(item ?? { kind: 'none' }, event);
    return order.kind === 'none' ? null : { ...order, holder: order.checkout.holder };
  },
};
