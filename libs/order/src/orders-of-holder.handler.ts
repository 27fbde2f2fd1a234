import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ReadModelStore } from '#documents';
import { listPage, ReadModels } from '#read-models';
import { type OrderListItem, ordersProjection } from './orders.projection.js';
import { OrdersOfHolder } from './orders-of-holder.query.js';

@QueryHandler(OrdersOfHolder)
export class OrdersOfHolderHandler implements IQueryHandler<OrdersOfHolder> {
  constructor(
    private readonly store: ReadModelStore,
    private readonly readModels: ReadModels,
  ) {}

  execute({ holder, page }: OrdersOfHolder) {
    return listPage<OrderListItem>(this.store, this.readModels.collectionOf(ordersProjection), {
      where: [{ field: 'holder', equals: holder }],
      sort: { field: 'placedAt', direction: 'descending' },
      ...page,
    });
  }
}
