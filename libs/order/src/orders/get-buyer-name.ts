import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Aggregates } from '#event-store';
import { DomainError } from '#kernel';
import { CheckoutDependencies } from '../checkout/checkout-dependencies.js';
import { loadOrder } from './get-order.js';

/** In whose name an order was placed, for its holder; null: the agent named nobody, or the name was erased. @throws DomainError `order_not_found` */
export class GetBuyerName extends Query<string | null> {
  constructor(
    readonly orderId: string,
    readonly holder: string,
  ) {
    super();
  }
}

@QueryHandler(GetBuyerName)
export class GetBuyerNameHandler implements IQueryHandler<GetBuyerName> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly checkouts: CheckoutDependencies,
  ) {}

  async execute({ orderId, holder }: GetBuyerName): Promise<string | null> {
    if (!(await loadOrder(this.aggregates, orderId, holder))) throw new DomainError('order_not_found');
    return (await this.checkouts.buyers.get(orderId))?.body.name ?? null;
  }
}
