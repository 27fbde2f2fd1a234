import { Injectable } from '@nestjs/common';
import { type Condition, ReadModelStore } from '#documents';
import { DomainError, type Party } from '#kernel';
import { AttachedMetadata } from '#metadata';
import { type ListPage, listPage, type ListPart, type Period, ReadModels, within } from '#read-models';
import { orderToComplete } from '../challenge/complete-challenge.js';
import { CheckoutDependencies } from '../checkout/checkout-dependencies.js';
import type { PaidOrder, PlacedOrder } from '../order.decider.js';
import type { OrderStatus } from '../order.view.js';
import type { OrderRequest } from '../place-order/check-order.js';
import { loadOrder } from './load-order.js';
import { type OrderListItem, ordersProjection } from './orders.projection.js';
import { type SpentInMonth, spentInMonth } from './spent-this-month.js';

/** The orders of a holder, for any client of theirs, and what each agent noted on its own. */
@Injectable()
export class Orders {
  constructor(
    private readonly checkouts: CheckoutDependencies,
    private readonly store: ReadModelStore,
    private readonly readModels: ReadModels,
    readonly attached: AttachedMetadata,
  ) {}

  /**
   * An order by id, folded from its stream (docs/consistency.md, rule 25).
   *
   * @throws DomainError `order_not_found` for an unknown order and another holder's
   */
  async get(orderId: string, holder: string): Promise<PlacedOrder> {
    const order = await loadOrder(this.checkouts.aggregates, orderId, holder);
    if (!order) throw new DomainError('order_not_found');
    return order;
  }

  /** The paid order that a receipt is made of. @throws DomainError `ticket_not_found` for one that is not paid or unknown */
  async paid(orderId: string, holder: string): Promise<PaidOrder> {
    const order = await loadOrder(this.checkouts.aggregates, orderId, holder);
    if (order?.kind !== 'paid') throw new DomainError('ticket_not_found');
    return order;
  }

  /** The newest first. `status` undefined: all of them. `created`: only what was created then. @throws DomainError `invalid_cursor` */
  async list(
    holder: string,
    status: OrderStatus | undefined,
    page: ListPart,
    created: Period = {},
  ): Promise<ListPage<PlacedOrder & { readonly id: string }>> {
    const asked: readonly Condition[] = [{ field: 'holder', equals: holder }, ...within('placedAt', created)];
    return listPage<OrderListItem>(this.store, this.readModels.collectionOf(ordersProjection), {
      where: status ? [...asked, { field: 'kind', equals: status }] : asked,
      sort: { field: 'placedAt', direction: 'descending' },
      ...page,
    });
  }

  /** In whose name an order was placed; null: the agent named nobody, or the name was erased. @throws DomainError `order_not_found` */
  async buyerName(orderId: string, holder: string): Promise<string | null> {
    await this.get(orderId, holder);
    return (await this.checkouts.buyers.get(orderId))?.body.name ?? null;
  }

  /** What was charged to a holder this month, however many orders there are: it reads their sum. */
  async spentThisMonth(holder: string): Promise<SpentInMonth> {
    const at = this.checkouts.clock.now();
    return spentInMonth(this.store, this.readModels.collectionOf(ordersProjection), { holder, at });
  }

  /** Id of the waiting order that this very request would complete; null where it would place one. */
  toComplete(party: Party, request: OrderRequest): Promise<string | null> {
    return orderToComplete(this.checkouts, party, request);
  }
}
