import { Injectable } from '@nestjs/common';
import { flights } from '#catalog';
import { Documents } from '#documents';
import { Aggregates } from '#event-store';
import { type Checkout } from '#events';
import { Clock, type Context, DomainError, earliest, type Instant, plus } from '#kernel';
import { mandates, refusedCharge } from '#mandate';
import { type Card, type ChargeOutcome, PaymentProcessor } from '#payment';
import { BUYERS } from './buyers.js';
import { ChallengeSlots } from './challenge-slots.js';
import { orders } from './order.decider.js';
import { OrderSettings } from './order-settings.js';
import type { PlacedOrder } from './order.state.js';
import type { Buyer } from './place-order.command.js';

/**
 * The way of an open checkout up to the charge (docs/decisions.md, Order). Only the request whose own append opened
 * the checkout walks it (rule 3). Whatever comes of it, the checkout is settled afterwards, unless it waits for its
 * holder.
 */
@Injectable()
export class Walk {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly documents: Documents,
    private readonly processor: PaymentProcessor,
    private readonly slots: ChallengeSlots,
    private readonly clock: Clock,
    private readonly settings: OrderSettings,
  ) {}

  /**
   * Answers the order, if it now waits for its holder.
   *
   * @throws DomainError of seats or mandate, `rate_limited` with too many challenges waiting; what the processor says is in
   * its ledger
   */
  async go(checkout: Checkout, card: Card, buyer: Buyer | undefined, context: Context): Promise<PlacedOrder | null> {
    const { orderId, total } = checkout;
    await this.holdSeats(checkout, context);
    if (buyer) await this.documents.insert(BUYERS.name, orderId, buyer);
    await this.aggregates.handle(orders, orderId, { type: 'PlaceOrder', checkout }, context);
    const expiresAt = await this.reserve(checkout, context);
    const notAfter = earliest(expiresAt, plus(this.clock.now(), this.settings.charge));
    const outcome = await this.processor.charge({ orderId, amount: total, card, notAfter });
    return outcome.status === 'challenged' ? this.challenge(checkout, outcome, context) : null;
  }

  private async holdSeats({ orderId, line, holdBefore }: Checkout, context: Context): Promise<void> {
    const command = { type: 'HoldSeats', orderId, seats: line.passengers, holdBefore } as const;
    await this.aggregates.handle(flights, line.flightNumber, command, context);
  }

  /** Sets the money aside, before any charge; answers when the mandate expires. */
  private async reserve(checkout: Checkout, context: Context): Promise<Instant> {
    const { orderId, mandateId, holder, clientId, total: amount, holdBefore } = checkout;
    const command = { type: 'Reserve', orderId, holder, clientId, amount, holdBefore } as const;
    const { events, state } = await this.aggregates.handle(mandates, mandateId, command, context);
    if (state.kind !== 'granted') throw new Error(`mandate ${mandateId} reserved without being granted`);
    for (const event of events) {
      if (event.type === 'MandateChargeRefused') throw refusedCharge(event.data.reason, state, amount);
    }
    return state.expiresAt;
  }

  /** Writes down that the holder is asked; null where the order was settled meanwhile. */
  private async challenge(
    { orderId, holder }: Checkout,
    { brand, last4, expiresAt }: Extract<ChargeOutcome, { status: 'challenged' }>,
    context: Context,
  ): Promise<PlacedOrder | null> {
    if (!(await this.slots.take(holder, orderId, expiresAt))) throw new DomainError('rate_limited');
    const command = { type: 'ChallengePayment', brand, last4, expiresAt } as const;
    const { state } = await this.aggregates.handle(orders, orderId, command, context);
    return state.kind === 'pending' ? state : null;
  }
}
