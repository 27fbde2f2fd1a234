import { Query } from '@nestjs/cqrs';
import type { OrderRequest } from './place-order.command.js';

/** Id of the order that waits for its holder and that this very wish would complete; null where it would place one. */
export class OrderToComplete extends Query<string | null> {
  constructor(
    readonly party: { readonly holder: string; readonly clientId: string },
    readonly request: OrderRequest,
  ) {
    super();
  }
}
