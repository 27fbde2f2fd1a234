import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Aggregates } from '#event-store';
import { Clock, DomainError, type Instant } from '#kernel';
import { PaymentProcessor } from '#payment';
import { type ChallengeDetails, type ChallengeStatus, GetChallenge } from './get-challenge.query.js';
import { loadOrder } from './load-order.js';
import type { FailedOrder, OrderChallenge, PlacedOrder } from './order.state.js';

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

  private async statusOf(order: PlacedOrder, { expiresAt }: OrderChallenge): Promise<ChallengeStatus> {
    if (order.kind === 'paid') return 'paid';
    if (order.kind === 'failed') return endOf(order, expiresAt);
    if (this.clock.now() >= expiresAt) return 'expired';
    return (await this.processor.isApproved(order.checkout.orderId)) ? 'approved' : 'waiting';
  }
}

/** A challenge that failed before its time was over was refused. */
const endOf = ({ failure, failedAt }: FailedOrder, expiresAt: Instant): ChallengeStatus => {
  if (failure !== 'payment_challenge_failed') return 'failed';
  return failedAt < expiresAt ? 'denied' : 'expired';
};
