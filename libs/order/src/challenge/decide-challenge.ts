import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Checkouts, finishCheckout, followDecision } from '#checkout';
import { type Context, DomainError } from '#kernel';
import { orders, type PaymentDecision } from '../order.decider.js';
import { loadOrder } from '../orders/orders.js';

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
