import type { Buses, IdempotentOperation, RequestContext } from '#http';
import { DomainError } from '#kernel';
import { GetOrder } from './get-order.query.js';
import type { PlaceOrderDto } from './order.dto.js';
import { OrderToComplete } from './order-to-complete.query.js';
import type { OrderView } from './order.view.js';
import { PlaceOrder } from './place-order.command.js';

/** How an order is placed, whichever door its agent came through (docs/interface.md, endpoint 10). */
export const orderOperation = (
  { commands, queries }: Buses,
  { bookingId, mandateId, buyer, payment, expectedTotal }: PlaceOrderDto,
  { caller, context, urls }: RequestContext,
): IdempotentOperation<OrderView> => {
  const request = { bookingId, mandateId, buyer, card: payment, expectedTotal };
  return {
    start: (id) => commands.execute(new PlaceOrder(id, caller, request, urls, context)),
    find: async (id) => ended(await queries.execute(new GetOrder(id, caller.holder, urls))),
    completes: () => queries.execute(new OrderToComplete(caller, request)),
  };
};

/** How an order ended: paid, or with a refusal; null while it is open. */
const ended = (order: OrderView): OrderView | DomainError | null => {
  if (order.status === 'paid') return order;
  return order.failure ? new DomainError(order.failure) : null;
};
