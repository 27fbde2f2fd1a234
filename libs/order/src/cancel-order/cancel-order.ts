import { Injectable } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { dateAt, departureOf, flights } from '#catalog';
import { Checkouts, finishCancellation, finishOpen, LeftOpen, type Quote, Runner } from '#checkout';
import type { Aggregates } from '#event-store';
import { flightIdOf } from '#events';
import { Clock, type Context, DomainError, Ids, isId, TooLate, Unavailable } from '#kernel';
import { requireAuthorizedAgent } from '#mandate';
import { ReadModels } from '#read-models';
import {
  type CancelledOrder,
  type ChargedOrder,
  isCancelling,
  isCharged,
  type NotCancellable,
  notCancellable,
  type Order,
  orders,
  type PaidOrder,
  standingInTheWay,
} from '../order.decider.js';
import { loadOrder } from '../orders/orders.js';
import { type Departure, quotedRefund } from './cancellation.rule.js';

/** Who cancels: an agent what it bought, or (null) the traveller themselves. */
export interface Canceller {
  readonly holder: string;
  readonly clientId: string | null;
}

export interface QuotedCancellation extends Quote {
  readonly id: string;
  readonly order: PaidOrder;
}

/** Nobody knows yet how far the cancellation has come; it is carried out all the same (docs/consistency.md, rule 35). */
export class CancellationUnderWay extends Unavailable {
  override readonly name = 'CancellationUnderWay';
}

/** The quote is over, and this is what it would be now. */
export class QuoteOver extends DomainError {
  constructor(readonly quote: QuotedCancellation) {
    super('cancellation_expired');
  }
}

/** Quotes what a cancellation gives back. Nothing is decided by it. */
@Injectable()
export class Cancellations {
  constructor(
    private readonly checkouts: Checkouts,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** An order that may be cancelled by them. @throws DomainError `order_not_found`; `invalid_token` of an agent that is not let in */
  async orderOf(orderId: string, { holder, clientId }: Canceller): Promise<ChargedOrder> {
    const { aggregates } = this.checkouts;
    if (clientId !== null) await requireAuthorizedAgent(aggregates, { holder, clientId });
    const order = await loadOrder(aggregates, orderId, holder);
    if (!order || (clientId !== null && order.checkout.clientId !== clientId)) throw new DomainError('order_not_found');
    if (!isCharged(order)) throw notCancellable('not_paid');
    return order;
  }

  /** @throws DomainError `order_not_found`, `order_not_cancellable` */
  async quote(id: string, orderId: string, by: Canceller): Promise<QuotedCancellation> {
    const judged = await this.judged(await this.orderOf(orderId, by));
    if (typeof judged === 'string') throw notCancellable(judged);
    const { order, departure, now } = judged;
    const wanted = { orderId, departsAt: departure.at, ...quotedRefund(order, departure, now) };
    return { id, order, ...(await this.checkouts.cancellations.keep(id, wanted)) };
  }

  /** The same, under an id of its own. @throws DomainError `order_not_found`, `order_not_cancellable` */
  quoteAnew(orderId: string, by: Canceller): Promise<QuotedCancellation> {
    return this.quote(this.ids.next(), orderId, by);
  }

  /** Why an order cannot be cancelled now; null: it can. */
  async inTheWay(order: ChargedOrder): Promise<NotCancellable | null> {
    const judged = await this.judged(order);
    return typeof judged === 'string' ? judged : null;
  }

  private async judged(order: ChargedOrder) {
    const reason = standingInTheWay(order);
    if (reason !== null || order.kind !== 'paid') return reason ?? 'not_paid';
    const departure = await departureOfOrder(this.checkouts.aggregates, order);
    if (departure === null) return 'undated';
    const now = this.clock.now();
    return now < departure.at || departure.isCancelled ? { order, departure, now } : 'departed';
  }

  /** The quote that is confirmed; whether it holds, the order's stream decides. @throws QuoteOver where there is none, with another one */
  async confirmed(id: string, order: ChargedOrder, by: Canceller): Promise<Quote> {
    const { orderId } = order.checkout;
    const quote = isId(id) ? await this.checkouts.cancellations.find(id) : null;
    const isOf = quote?.orderId === orderId;
    // A fee that was quoted before the airline cancelled the flight is not charged.
    const departure = isOf && quote.fee.amount > 0 ? await departureOfOrder(this.checkouts.aggregates, order) : null;
    if (!isOf || departure?.isCancelled) throw new QuoteOver(await this.quoteAnew(orderId, by));
    return quote;
  }
}

/** When the flight of an order leaves, as its stream says; null: it has no date. */
const departureOfOrder = async (
  aggregates: Aggregates,
  { checkout, paidAt }: Pick<ChargedOrder, 'checkout' | 'paidAt'>,
): Promise<Departure | null> => {
  const { state } = await aggregates.load(flights, flightIdOf(checkout.line));
  if (state.status === 'unscheduled') return null;
  const { departureDate: date, timeZone, cancelledAt } = state.flight;
  const at = departureOf(state.flight);
  if (at === null || date === null) return null;
  return { at, date, boughtOn: dateAt(paidAt, timeZone ?? 'UTC'), isCancelled: cancelledAt !== undefined };
};

export class CancelOrder extends Command<CancelledOrder> {
  constructor(
    readonly orderId: string,
    readonly cancellationId: string,
    readonly by: Canceller,
    readonly context: Context,
  ) {
    super();
  }
}

/** Begins the way back as it was quoted, once an order, and carries it out (rules 35, 36). @throws QuoteOver, CancellationUnderWay */
@CommandHandler(CancelOrder)
export class CancelOrderHandler implements ICommandHandler<CancelOrder> {
  constructor(
    private readonly checkouts: Checkouts,
    private readonly cancellations: Cancellations,
    private readonly runner: Runner,
    private readonly leftOpen: LeftOpen,
    private readonly readModels: ReadModels,
  ) {}

