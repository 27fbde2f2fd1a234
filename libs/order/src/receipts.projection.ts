import type { Projection } from '#read-models';
import { orderDecider, orders } from './order.decider.js';
import type { PlacedOrder } from './order.state.js';

/** The receipts: each of them complete once its order is paid, and unchanged from then on. A failed order has none. */
export const receiptsProjection: Projection<PlacedOrder, readonly [typeof orders]> = {
  name: 'receipts',
  version: 1,
  from: [orders],
  indexes: [],
  documentsOf: ({ id }) => [id],
  evolve: (receipt, event) => {
    const order = orderDecider.evolve(receipt ?? { kind: 'none' }, event);
    return order.kind === 'pending' || order.kind === 'paid' ? order : null;
  },
};
