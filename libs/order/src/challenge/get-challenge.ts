import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Aggregates } from '#event-store';
import type { Line } from '#events';
import { Clock, DomainError, type Instant, type Money } from '#kernel';
import { PaymentProcessor } from '#payment';
import type { FailedOrder, OrderChallenge, PlacedOrder } from '../order.decider.js';
import { loadOrder } from '../orders/get-order.js';

/**
 * How a challenge stands. `approved`: the holder confirmed, and the agent has not completed the order yet. `denied`: they
 * refused. `expired`: its time was over, and they had said nothing. `not completed`: its time was over, and they had
 * approved. `failed`: the order ended for another reason, such as its mandate's revocation.
 */
export type ChallengeStatus = 'waiting' | 'approved' | 'denied' | 'expired' | 'not completed' | 'paid' | 'failed';

/** What a holder is asked to confirm. */
export interface ChallengeDetails {
  readonly orderId: string;
  readonly clientId: string;
  readonly mandateId: string;
  readonly line: Line;
  readonly total: Money;
  readonly brand: string;
  readonly last4: string;
  readonly expiresAt: Instant;
  readonly status: ChallengeStatus;
}

/** The challenge of an order, for its holder. */
export class GetChallenge extends Query<ChallengeDetails> {
  constructor(
    readonly orderId: string,
    readonly holder: string,
  ) {
    super();
  }
}

/** @throws DomainError `order_not_found` for an unknown order, another holder's, and one without a challenge */
@QueryHandler(GetChallenge)
export class GetChallengeHandler implements IQueryHandler<GetChallenge> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly processor: PaymentProcessor,
    private readonly clock: Clock,
  ) {}

  async execute({ orderId, holder }: GetChallenge): Promise<ChallengeDetails> {
    const order = await loadOrder(this.aggregates, orderId, holder);
    if (!order?.challenge) throw new DomainError('order_not_found');
    const { clientId, mandateId, line, total } = order.checkout;
    const { challenge } = order;
    return { orderId, clientId, mandateId, line, total, ...challenge, status: await this.statusOf(order, challenge) };
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
