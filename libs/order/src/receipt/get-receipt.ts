import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Aggregates } from '#event-store';
import { DomainError } from '#kernel';
import type { PaidOrder } from '../order.decider.js';
import { loadOrder } from '../orders/get-order.js';

/** The paid order that a receipt is made of, for its holder and any client of theirs. */
export class GetReceipt extends Query<PaidOrder> {
  constructor(
    readonly orderId: string,
    readonly holder: string,
  ) {
    super();
  }
}

/**
 * Folds the stream, which has at most three events, and so is readable at once after the order (docs/consistency.md,
 * rule 25).
 *
 * @throws DomainError `ticket_not_found` for an order that is not paid, as for an unknown one
 */
@QueryHandler(GetReceipt)
export class GetReceiptHandler implements IQueryHandler<GetReceipt> {
  constructor(private readonly aggregates: Aggregates) {}

  async execute({ orderId, holder }: GetReceipt): Promise<PaidOrder> {
    const order = await loadOrder(this.aggregates, orderId, holder);
    if (order?.kind !== 'paid') throw new DomainError('ticket_not_found');
    return order;
  }
}
