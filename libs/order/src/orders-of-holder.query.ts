import { Query } from '@nestjs/cqrs';
import type { ListPage } from '#read-models';
import type { PlacedOrder } from './order.state.js';

/** The orders of a holder, by whatever agent they were placed, newest first. */
export class OrdersOfHolder extends Query<ListPage<PlacedOrder>> {
  constructor(
    readonly holder: string,
    readonly page: { readonly limit: number; readonly cursor: string | undefined },
  ) {
    super();
  }
}
