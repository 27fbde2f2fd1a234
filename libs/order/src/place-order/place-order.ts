import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Booking, bookings, ChangedMeanwhile, loadBooking, OrderInTheWay, untilUnchanged } from '#booking';
import {
  Checkouts,
  finishCheckout,
  type FinishedCheckout,
  isCardRefusal,
  runCheckout,
  Runner,
  type TriedCheckout,
  type Written,
} from '#checkout';
import { type KnownDelegation, requireAuthorizedAgent } from '#mandate';
import { AppendOutcomeUnknown } from '#event-store';
import type { Checkout } from '#events';
import { type Context, DomainError, type ErrorCode, type Party, plus, Unavailable } from '#kernel';
import { AttachedMetadata } from '#metadata';
import { ReadModels } from '#read-models';
import { challengedOrderOf, completeChallenge } from '../challenge/complete-challenge.js';
import type { ChallengedOrder, PaidOrder } from '../order.decider.js';
import { type CheckedOrder, checkOrder, type OrderRequest } from './check-order.js';
import { MandateChoice } from './choose-mandate.js';

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
export class OrderOutcomeUnknown extends Unavailable {
  override readonly name = 'OrderOutcomeUnknown';

  constructor(
    readonly orderId: string,
    cause: unknown,
  ) {
    super(`how the order ${orderId} ends is not known`, { cause });
  }
}

/** The order waits for its holder to confirm the payment; the same request completes it afterwards. */
export class ChallengeRequired extends DomainError {
  constructor(readonly order: ChallengedOrder) {
    super('payment_challenge_required');
  }
}

/** What came of a checkout up to its charge, or why it came no further. */
interface Tried extends Partial<TriedCheckout> {
  readonly checkout: Checkout;
  readonly failure?: unknown;
}

/**
 * Refuses early, opens the checkout, runs its saga up to the charge, and finishes it: after success and failure alike,
 * since the ledger alone knows whether money moved (docs/consistency.md, rules 1 to 7). A booking whose order waits for
 * its holder is completed instead (rule 10).
 *
 * An order has its permit for a refused card from before the checkout opens until its charge is known: whoever waits for a
 * permit, or gets none, holds neither seats nor money and has written nothing.
 *
 * @throws OrderInTheWay, OrderOutcomeUnknown or ChallengeRequired, each about one order, and DomainError
 */
@CommandHandler(PlaceOrder)
export class PlaceOrderHandler implements ICommandHandler<PlaceOrder> {
  constructor(
    private readonly checkouts: Checkouts,
    private readonly mandateChoice: MandateChoice,
    private readonly runner: Runner,
    private readonly readModels: ReadModels,
    private readonly attached: AttachedMetadata,
  ) {}

  async execute(command: PlaceOrder): Promise<PaidOrder> {
    const begun = await untilUnchanged(this.checkouts.clock, () => this.begin(command));
    return begun.waiting ? this.complete(begun.waiting, command) : this.finish(begun.tried, command);
  }

  /** The order that waits for its holder; without one, what came of the checkout that this request has opened. */
  private async begin(command: PlaceOrder) {
    const { aggregates } = this.checkouts;
    const { party, request } = command;
    const delegation = await requireAuthorizedAgent(aggregates, party);
    const booking = await loadBooking(aggregates, request.bookingId);
    const waiting = await challengedOrderOf(aggregates, booking, party);
    if (waiting) return { waiting } as const;
    return { waiting: null, tried: await this.place(command, booking, delegation) } as const;
  }

  private async place(command: PlaceOrder, booking: Booking, delegation: KnownDelegation): Promise<Tried> {
    const { party, request, context } = command;
    const { clock, refusedCards } = this.checkouts;
    const circumstances = { party, booking, delegation, mandateChoice: this.mandateChoice, now: clock.now(), context };
    const checked = await checkOrder(this.checkouts, request, circumstances).catch((error: unknown) =>
      this.refuse(command, error),
    );
    return refusedCards.permitted(party, async () => this.run(await this.open(command, checked, booking), command));
  }

