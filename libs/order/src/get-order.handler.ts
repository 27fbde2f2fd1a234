import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Aggregates } from '#event-store';
import { DomainError } from '#kernel';
import { GetOrder } from './get-order.query.js';
import { loadOrder } from './load-order.js';
import { orderView } from './order.view.js';

/** Folds the stream, so that a writer reads its own writes (docs/consistency.md, rule 25). */
@QueryHandler(GetOrder)
export class GetOrderHandler implements IQueryHandler<GetOrder> {
  constructor(private readonly aggregates: Aggregates) {}

  async execute({ orderId, holder, urls }: GetOrder) {
    const order = await loadOrder(this.aggregates, orderId, holder);
    if (!order) throw new DomainError('order_not_found');
    return orderView(order, urls);
  }
}
