import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Aggregates } from '#event-store';
import { DomainError } from '#kernel';
import { loadOrder } from './load-order.js';
import { OrderOfHolder } from './order-of-holder.query.js';

/** @throws DomainError `order_not_found` for an unknown order and another holder's */
@QueryHandler(OrderOfHolder)
export class OrderOfHolderHandler implements IQueryHandler<OrderOfHolder> {
  constructor(private readonly aggregates: Aggregates) {}

  async execute({ orderId, holder }: OrderOfHolder) {
    const order = await loadOrder(this.aggregates, orderId, holder);
    if (!order) throw new DomainError('order_not_found');
    return order;
  }
}
