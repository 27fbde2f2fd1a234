import { Injectable } from '@nestjs/common';
import { ReadModelStore } from '#documents';
import { Aggregates } from '#event-store';
import type { Line } from '#events';
import { Clock, type Context, DomainError, type Instant, type Money } from '#kernel';
import { Checkouts, finishCheckout, followDecision, PaymentProcessor } from '#checkout';
import { ReadModels } from '#read-models';
import {
  type FailedOrder,
  isChallenged,
  type OrderChallenge,
  orders,
  type PaymentDecision,
  type PlacedOrder,
} from '../order.decider.js';
import { loadOrder } from '../orders/orders.js';
import { type OrderListItem, ordersProjection } from '../orders/orders.projection.js';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

/** `expired`: its time ended without a word; `not completed`: it ended approved; `failed`: the order ended for another reason. */
export type ChallengeStatus = 'waiting' | 'approved' | 'denied' | 'expired' | 'not completed' | 'paid' | 'failed';

export interface ChallengeDetails {
  readonly orderId: string;
  readonly clientId: string;
  readonly mandateId: string;
  readonly bookingId: string;
  readonly line: Line;
  readonly total: Money;
  readonly brand: string;
  readonly last4: string;
  readonly expiresAt: Instant;
  readonly status: ChallengeStatus;
}

/** Pending orders looked at: a holder has few, since few challenges may wait at once (docs/consistency.md, rule 10). */
const AT_MOST = 100;

@Injectable()
export class Challenges {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly processor: PaymentProcessor,
    private readonly clock: Clock,
    private readonly store: ReadModelStore,
    private readonly readModels: ReadModels,
  ) {}

  /** @throws DomainError `order_not_found` for an unknown order, another holder's, and one without a challenge */
  async get(orderId: string, holder: string): Promise<ChallengeDetails> {
    const order = await loadOrder(this.aggregates, orderId, holder);
    if (!order?.challenge) throw new DomainError('order_not_found');
    const { clientId, mandateId, bookingId, line, total } = order.checkout;
    const { challenge } = order;
    return {
      orderId,
      clientId,
      mandateId,
      bookingId,
      line,
      total,
      ...challenge,
      status: await this.statusOf(order, challenge),
    };
  }

  /** Those that wait for a holder's decision now, the newest first. The list only hints at them; stream and ledger say how each stands. */
  async waiting(holder: string): Promise<readonly ChallengeDetails[]> {
    const pending = await this.store.find<OrderListItem>(await this.readModels.upToDate(ordersProjection), {
      where: [
        { field: 'holder', equals: holder },
        { field: 'kind', equals: 'pending' },
      ],
      sort: { field: 'placedAt', direction: 'descending' },
      limit: AT_MOST,
    });
    const challenged = pending.filter(({ body }) => isChallenged(body));
    const challenges = await Promise.all(challenged.map(({ id }) => this.get(id, holder)));
    return challenges.filter(({ status }) => status === 'waiting');
  }

  private async statusOf(order: PlacedOrder, { expiresAt, decided }: OrderChallenge): Promise<ChallengeStatus> {
    if (order.kind === 'paid') return 'paid';
    if (decided?.decision === 'deny') return 'denied';
    if (order.kind === 'failed') return endOf(order, expiresAt);
    const isOver = this.clock.now() >= expiresAt;
    // One that is older than the events of decisions may be approved in the ledger alone.
    const isApproved = decided !== null || (await this.processor.isApproved(order.checkout.orderId));
    if (isOver) return isApproved ? 'not completed' : 'expired';
    return isApproved ? 'approved' : 'waiting';
  }
}

/** A challenge of before, without the event of a decision, was refused where it failed before its time was over. */
const endOf = ({ failure, failedAt }: FailedOrder, expiresAt: Instant): ChallengeStatus => {
  if (failure === 'payment_not_completed') return 'not completed';
  if (failure !== 'payment_challenge_failed') return 'failed';
  return failedAt < expiresAt ? 'denied' : 'expired';
};

/** The holder's decision on a challenge. Only their own login session may send it (docs/consistency.md, rule 10). */
export class DecideChallenge extends Command<void> {
  constructor(
    readonly orderId: string,
    readonly holder: string,
    readonly decision: PaymentDecision,
    readonly context: Context,
  ) {
    super();
  }
}

/** The stream has the word, and the ledger follows. Denied, the order is finished at once; a second or late word changes nothing. */
@CommandHandler(DecideChallenge)
export class DecideChallengeHandler implements ICommandHandler<DecideChallenge> {
  constructor(private readonly checkouts: Checkouts) {}

  async execute({ orderId, holder, decision, context }: DecideChallenge): Promise<void> {
    const { aggregates, processor } = this.checkouts;
    const asked = await loadOrder(aggregates, orderId, holder);
    if (!asked?.challenge) throw new DomainError('order_not_found');
    // Approved before; in the ledger alone, where the challenge is older than the events of decisions.
    if (await processor.isApproved(orderId)) return;
    const command = { type: 'DecidePayment', decision } as const;
    const { state: order } = await aggregates.handle(orders, orderId, command, context);
    await followDecision(processor, order);
    // What is not approved now will never be captured: denied, too late, or over already. Finishing again changes nothing.
    if (await processor.isApproved(orderId)) return;
    const ending = { checkout: asked.checkout, order, failure: 'payment_challenge_failed' } as const;
    await finishCheckout(this.checkouts, ending, context);
  }
}
