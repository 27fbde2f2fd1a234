import { Injectable } from '@nestjs/common';
import { Travellers } from '#booking';
import { type Flight, flights } from '#catalog';
import { Checkouts, finishOpen, Locators } from '#checkout';
import { type Condition, ReadModelStore } from '#documents';
import {
  type Actor,
  type Context,
  CURRENCIES,
  DomainError,
  type Instant,
  isId,
  type Money,
  money,
  type Party,
  sumOfEach,
} from '#kernel';
import { AttachedMetadata } from '#http';
import { listed, type ListPage, listPage, type ListPart, type Period, ReadModels, within } from '#read-models';
import type { Aggregates } from '#event-store';
import { orderToComplete } from '../challenge/complete-challenge.js';
import {
  type CancelledOrder,
  type ChargedOrder,
  isCancelling,
  isCharged,
  orders,
  type PaidOrder,
  type PlacedOrder,
} from '../order.decider.js';
import type { BesideOrder, OrderStatus } from '../order.dto.js';
import type { OrderRequest } from '../place-order/check-order.js';
import { monthKey, type MonthOfHolder, type OrderListItem, ordersProjection } from './orders.projection.js';

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

/** The orders of a holder, for any client of theirs, and what each agent noted and said of its own. */
@Injectable()
export class Orders {
  constructor(
    private readonly checkouts: Checkouts,
    private readonly store: ReadModelStore,
    private readonly readModels: ReadModels,
    readonly attached: AttachedMetadata,
    readonly travellers: Travellers,
    readonly locators: Locators,
  ) {}

  /** An order by id, folded from its stream (rule 25). @throws DomainError `order_not_found`, also for another holder's */
  async get(orderId: string, holder: string): Promise<PlacedOrder> {
    const order = await loadOrder(this.checkouts.aggregates, orderId, holder);
    if (!order) throw new DomainError('order_not_found');
    return order;
  }

  /** The same; null where `get` throws. */
  found(orderId: string, holder: string): Promise<PlacedOrder | null> {
    return loadOrder(this.checkouts.aggregates, orderId, holder);
  }

  /** As `get`; one that has ended while the rest of its checkout was left open is finished first (rule 21). @throws Unavailable */
  async ended(orderId: string, holder: string, context: Context): Promise<PlacedOrder> {
    const order = await this.get(orderId, holder);
    if (order.kind !== 'pending') await finishOpen(this.checkouts, order.checkout.bookingId, orderId, context);
    return order;
  }

  /** The order that a receipt is made of, also once cancelled. @throws DomainError `ticket_not_found` for one that was not paid or is unknown */
  async charged(orderId: string, holder: string): Promise<ChargedOrder> {
    const order = await loadOrder(this.checkouts.aggregates, orderId, holder);
    if (!order || !isCharged(order)) throw new DomainError('ticket_not_found');
    return order;
  }

  /** The paid order that tickets are drawn of, and that nobody is cancelling. @throws DomainError `ticket_not_found` for any other */
  async paid(orderId: string, holder: string): Promise<PaidOrder> {
    const order = await this.charged(orderId, holder);
    if (order.kind !== 'paid' || isCancelling(order)) throw new DomainError('ticket_not_found');
    return order;
  }

  /** The order that a credit note is made of. @throws DomainError `ticket_not_found` for one that is not cancelled or unknown */
  async cancelled(orderId: string, holder: string): Promise<CancelledOrder> {
    const order = await loadOrder(this.checkouts.aggregates, orderId, holder);
    if (order?.kind !== 'cancelled') throw new DomainError('ticket_not_found');
    return order;
  }

  /** The flight that an order is on. The stream of a flight begins before a seat of it is held. */
  async flightOf({ checkout: { line } }: PaidOrder): Promise<Flight | null> {
    const { state } = await this.checkouts.aggregates.load(flights, line.flightId ?? line.flightNumber);
    return state.status === 'unscheduled' ? null : state.flight;
  }

  /** Who began the cancellation of an order; null: nobody did. */
  async cancellerOf(orderId: string): Promise<Actor | null> {
    for await (const { type, metadata } of this.checkouts.events.readStream(orders.streamOf(orderId)))
      if (type === 'OrderCancellationStarted') return metadata.actor;
    return null;
  }

  /** The newest first. `status` undefined: all of them. `created`: only what was created then. @throws DomainError `invalid_cursor` */
  async list(
    holder: string,
    status: OrderStatus | undefined,
    page: ListPart,
    created: Period = {},
  ): Promise<ListPage<PlacedOrder & { readonly id: string }>> {
    const asked: readonly Condition[] = [{ field: 'holder', equals: holder }, ...within('placedAt', created)];
    return listPage<OrderListItem>(this.store, await this.readModels.upToDate(ordersProjection), {
      where: status ? [...asked, { field: 'kind', equals: status }] : asked,
      sort: { field: 'placedAt', direction: 'descending' },
      ...page,
    });
  }

  /** What an agent is shown beside an order: what it noted on it, and who it said flies. */
  async beside({ checkout: { orderId: id, named } }: PlacedOrder, party: Party): Promise<BesideOrder> {
    const [metadata, people] = await Promise.all([
      this.attached.notedOn(id, party),
      this.travellers.of({ id, named }, party),
    ]);
    return { locators: this.locators, metadata, people };
  }

  /** In whose name an order was placed; null: the agent named nobody, or the name was erased. @throws DomainError `order_not_found` */
  async buyerName(orderId: string, holder: string): Promise<string | null> {
    await this.get(orderId, holder);
    return (await this.checkouts.buyers.get(orderId))?.body.name ?? null;
  }

  /** What was charged to a holder this month, however many orders there are: it reads their sum. */
  async spentThisMonth(holder: string): Promise<SpentInMonth> {
    const at = this.checkouts.clock.now();
    return spentInMonth(this.store, await this.readModels.upToDate(ordersProjection), { holder, at });
  }

  toComplete(party: Party, request: OrderRequest): Promise<string | null> {
    return orderToComplete(this.checkouts, party, request);
  }
}

/** What a holder was charged since the month began in Brasília, as the lists have it. */
export interface SpentInMonth {
  /** An instant of that month. */
  readonly at: Instant;
  /** One amount a currency in which anything was charged, reais first. */
  readonly spent: readonly Money[];
  readonly orders: number;
  /** What came back in that month, whenever it had been charged. */
  readonly refunded: readonly Money[];
}

export const spentInMonth = async (
  store: ReadModelStore,
  collection: string,
  { holder, at }: { readonly holder: string; readonly at: Instant },
): Promise<SpentInMonth> => {
  const key = monthKey(holder, at);
  const [stored] = await store.getGuarded(collection, [key]);
  // The projection alone writes this collection.
  const month = stored?.body as MonthOfHolder | null | undefined;
  const charged = CURRENCIES.flatMap((currency): readonly Money[] => {
    const amount = month?.spent[currency];
    return amount === undefined ? [] : [money(amount, currency)];
  });
  const refunded = CURRENCIES.flatMap((currency): readonly Money[] => {
    const amount = month?.refunded?.[currency];
    return amount ? [money(amount, currency)] : []; // an order of which nothing comes back is cancelled as well
  });
  let orders = month?.orders ?? 0;
  for await (const { body } of listed<OrderListItem>(store, collection, { field: 'apart', equals: key })) {
    if (body.kind !== 'paid' && body.kind !== 'cancelled') continue;
    charged.push(body.payment.amount);
    orders += 1;
  }
  return { at, spent: sumOfEach(charged), orders, refunded };
};
