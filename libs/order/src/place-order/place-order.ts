import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  bookings,
  bookingToOrder,
  ChangedMeanwhile,
  checkTravellers,
  type ExistingBooking,
  isNobody,
  orderable,
  OrderInTheWay,
  type People,
  type TakenBooking,
  Travellers,
  untilUnchanged,
} from '#booking';
import { flights } from '#catalog';
import {
  Checkouts,
  finishCheckout,
  type FinishedCheckout,
  isCardRefusal,
  LeftOpen,
  runCheckout,
  Runner,
  type TriedCheckout,
} from '#checkout';
import { type KnownDelegation, requireAuthorizedAgent } from '#mandate';
import { AppendOutcomeUnknown, type Position } from '#event-store';
import type { Checkout } from '#events';
import { type Context, DomainError, isId, type Party, plus, Unavailable } from '#kernel';
import { AttachedMetadata } from '#http';
import { ReadModels } from '#read-models';
import { challengedOrderOf, completeChallenge, type WaitingOrder } from '../challenge/complete-challenge.js';
import type { ChallengedOrder, ChargedOrder } from '../order.decider.js';
import { type CheckedOrder, checkOrder, type OrderRequest } from './check-order.js';
import { MandateChoice } from './choose-mandate.js';

/** A paid order, and who flies where this request placed it; undefined: it completed one that was placed before. */
export type BoughtOrder = ChargedOrder & { readonly people?: People | undefined };

/** Confirms a booking: charges it and issues the ticket. `orderId` is minted by the caller. */
export class PlaceOrder extends Command<BoughtOrder> {
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

/** How far a checkout came by its charge. `failure`: why it came no further. */
interface Tried extends TriedCheckout {
  readonly checkout: Checkout;
  readonly people?: People;
  readonly failure?: DomainError;
}

/** Places an order, or completes one that waits (rules 1 to 7, 10). @throws OrderInTheWay, OrderOutcomeUnknown, ChallengeRequired */
@CommandHandler(PlaceOrder)
export class PlaceOrderHandler implements ICommandHandler<PlaceOrder> {
  constructor(
    private readonly checkouts: Checkouts,
    private readonly mandateChoice: MandateChoice,
    private readonly runner: Runner,
    private readonly leftOpen: LeftOpen,
    private readonly readModels: ReadModels,
    private readonly attached: AttachedMetadata,
    private readonly travellers: Travellers,
  ) {}

  execute(command: PlaceOrder): Promise<BoughtOrder> {
    const { aggregates, clock } = this.checkouts;
    const { party, request } = command;
    return untilUnchanged(clock, async () => {
      const delegation = await requireAuthorizedAgent(aggregates, party);
      const booking = await bookingToOrder(aggregates, request.bookingId);
      const waiting = booking.kind === 'checkout' ? await challengedOrderOf(aggregates, booking, party) : null;
      if (waiting) return this.complete(command, waiting);
      return this.place(command, orderable(booking, party), delegation).catch((error: unknown) => {
        if (error instanceof OrderOutcomeUnknown) this.leftOpen.add(request.bookingId, command.orderId);
        throw error;
      });
    });
  }

  private async complete({ request, context }: PlaceOrder, order: WaitingOrder): Promise<ChargedOrder> {
    const finished = await orUnknown(order.checkout.orderId, () =>
      completeChallenge(this.checkouts, order, request, context),
    );
    if (finished === 'waiting') throw new ChallengeRequired(order);
    await this.shown(finished.releasedAt);
    return paid(finished.order);
  }

