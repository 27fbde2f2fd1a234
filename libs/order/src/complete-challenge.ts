import { Injectable } from '@nestjs/common';
import { Aggregates } from '#event-store';
import { Clock, type Context, DomainError, earliest, type ErrorCode, type Instant, plus, sameMoney } from '#kernel';
import { mandates, statusOf } from '#mandate';
import { PaymentProcessor } from '#payment';
import { OrderSettings } from './order-settings.js';
import type { PlacedOrder } from './order.state.js';
import type { OrderRequest } from './place-order.command.js';
import { type Settled, Settlement } from './settlement.js';

/** What came of trying to complete: the order's end, or that the holder has not decided yet. */
export type Completion = Settled | 'waiting';

/** Completes a challenged order when its agent orders the same again (docs/consistency.md, rules 10 and 11). */
@Injectable()
export class ChallengeCompletion {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly processor: PaymentProcessor,
    private readonly settlement: Settlement,
    private readonly clock: Clock,
    private readonly settings: OrderSettings,
  ) {}

  /** Whether this is the wish of the order that waits: neither another card nor another mandate (rule 10). */
  async isSame({ checkout }: PlacedOrder, { mandateId = checkout.mandateId, card }: OrderRequest): Promise<boolean> {
    return mandateId === checkout.mandateId && (await this.processor.wasCard(checkout.orderId, card));
  }

  /**
   * Captures what the holder approved, the mandate judged anew, and settles.
   *
   * @throws DomainError `order_in_progress` for another card or mandate, `total_changed`
   */
  async complete(order: PlacedOrder, request: OrderRequest, context: Context): Promise<Completion> {
    const { checkout } = order;
    const { orderId, mandateId, total } = checkout;
    if (!(await this.isSame(order, request))) throw new DomainError('order_in_progress', { orderId });
    if (request.expectedTotal && !sameMoney(request.expectedTotal, total)) throw new DomainError('total_changed');

    const { refusal, expiresAt } = await this.authorizeCharge(mandateId);
    if (refusal) return this.settlement.settle(checkout, refusal, context);
    const notAfter = earliest(expiresAt, plus(this.clock.now(), this.settings.charge));
    const outcome = await this.processor.capture(orderId, notAfter);
    if (outcome.status === 'challenged') return 'waiting';
    // Closed without a word of the holder: the time the mandate left was over.
    return this.settlement.settle(checkout, 'mandate_expired', context);
  }

  private async authorizeCharge(
    mandateId: string,
  ): Promise<{ readonly refusal: ErrorCode | null; readonly expiresAt: Instant }> {
    const { state } = await this.aggregates.load(mandates, mandateId);
    if (state.kind !== 'granted') throw new Error(`mandate ${mandateId} of an order was never granted`);
    const status = statusOf(state, this.clock.now());
    const refusal = status === 'revoked' ? 'mandate_revoked' : status === 'expired' ? 'mandate_expired' : null;
    return { refusal, expiresAt: state.expiresAt };
  }
}
