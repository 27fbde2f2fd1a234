import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ReadModelStore } from '#documents';
import { Aggregates } from '#event-store';
import { DomainError, isId } from '#kernel';
import { ReadModels } from '#read-models';
import { GetReceipt } from './get-receipt.query.js';
import { loadOrder } from './load-order.js';
import type { PlacedOrder } from './order.state.js';
import { receiptView } from './receipt.view.js';
import { receiptsProjection } from './receipts.projection.js';

/** Served from the read model once it is there, and folded from the stream until then (docs/consistency.md, rule 25). */
@QueryHandler(GetReceipt)
export class GetReceiptHandler implements IQueryHandler<GetReceipt> {
  constructor(
    private readonly store: ReadModelStore,
    private readonly readModels: ReadModels,
    private readonly aggregates: Aggregates,
  ) {}

  async execute({ orderId, holder }: GetReceipt) {
    const order = (await this.projected(orderId)) ?? (await loadOrder(this.aggregates, orderId, holder));
    if (order?.kind !== 'paid' || order.checkout.holder !== holder) throw new DomainError('ticket_not_found');
    return receiptView(order);
  }

  private async projected(orderId: string): Promise<PlacedOrder | null> {
    if (!isId(orderId)) return null;
    const collection = this.readModels.collectionOf(receiptsProjection);
    const document = await this.store.get<PlacedOrder>(collection, orderId);
    return document?.body.kind === 'paid' ? document.body : null;
  }
}
