import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Booking, bookings, loadBooking, OrderInTheWay, untilUnchanged } from '#booking';
import { type KnownDelegation, requireAuthorizedAgent } from '#delegation';
import { AppendOutcomeUnknown } from '#event-store';
import type { Checkout } from '#events';
import { type Context, DomainError, type ErrorCode, type Party, plus } from '#kernel';
import { ReadModels } from '#read-models';
import { challengedOrderOf, completeChallenge } from '../challenge/complete-challenge.js';
import { CheckoutDependencies } from '../checkout/checkout-dependencies.js';
import { type FinishedCheckout, finishCheckout, runCheckout } from '../checkout/checkout-saga.js';
import type { ChallengedOrder, PaidOrder } from '../order.decider.js';
import { checkOrder, type OrderRequest } from './check-order.js';
import { MandateChoice } from './choose-mandate.js';
import { RefusedCards } from './refused-cards.js';

/** Confirms a booking: charges it and issues the ticket. `orderId` is minted by the caller. */
export class PlaceOrder extends Command<PaidOrder> {
  constructor(
    readonly orderId: string,
    readonly party: Party,
    readonly request: OrderRequest,
    readonly context: Context,
  ) {
    super();
  }
}

/** Nobody knows yet how this order ends: it may have been placed and may be paid (docs/consistency.md, rule 7). */
export class OrderOutcomeUnknown extends DomainError {
  constructor(
    readonly orderId: string,
    cause: unknown,
  ) {
    super('service_unavailable', undefined, { cause });
  }
}

/** The order waits for its holder to confirm the payment; the same request completes it afterwards. */
export class ChallengeRequired extends DomainError {
  constructor(readonly order: ChallengedOrder) {
    super('payment_challenge_required');
  }
}

/**
 * Refuses early, opens the checkout, runs its saga up to the charge, and finishes it: after success and failure alike,
 * since the ledger alone knows whether money moved (docs/consistency.md, rules 1 to 7). A booking whose order waits for
 * its holder is completed instead (rule 10).
 *
 * @throws OrderInTheWay, OrderOutcomeUnknown or ChallengeRequired, each about one order, and DomainError
 */
@CommandHandler(PlaceOrder)
export class PlaceOrderHandler implements ICommandHandler<PlaceOrder> {
  constructor(
    private readonly checkouts: CheckoutDependencies,
    private readonly refusedCards: RefusedCards,
    private readonly mandateChoice: MandateChoice,
    private readonly readModels: ReadModels,
  ) {}

  execute(command: PlaceOrder): Promise<PaidOrder> {
    return this.refusedCards.within(command.party, async () => {
      const begun = await untilUnchanged(this.checkouts.clock, () => this.begin(command));
      return begun.challenged ? this.complete(begun.challenged, command) : this.place(begun.checkout, command);
    });
  }

  /** The order that waits for its holder; without one, the checkout that this request has opened. */
  private async begin(command: PlaceOrder) {
    const { aggregates } = this.checkouts;
    const { party, request } = command;
    const delegation = await requireAuthorizedAgent(aggregates, party);
    const booking = await loadBooking(aggregates, request.bookingId);
    const challenged = await challengedOrderOf(aggregates, booking, party);
    if (challenged) return { challenged } as const;
    return { challenged: null, checkout: await this.open(command, booking, delegation) } as const;
  }

  /** Takes the booking for this order, and freezes what is being bought (rule 2). */
  private async open(command: PlaceOrder, booking: Booking, delegation: KnownDelegation): Promise<Checkout> {
    const { orderId, party, request, context } = command;
    const { aggregates, clock, settings } = this.checkouts;
    const now = clock.now();
    const circumstances = { party, booking, delegation, mandateChoice: this.mandateChoice, now, context };
    const checked = await checkOrder(this.checkouts, request, circumstances);
    const checkout: Checkout = { ...checked, orderId, holdBefore: plus(now, settings.hold) };
    const start = { type: 'StartCheckout', checkout } as const;
    const { events } = await aggregates.handle(bookings, request.bookingId, start, context).catch((error: unknown) => {
      throw error instanceof AppendOutcomeUnknown ? new OrderOutcomeUnknown(orderId, error) : error;
    });
    // Opened by another request for this very order, which runs it (rule 3).
    if (events.length === 0) throw new OrderInTheWay('order_in_progress', orderId);
    return checkout;
  }

  private async complete(order: ChallengedOrder, { request, context }: PlaceOrder): Promise<PaidOrder> {
    const finished = await orUnknown(order.checkout.orderId, () =>
      completeChallenge(this.checkouts, order, request, context),
    );
    if (finished === 'waiting') throw new ChallengeRequired(order);
    return this.answer(finished, undefined);
  }

  private async place(checkout: Checkout, { request, context }: PlaceOrder): Promise<PaidOrder> {
    let challenged: ChallengedOrder | null = null;
    let failure: unknown;
    try {
      challenged = await runCheckout(this.checkouts, checkout, request, context);
    } catch (error) {
      // Whatever happened, it is the ledger that decides how the order ends.
      failure = error;
    }
    if (challenged) throw new ChallengeRequired(challenged);
    const ending = { checkout, failure: codeOf(failure) };
    const finished = await orUnknown(checkout.orderId, () => finishCheckout(this.checkouts, ending, context));
    return this.answer(finished, failure);
  }

  /** The paid order, shown in the lists too; else why it failed. */
  private async answer({ order, positions }: FinishedCheckout, failure: unknown): Promise<PaidOrder> {
    await Promise.all(positions.map(([type, position]) => this.readModels.waitFor(type, position)));
    if (order.kind === 'paid') return order;
    const details = failure instanceof DomainError && failure.code === order.failure ? failure.details : undefined;
    throw new DomainError(order.failure, details, { cause: failure });
  }
}

/** Does `work` on an order; where its outcome cannot be known now, the error names the order (rule 7). */
const orUnknown = async <Result>(orderId: string, work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw new OrderOutcomeUnknown(orderId, error);
  }
};

/** Why an order that charged nothing failed: what was refused, or that something broke. */
const codeOf = (failure: unknown): ErrorCode => (failure instanceof DomainError ? failure.code : 'service_unavailable');
