import { idOf } from '#events';
import type { Projection } from '#read-models';
import { orderDecider } from './order.decider.js';
import type { PlacedOrder } from './order.state.js';
import { isOrderEvent } from './orders.projection.js';

/** The receipts: each of them complete once its order is paid, and unchanged from then on. A failed order has none. */
export const receiptsProjection: Projection<PlacedOrder> = {
  name: 'receipts',
  version: 1,
  categories: ['order'],
  indexes: [],
  documentsOf: ({ stream }) => [idOf(stream)],
  evolve: (receipt, event) => {
    if (!isOrderEvent(event)) return receipt;
    const order = orderDecider.evolve(receipt ?? { kind: 'none' }, event);
    return order.kind === 'pending' || order.kind === 'paid' ? order : null;
  },
};
