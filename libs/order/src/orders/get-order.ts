import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Aggregates } from '#event-store';
import { DomainError, isId } from '#kernel';
import { orders, type PlacedOrder } from '../order.decider.js';

/** An order of this holder as its stream has it now; null for an unknown one and another holder's alike. */
export const loadOrder = async (
  aggregates: Aggregates,
  orderId: string,
  holder: string,
): Promise<PlacedOrder | null> => {
  if (!isId(orderId)) return null;
  const { state } = await aggregates.load(orders, orderId);
  return state.kind !== 'none' && state.checkout.holder === holder ? state : null;
};

/** An order by id, for its holder and any client of theirs. */
export class GetOrder extends Query<PlacedOrder> {
  constructor(
    readonly orderId: string,
    readonly holder: string,
  ) {
    super();
  }
}

/**
 * Folds the stream, so that a writer reads its own writes (docs/consistency.md, rule 25).
 *
 * @throws DomainError `order_not_found` for an unknown order and another holder's
 */
@QueryHandler(GetOrder)
export class GetOrderHandler implements IQueryHandler<GetOrder> {
  constructor(private readonly aggregates: Aggregates) {}

  async execute({ orderId, holder }: GetOrder): Promise<PlacedOrder> {
    const order = await loadOrder(this.aggregates, orderId, holder);
    if (!order) throw new DomainError('order_not_found');
    return order;
  }
}
