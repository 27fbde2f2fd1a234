import { Query } from '@nestjs/cqrs';
import type { PlacedOrder } from './order.state.js';

/** An order as its stream has it now, for its holder's own pages. */
export class OrderOfHolder extends Query<PlacedOrder> {
  constructor(
    readonly orderId: string,
    readonly holder: string,
  ) {
    super();
  }
}
