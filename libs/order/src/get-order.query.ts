import { Query } from '@nestjs/cqrs';
import type { BaseUrls } from '#http';
import type { OrderView } from './order.view.js';

/** An order by id, for any client of its holder. */
export class GetOrder extends Query<OrderView> {
  constructor(
    readonly orderId: string,
    readonly holder: string,
    readonly urls: BaseUrls,
  ) {
    super();
  }
}