  /** A card that is refused without being charged counts as any other, and only where another one may be refused. */
  private async refuse({ orderId, party }: PlaceOrder, error: unknown): Promise<never> {
    const { refusedCards } = this.checkouts;
    if (isCardRefusal(error)) await refusedCards.permitted(party, () => refusedCards.count(party, orderId));
    throw error;
  }

  /** Takes the booking for this order, and freezes what is being bought (rule 2). */
  private async open(command: PlaceOrder, checked: CheckedOrder, booking: Booking): Promise<Checkout> {
    const { orderId, party, request, context } = command;
    const { aggregates, clock, settings } = this.checkouts;
    await this.attached.keep(orderId, party, request.metadata);
    const checkout: Checkout = { ...checked, orderId, holdBefore: plus(clock.now(), settings.hold) };
    const abandoned = booking.kind === 'none' ? {} : booking.abandoned;
    const start = { type: 'StartCheckout', checkout, runner: this.runner.id, abandoned } as const;
    const { events } = await aggregates.handle(bookings, request.bookingId, start, context).catch((error: unknown) => {
      // Another order has the booking since it was judged. It may wait for its holder, and then this request completes it.
      if (error instanceof OrderInTheWay) throw new ChangedMeanwhile();
      throw error instanceof AppendOutcomeUnknown ? new OrderOutcomeUnknown(orderId, error) : error;
    });
    // Opened by another request for this very order, which runs it (rule 3).
    if (events.length === 0) throw new OrderInTheWay('order_in_progress', orderId);
    return checkout;
  }

  /** Whatever happens here, it is the ledger that decides how the order ends. */
  private async run(checkout: Checkout, { party, request, context }: PlaceOrder): Promise<Tried> {
    const { orderId } = checkout;
    try {
      return { checkout, ...(await runCheckout(this.checkouts, checkout, request, context)) };
    } catch (failure) {
      if (isCardRefusal(failure)) await orUnknown(orderId, () => this.checkouts.refusedCards.count(party, orderId));
      return { checkout, failure };
    }
  }

  private async complete(order: ChallengedOrder, { request, context }: PlaceOrder): Promise<PaidOrder> {
    const finished = await orUnknown(order.checkout.orderId, () =>
      completeChallenge(this.checkouts, order, request, context),
    );
    if (finished === 'waiting') throw new ChallengeRequired(order);
    await this.shown(finished.positions);
    return answerOf(finished.order, undefined);
  }

  private async finish(tried: Tried, { context }: PlaceOrder): Promise<PaidOrder> {
    const { checkout, challenged, outcome, failure, positions = [] } = tried;
    if (challenged) {
      await this.shown(positions);
      throw new ChallengeRequired(challenged);
    }
    const ending = { checkout, outcome, failure: codeOf(failure) };
    const finished = await orUnknown(checkout.orderId, () => finishCheckout(this.checkouts, ending, context));
    await this.shown([...positions, ...finished.positions]);
    return answerOf(finished.order, failure);
  }

  /** Waits for the lists, and for the seats that flights show (rule 25). */
  private async shown(positions: Written): Promise<void> {
    await Promise.all(positions.map(([type, position]) => this.readModels.waitFor(type, position)));
  }
}

/** The paid order; else why it failed. */
const answerOf = (order: FinishedCheckout['order'], failure: unknown): PaidOrder => {
  if (order.kind === 'paid') return order;
  if (failure instanceof DomainError && failure.code === order.failure) throw failure;
  throw new DomainError(order.failure, undefined, { cause: failure });
};

/** Does `work` on an order; where its outcome cannot be known now, the error names the order (rule 7). */
const orUnknown = async <Result>(orderId: string, work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError || error instanceof OrderOutcomeUnknown) throw error;
    throw new OrderOutcomeUnknown(orderId, error);
  }
};

/** Why an order that charged nothing failed: what was refused, or that something broke. */
const codeOf = (failure: unknown): ErrorCode => (failure instanceof DomainError ? failure.code : 'service_unavailable');
