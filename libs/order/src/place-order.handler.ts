import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { requireAuthorizedAgent } from '#delegation';
import { bookings, untilUnchanged } from '#booking';
import { Aggregates } from '#event-store';
import { type Checkout } from '#events';
import { Clock, DomainError, type ErrorCode, plus } from '#kernel';
import { PaymentProcessor } from '#payment';
import { ReadModels } from '#read-models';
import { challengeRequired } from './challenge-required.js';
import { ChallengeCompletion } from './complete-challenge.js';
import { checkOrder } from './check-order.js';
import { namingOrder, outcomeUnknown, withOrderLink } from './order-link.js';
import { OrderSettings } from './order-settings.js';
import type { PlacedOrder } from './order.state.js';
import { orderView, type OrderView } from './order.view.js';
import { PlaceOrder } from './place-order.command.js';
import { RefusedCards } from './refused-cards.js';
import { type Settled, Settlement } from './settlement.js';
import { waitingOrder } from './waiting-order.js';
import { Walk } from './walk.js';

/**
 * Refuse early, open the checkout, walk it to the charge, and settle it: after success and failure alike, since the
 * ledger alone knows whether money moved (docs/consistency.md, rules 1 to 7). A booking whose order waits for its holder is
 * completed instead (rule 10).
 */
@CommandHandler(PlaceOrder)
export class PlaceOrderHandler implements ICommandHandler<PlaceOrder> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly processor: PaymentProcessor,
    private readonly walk: Walk,
    private readonly completion: ChallengeCompletion,
    private readonly settlement: Settlement,
    private readonly refusedCards: RefusedCards,
    private readonly readModels: ReadModels,
    private readonly clock: Clock,
    private readonly settings: OrderSettings,
  ) {}

  execute(command: PlaceOrder): Promise<OrderView> {
    return this.refusedCards.within(command.party, () =>
      withOrderLink(this.aggregates, command.urls, async () => {
        await requireAuthorizedAgent(this.aggregates, command.party);
        const waiting = await waitingOrder(this.aggregates, command.party, command.request.bookingId);
        return waiting ? this.complete(waiting, command) : this.place(command);
      }),
    );
  }

  private async complete(order: PlacedOrder, { request, urls, context }: PlaceOrder): Promise<OrderView> {
    const { orderId } = order.checkout;
    const completion = await namingOrder(orderId, urls, () => this.completion.complete(order, request, context));
    if (completion !== 'waiting') return this.answer(completion, undefined, urls);
    if (!order.challenge) throw new Error(`order ${orderId} waits without a challenge`);
    throw challengeRequired(order, order.challenge, urls);
  }

  private async place(command: PlaceOrder): Promise<OrderView> {
    const { request, urls, context } = command;
    const checkout = await untilUnchanged(this.clock, () => this.open(command));
    let waiting: PlacedOrder | null = null;
    let failure: unknown;
    try {
      waiting = await this.walk.go(checkout, request.card, request.buyer, context);
    } catch (error) {
      // Whatever happened, it is the ledger that decides how the order ends.
      failure = error;
    }
    if (waiting?.challenge) throw challengeRequired(waiting, waiting.challenge, urls);
    const settled = await namingOrder(checkout.orderId, urls, () =>
      this.settlement.settle(checkout, codeOf(failure), context),
    );
    return this.answer(settled, failure, urls);
  }

  /** Takes the booking for this order, and freezes what is being bought (rule 2). */
  private async open(command: PlaceOrder): Promise<Checkout> {
    const now = this.clock.now();
    const { orderId, request, urls, context } = command;
    const judged = await checkOrder(this.aggregates, this.processor, command, now);
    const checkout: Checkout = { ...judged, orderId, holdBefore: plus(now, this.settings.hold) };
    const start = { type: 'StartCheckout', checkout } as const;
    const { events } = await this.aggregates
      .handle(bookings, request.bookingId, start, context)
      .catch((error: unknown) => {
        const isUnknown = error instanceof DomainError && error.code === 'service_unavailable';
        throw isUnknown ? outcomeUnknown(orderId, urls, error) : error;
      });
    // Opened by another request for this very order, which walks it (rule 3).
    if (events.length === 0) throw new DomainError('order_in_progress', { orderId });
    return checkout;
  }

  /** The paid order, shown in the lists too; else why it failed. */
  private async answer({ order, positions }: Settled, failure: unknown, urls: PlaceOrder['urls']): Promise<OrderView> {
    await Promise.all([...positions].map(([type, position]) => this.readModels.waitFor(type, position)));
    if (order.kind !== 'failed') return orderView(order, urls);
    const itsOwn = failure instanceof DomainError && failure.code === order.failure ? failure.details : undefined;
    throw new DomainError(order.failure, itsOwn, { cause: failure });
  }
}

/** Why an order that charged nothing failed: what was refused, or that something broke. */
const codeOf = (failure: unknown): ErrorCode => (failure instanceof DomainError ? failure.code : 'service_unavailable');
