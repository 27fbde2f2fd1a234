import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { bookingDecider, untilUnchanged } from '#booking';
import { Aggregates } from '#event-store';
import { bookingStream, type Checkout } from '#events';
import { Clock, type ErrorCode, plus, Refusal } from '#kernel';
import { ReadModels } from '#read-models';
import { HOLD_MILLISECONDS, judgeOrder } from './judge-order.js';
import { withOrderLink } from './order-link.js';
import { orderView } from './order.view.js';
import { PlaceOrder } from './place-order.command.js';
import { Settlement } from './settlement.js';
import { Walk } from './walk.js';

/**
 * Refuse early, open the checkout, walk it to the charge, and settle it: after success and failure alike, since the
 * ledger alone knows whether money moved (consistency.md, rules 1 to 7).
 */
@CommandHandler(PlaceOrder)
export class PlaceOrderHandler implements ICommandHandler<PlaceOrder> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly walk: Walk,
    private readonly settlement: Settlement,
    private readonly readModels: ReadModels,
    private readonly clock: Clock,
  ) {}

  async execute(command: PlaceOrder) {
    const { wish, links, context } = command;
    const checkout = await withOrderLink(this.aggregates, links, () => untilUnchanged(() => this.open(command)));

    let failure: unknown;
    try {
      await this.walk.go(checkout, wish.card, wish.buyer, context);
    } catch (error) {
      // Whatever happened, it is the ledger that decides how the order ends.
      failure = error;
    }

    const { order, positions } = await this.settlement.settle(checkout, codeOf(failure), context);
    await Promise.all([...positions].map(([category, position]) => this.readModels.waitFor(category, position)));
    if (order.kind === 'failed') {
      const itsOwn = failure instanceof Refusal && failure.code === order.failure ? failure.details : undefined;
      throw new Refusal(order.failure, itsOwn, { cause: failure });
    }
    return orderView(order, links);
  }

  /** Takes the booking for this order, and freezes what is being bought (rule 2). */
  private async open(command: PlaceOrder): Promise<Checkout> {
    const now = this.clock.now();
    const { orderId, wish, context } = command;
    const judged = await judgeOrder(this.aggregates, command, now);
    const checkout: Checkout = { ...judged, orderId, holdBefore: plus(now, HOLD_MILLISECONDS) };
    const start = { type: 'StartCheckout', checkout } as const;
    await this.aggregates.handle(bookingStream(wish.bookingId), bookingDecider, start, context);
    return checkout;
  }
}

/** Why an order that charged nothing failed: what was refused, or that something broke. */
const codeOf = (failure: unknown): ErrorCode => (failure instanceof Refusal ? failure.code : 'service_unavailable');