  async execute({ orderId, cancellationId, by, context }: CancelOrder): Promise<CancelledOrder> {
    const { aggregates } = this.checkouts;
    const { bookingId } = (await this.cancellations.orderOf(orderId, by)).checkout;
    // What its purchase left open comes first: its money is consumed, and its booking closed.
    await this.orUnderWay(bookingId, orderId, () => finishOpen(this.checkouts, bookingId, orderId, context));
    const order = await this.cancellations.orderOf(orderId, by);
    if (order.cancellation?.cancellationId === cancellationId) return this.finish(order, context);
    const inTheWay = standingInTheWay(order);
    if (inTheWay !== null) throw notCancellable(inTheWay);
    const quote = await this.cancellations.confirmed(cancellationId, order, by);
    const { reason, refund, fee, departsAt, holdsFrom: quotedFrom, expiresAt: quotedUntil } = quote;
    if (by.clientId !== null) await this.checkouts.cancellations.count({ ...by, clientId: by.clientId }, orderId);
    const quoted = { cancellationId, reason, refund, fee, departsAt, quotedFrom, quotedUntil };
    const start = { type: 'StartCancellation', ...quoted, runner: this.runner.id } as const;
    const { state } = await this.orUnderWay(bookingId, orderId, () =>
      aggregates.handle(orders, orderId, start, context),
    ).catch(async (error: unknown) => {
      if (error instanceof DomainError && error.code === 'cancellation_expired')
        throw new QuoteOver(await this.cancellations.quoteAnew(orderId, by));
      throw error;
    });
    return this.finish(state, context);
  }

  private async finish(order: Order, context: Context): Promise<CancelledOrder> {
    if (!isCancelling(order)) return this.ended(order);
    const { bookingId, orderId } = order.checkout;
    const finished = await this.orUnderWay(bookingId, orderId, () =>
      finishCancellation(this.checkouts, order, context),
    );
    await this.readModels.waitFor(flights, finished.releasedAt); // which flights show (rule 25)
    return this.ended(finished.order);
  }

  /** @throws DomainError `order_not_cancellable` where the processor refused the refund */
  private ended(order: { readonly kind: string }): CancelledOrder {
    if (order.kind === 'cancelled') return order as CancelledOrder;
    throw notCancellable('refund_failed');
  }

  /** Where it is not known how far it came, or a step came too late, it is tried again; a repeated call finds what came of it. */
  private async orUnderWay<Result>(bookingId: string, orderId: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof DomainError && !(error instanceof TooLate)) throw error;
      this.leftOpen.add(bookingId, orderId);
      throw new CancellationUnderWay(`how far the cancellation of order ${orderId} has come is not known`, {
        cause: error,
      });
    }
  }
}
