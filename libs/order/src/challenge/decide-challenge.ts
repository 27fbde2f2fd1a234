import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Context, DomainError } from '#kernel';
import { CheckoutDependencies } from '../checkout/checkout-dependencies.js';
import { finishCheckout } from '../checkout/checkout-saga.js';
import { loadOrder } from '../orders/get-order.js';

/** The holder's decision on a challenge. Only their own login session may send it (docs/consistency.md, rule 10). */
export class DecideChallenge extends Command<void> {
  constructor(
    readonly orderId: string,
    readonly holder: string,
    readonly decision: 'approve' | 'deny',
    readonly context: Context,
  ) {
    super();
  }
}

/**
 * Approved: the agent may complete the order. Denied: it is finished at once, so that the money set aside is free. A
 * challenge that was decided before, or too late, stays as it is.
 */
@CommandHandler(DecideChallenge)
export class DecideChallengeHandler implements ICommandHandler<DecideChallenge> {
  constructor(private readonly checkouts: CheckoutDependencies) {}

  async execute({ orderId, holder, decision, context }: DecideChallenge): Promise<void> {
    const { aggregates, processor } = this.checkouts;
    const order = await loadOrder(aggregates, orderId, holder);
    if (!order?.challenge) throw new DomainError('order_not_found');
    await processor.decide(orderId, decision);
    // What is not approved now will never be captured: denied, too late, or over already. Finishing again changes nothing.
    if (await processor.isApproved(orderId)) return;
    const ending = { checkout: order.checkout, order, failure: 'payment_challenge_failed' } as const;
    await finishCheckout(this.checkouts, ending, context);
  }
}
