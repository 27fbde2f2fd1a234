import { Query } from '@nestjs/cqrs';
import type { Links } from '#http';
import type { OrderView } from './order.view.js';

/** An order by id, for any client of its holder. */
export class GetOrder extends Query<OrderView> {
  constructor(
    readonly orderId: string,
    readonly holder: string,
    readonly links: Links,
  ) {
    super();
  }
}
