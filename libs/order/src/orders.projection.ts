import { idOf, type OrderEvent } from '#events';
import type { Projection, RecordedEvent } from '#read-models';
import { orderDecider } from './order.decider.js';
import type { PlacedOrder } from './order.state.js';

/** An order in its holder's list, with what the list is searched and sorted by. */
export type OrderListItem = PlacedOrder & { readonly holder: string };

/** The orders of each holder, by the time they were placed. */
export const ordersProjection: Projection<OrderListItem> = {
  name: 'orders',
  version: 1,
  categories: ['order'],
  indexes: [{ fields: ['holder', 'placedAt'] }, { fields: ['kind'] }],
  documentsOf: ({ stream }) => [idOf(stream)],
  evolve: (item, event) => {
    if (!isOrderEvent(event)) return item;
    const order = orderDecider.evolve(item ?? { kind: 'none' }, event);
    return order.kind === 'none' ? null : { ...order, holder: order.checkout.holder };
  },
};

export const isOrderEvent = (event: RecordedEvent): event is RecordedEvent & OrderEvent =>
  event.type.startsWith('Order') || event.type === 'PaymentChallenged';
