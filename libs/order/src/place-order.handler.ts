import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { judgeAgent } from '#agency';
import { bookingDecider, untilUnchanged } from '#booking';
import { Aggregates } from '#event-store';
import { bookingStream, type Checkout } from '#events';
import { Clock, type ErrorCode, plus, Refusal } from '#kernel';
import { PaymentProcessor } from '#payment';
import { ReadModels } from '#read-models';
import { challengeRequired } from './challenge-required.js';
import { ChallengeCompletion } from './complete-challenge.js';
import { judgeOrder } from './judge-order.js';
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
 * ledger alone knows whether money moved (consistency.md, rules 1 to 7). A booking whose order waits for its holder is
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
    return this.refusedCards.within(command.by, () =>
      withOrderLink(this.aggregates, command.links, async () => {
        await judgeAgent(this.aggregates, command.by);
        const waiting = await waitingOrder(this.aggregates, command.by, command.wish.bookingId);
        return waiting ? this.complete(waiting, command) : this.place(command);
      }),
    );
  }

  private async complete(order: PlacedOrder, { wish, links, context }: PlaceOrder): Promise<OrderView> {
    const { orderId } = order.checkout;
    const completion = await namingOrder(orderId, links, () => this.completion.complete(order, wish, context));
    if (completion !== 'waiting') return this.answer(completion, undefined, links);
    if (!order.challenge) throw new Error(`order ${orderId} waits without a challenge`);
    throw challengeRequired(order, order.challenge, links);
  }

  private async place(command: PlaceOrder): Promise<OrderView> {
    const { wish, links, context } = command;
    const checkout = await untilUnchanged(() => this.open(command));
    let waiting: PlacedOrder | null = null;
    let failure: unknown;
    try {
      waiting = await this.walk.go(checkout, wish.card, wish.buyer, context);
    } catch (error) {
      // Whatever happened, it is the ledger that decides how the order ends.
      failure = error;
    }
    if (waiting?.challenge) throw challengeRequired(waiting, waiting.challenge, links);
    const settled = await namingOrder(checkout.orderId, links, () =>
      this.settlement.settle(checkout, codeOf(failure), context),
    );
    return this.answer(settled, failure, links);
  }

  /** Takes the booking for this order, and freezes what is being bought (rule 2). */
  private async open(command: PlaceOrder): Promise<Checkout> {
    const now = this.clock.now();
    const { orderId, wish, links, context } = command;
    const judged = await judgeOrder(this.aggregates, this.processor, command, now);
    const checkout: Checkout = { ...judged, orderId, holdBefore: plus(now, this.settings.hold) };
    const start = { type: 'StartCheckout', checkout } as const;
    const { events } = await this.aggregates
      .handle(bookingStream(wish.bookingId), bookingDecider, start, context)
      .catch((error: unknown) => {
        const isUnknown = error instanceof Refusal && error.code === 'service_unavailable';
        throw isUnknown ? outcomeUnknown(orderId, links, error) : error;
      });
    // Opened by another request for this very order, which walks it (rule 3).
    if (events.length === 0) throw new Refusal('order_in_progress', { orderId });
    return checkout;
  }

  /** The paid order, shown in the lists too; else why it failed. */
  private async answer(
    { order, positions }: Settled,
    failure: unknown,
    links: PlaceOrder['links'],
  ): Promise<OrderView> {
    await Promise.all([...positions].map(([category, position]) => this.readModels.waitFor(category, position)));
    if (order.kind !== 'failed') return orderView(order, links);
    const itsOwn = failure instanceof Refusal && failure.code === order.failure ? failure.details : undefined;
    throw new Refusal(order.failure, itsOwn, { cause: failure });
  }
}

/** Why an order that charged nothing failed: what was refused, or that something broke. */
const codeOf = (failure: unknown): ErrorCode => (failure instanceof Refusal ? failure.code : 'service_unavailable');
