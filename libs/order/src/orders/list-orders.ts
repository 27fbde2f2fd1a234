import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type Condition, ReadModelStore } from '#documents';
import { type ListPage, listPage, type Period, ReadModels, within } from '#read-models';
import type { PlacedOrder } from '../order.decider.js';
import type { OrderStatus } from '../order.view.js';
import { type OrderListItem, ordersProjection } from './orders.projection.js';

/** The holder's orders, by whatever agent they were placed, newest first. `status` undefined: all of them. `created`: only what was created then. */
export class ListOrders extends Query<ListPage<PlacedOrder & { readonly id: string }>> {
  constructor(
    readonly holder: string,
    readonly status: OrderStatus | undefined,
    readonly page: { readonly limit: number; readonly cursor: string | undefined },
    readonly created: Period = {},
  ) {
    super();
  }
}

@QueryHandler(ListOrders)
export class ListOrdersHandler implements IQueryHandler<ListOrders> {
  constructor(
    private readonly store: ReadModelStore,
    private readonly readModels: ReadModels,
  ) {}

  execute({ holder, status, page, created }: ListOrders) {
    const asked: readonly Condition[] = [{ field: 'holder', equals: holder }, ...within('placedAt', created)];
    return listPage<OrderListItem>(this.store, this.readModels.collectionOf(ordersProjection), {
      where: status ? [...asked, { field: 'kind', equals: status }] : asked,
      sort: { field: 'placedAt', direction: 'descending' },
      ...page,
    });
  }
}
