import { Query } from '@nestjs/cqrs';
import type { ReceiptView } from './receipt.view.js';

/** The receipt of an order, for any client of its holder. */
export class GetReceipt extends Query<ReceiptView> {
  constructor(
    readonly orderId: string,
    readonly holder: string,
  ) {
    super();
  }
}
