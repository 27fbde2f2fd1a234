import type { Buses, IdempotentOperation, RequestContext } from '#http';
import { DomainError, type ErrorCode } from '#kernel';
import { GetOrder } from './get-order.query.js';
import type { PlaceOrderDto } from './order.dto.js';
import { OrderToComplete } from './order-to-complete.query.js';
import type { OrderView } from './order.view.js';
import { PlaceOrder } from './place-order.command.js';

/** How an order is placed, whichever channel its agent uses (docs/interface.md, endpoint 10). */
export const orderOperation = (
  { commands, queries }: Buses,
  { bookingId, mandateId, buyer, payment, expectedTotal }: PlaceOrderDto,
  { caller, context, urls }: RequestContext,
): IdempotentOperation<OrderView> => {
  const request = { bookingId, mandateId, buyer, card: payment, expectedTotal };
  return {
    start: (id) => commands.execute(new PlaceOrder(id, caller, request, urls, context)),
    find: async (id) => ended(await queries.execute(new GetOrder(id, caller.holder, urls))),
    isAbout: (error, id) => OF_AN_ORDER.includes(error.code) && orderIn(error) === id,
    completes: () => queries.execute(new OrderToComplete(caller, request)),
  };
};

/** How an order ended: paid, or with a refusal; null while it is open. */
const ended = (order: OrderView): OrderView | DomainError | null => {
  if (order.status === 'paid') return order;
  return order.failure ? new DomainError(order.failure) : null;
};

/** Refusals of a booking because of an order, which they name. */
const OF_AN_ORDER: readonly ErrorCode[] = ['order_in_progress', 'booking_already_ordered'];

/** Id of the order that an error names; undefined if it names none. */
const orderIn = ({ members = {} }: DomainError): unknown => {
  const order: unknown = 'order' in members ? members.order : undefined;
  return typeof order === 'object' && order !== null && 'id' in order ? order.id : undefined;
};
