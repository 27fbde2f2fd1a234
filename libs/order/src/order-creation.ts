import type { Asker, Buses, Creation } from '#http';
import { Refusal } from '#kernel';
import { GetOrder } from './get-order.query.js';
import type { PlaceOrderDto } from './order.dto.js';
import { OrderToComplete } from './order-to-complete.query.js';
import type { OrderView } from './order.view.js';
import { PlaceOrder } from './place-order.command.js';

/** How an order is placed, whichever door its agent came through (interface.md, endpoint 10). */
export const orderCreation = (
  { commands, queries }: Buses,
  { bookingId, mandateId, buyer, payment, expectedTotal }: PlaceOrderDto,
  { caller, context, links }: Asker,
): Creation<OrderView> => {
  const wish = { bookingId, mandateId, buyer, card: payment, expectedTotal };
  return {
    start: (id) => commands.execute(new PlaceOrder(id, caller, wish, links, context)),
    find: async (id) => ended(await queries.execute(new GetOrder(id, caller.holder, links))),
    completes: () => queries.execute(new OrderToComplete(caller, wish)),
  };
};

/** How an order ended: paid, or with a refusal; null while it is open. */
const ended = (order: OrderView): OrderView | Refusal | null => {
  if (order.status === 'paid') return order;
  return order.failure ? new Refusal(order.failure) : null;
};
