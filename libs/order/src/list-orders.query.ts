import { Query } from '@nestjs/cqrs';
import type { BaseUrls } from '#http';
import type { ListPage } from '#read-models';
import type { OrderStatus, OrderView } from './order.view.js';

/** The holder's orders of every client, newest first. `status` undefined: all of them. */
export class ListOrders extends Query<ListPage<OrderView>> {
  constructor(
    readonly holder: string,
    readonly status: OrderStatus | undefined,
    readonly page: { readonly limit: number; readonly cursor: string | undefined },
    readonly urls: BaseUrls,
  ) {
    super();
  }
}
