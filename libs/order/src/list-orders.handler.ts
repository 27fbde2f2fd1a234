import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { type Condition, ReadModelStore } from '#documents';
import { listPage, ReadModels } from '#read-models';
import { ListOrders } from './list-orders.query.js';
import { orderView } from './order.view.js';
import { type OrderListItem, ordersProjection } from './orders.projection.js';

@QueryHandler(ListOrders)
export class ListOrdersHandler implements IQueryHandler<ListOrders> {
  constructor(
    private readonly store: ReadModelStore,
    private readonly readModels: ReadModels,
  ) {}

  async execute({ holder, status, page, urls }: ListOrders) {
    const ofHolder: Condition = { field: 'holder', equals: holder };
    const { items, ...rest } = await listPage<OrderListItem>(
      this.store,
      this.readModels.collectionOf(ordersProjection),
      {
        where: status ? [ofHolder, { field: 'kind', equals: status }] : [ofHolder],
        sort: { field: 'placedAt', direction: 'descending' },
        ...page,
      },
    );
    return { ...rest, items: items.map((item) => orderView(item, urls)) };
  }
}