  private async place(
    command: PlaceOrder,
    booking: ExistingBooking,
    delegation: KnownDelegation,
  ): Promise<BoughtOrder> {
    const { orderId, party, request, context } = command;
    const { mandateChoice } = this;
    const { refusedCards, outcomes } = this.checkouts;
    /** What is refused before there is an order stands in no order. */
    const refused = (error: unknown): never => {
      if (error instanceof DomainError) {
        const { bookingId, mandateId = '' } = request;
        const ids = { bookingId, mandateId: isId(mandateId) ? mandateId : undefined, clientId: party.clientId };
        outcomes.refused(ids, booking.choice.total, error.code, context);
      }
      throw error;
    };
    const circumstances = { party, booking, delegation, mandateChoice, context };
    const judged = checkOrder(this.checkouts, request, circumstances).catch(async (error: unknown) => {
      // A card that is refused without being charged counts as any other, and only where another one may be refused.
      if (isCardRefusal(error)) await refusedCards.permitted(party, () => refusedCards.count(party, orderId));
      throw error;
    });
    const checked = await judged.catch(refused);
    const { challenged, heldAt, failure, people, ...tried } = await refusedCards
      .permitted(party, async () => this.run(command, await this.open(command, checked, booking)))
      .catch(refused);
    if (challenged) {
      await this.shown(heldAt);
      throw new ChallengeRequired(challenged);
    }
    const ending = { ...tried, failure: failure?.code ?? 'service_unavailable' };
    const finished = await orUnknown(orderId, () => finishCheckout(this.checkouts, ending, context));
    await this.shown(finished.releasedAt ?? heldAt);
    return { ...paid(finished.order, failure), people };
  }

  /** Takes the booking for this order, and freezes what is being bought (rule 2). */
  private async open(
    { orderId, party, request, context }: PlaceOrder,
    { terms, judged, accepted }: CheckedOrder,
    { abandoned }: ExistingBooking,
  ): Promise<TakenBooking> {
    const { aggregates, clock, settings } = this.checkouts;
    await this.attached.keep(orderId, party, request.metadata);
    const named = !isNobody(request.people ?? {});
    const { bookingId, ap2 } = request;
    const holdBefore = plus(clock.now(), settings.hold);
    const checkout: Checkout = { ...terms, orderId, holdBefore, named, ...(ap2 && { ap2 }) };
    const start = { type: 'StartCheckout', checkout, judged, accepted, runner: this.runner.id, abandoned } as const;
    const { events, state } = await aggregates.handle(bookings, bookingId, start, context).catch((error: unknown) => {
      // Another order has the booking since it was judged. It may wait for its holder, and then this request completes it.
      if (error instanceof OrderInTheWay && error.code !== 'mandate_redeemed') throw new ChangedMeanwhile();
      throw error instanceof AppendOutcomeUnknown ? new OrderOutcomeUnknown(orderId, error) : error;
    });
    // Opened by another request for this very order, which runs it (rule 3).
    if (events.length === 0) throw new OrderInTheWay('order_in_progress', orderId);
    if (state.kind !== 'checkout') throw new ChangedMeanwhile(); // never right after it was opened
    return state;
  }

  /** Whatever happens here, it is the ledger that decides how the order ends. */
  private async run(command: PlaceOrder, booking: TakenBooking): Promise<Tried> {
    const { orderId, party, request, context } = command;
    const { checkout } = booking;
    try {
      const note = () => this.keepPeople(command, booking);
      const { noted: people, ...tried } = await runCheckout(this.checkouts, checkout, { ...request, note }, context);
      return { checkout, people, ...tried };
    } catch (error) {
      if (isCardRefusal(error)) await orUnknown(orderId, () => this.checkouts.refusedCards.count(party, orderId));
      const isRefusal = error instanceof DomainError;
      const failure = isRefusal ? error : new DomainError('service_unavailable', undefined, { cause: error });
      return { checkout, challenged: null, outcome: undefined, heldAt: null, failure };
    }
  }

  /** Keeps with the order who flies: what the request leaves out is as the booking has it, which nobody is told any more to have changed. */
  private async keepPeople({ party, request }: PlaceOrder, booking: TakenBooking): Promise<People> {
    const { bookingId: id, named, checkout } = booking;
    const { orderId, line } = checkout;
    const people = { ...(await this.travellers.of({ id, named }, party)), ...request.people };
    checkTravellers(people, line.passengers, { now: this.checkouts.clock.now(), departs: line.departureDate });
    await this.travellers.keep(orderId, party, people);
    return people;
  }

  /** Waits for the seats that flights show (rule 25). */
  private async shown(changedAt: Position | null): Promise<void> {
    await this.readModels.waitFor(flights, changedAt);
  }
}

/** The paid order; else why it failed, as `failure` says it where that is the reason. */
const paid = (order: FinishedCheckout['order'], failure?: DomainError): ChargedOrder => {
  if (order.kind !== 'failed') return order;
  throw order.failure === failure?.code ? failure : new DomainError(order.failure, undefined, { cause: failure });
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
