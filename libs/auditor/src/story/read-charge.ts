import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Documents } from '#documents';
import { type LedgerRow, ledgerRowOf } from '#payment';

/** What the payment ledger holds of an order; null: nothing, so nothing was charged. */
export class ReadCharge extends Query<LedgerRow | null> {
  constructor(readonly orderId: string) {
    super();
  }
}

@QueryHandler(ReadCharge)
export class ReadChargeHandler implements IQueryHandler<ReadCharge> {
  constructor(private readonly documents: Documents) {}

  execute({ orderId }: ReadCharge): Promise<LedgerRow | null> {
    return ledgerRowOf(this.documents, orderId);
  }
}
