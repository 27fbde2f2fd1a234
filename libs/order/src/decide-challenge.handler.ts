import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Aggregates } from '#event-store';
import { DomainError } from '#kernel';
import { PaymentProcessor } from '#payment';
import { DecideChallenge } from './decide-challenge.command.js';
import { loadOrder } from './load-order.js';
import { Settlement } from './settlement.js';

/**
 * Approved: the agent may complete the order. Denied: it is settled at once, so that the money set aside is free. A
 * challenge that was decided before, or is too late, stays as it is.
 */
@CommandHandler(DecideChallenge)
export class DecideChallengeHandler implements ICommandHandler<DecideChallenge> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly processor: PaymentProcessor,
    private readonly settlement: Settlement,
  ) {}

  async execute({ orderId, holder, decision, context }: DecideChallenge): Promise<void> {
    const order = await loadOrder(this.aggregates, orderId, holder);
    if (!order?.challenge) throw new DomainError('order_not_found');
    await this.processor.decide(orderId, decision);
    // What is not approved now will never be captured: denied, too late, or over already. Settling again changes nothing.
    if (!(await this.processor.isApproved(orderId))) {
      await this.settlement.settle(order.checkout, 'payment_challenge_failed', context);
    }
  }
}
