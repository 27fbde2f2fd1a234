import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Aggregates } from '#event-store';
import { ChallengeCompletion } from './complete-challenge.js';
import { OrderToComplete } from './order-to-complete.query.js';
import { waitingOrder } from './waiting-order.js';

/** So that an `Idempotency-Key` knows the order again that its request completed (docs/consistency.md, rules 10 and 21). */
@QueryHandler(OrderToComplete)
export class OrderToCompleteHandler implements IQueryHandler<OrderToComplete> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly completion: ChallengeCompletion,
  ) {}

  async execute({ party, request }: OrderToComplete) {
    const order = await waitingOrder(this.aggregates, party, request.bookingId);
    return order && (await this.completion.isSame(order, request)) ? order.checkout.orderId : null;
  }
}
