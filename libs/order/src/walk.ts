import { flightDecider } from '#catalog';
import type { Documents } from '#documents';
import type { Aggregates } from '#event-store';
import { type Checkout, flightStream, mandateStream, orderStream } from '#events';
import { type Clock, type Context, earliest, type Instant, plus } from '#kernel';
import { mandateDecider, refusedCharge } from '#mandate';
import type { Card, PaymentProcessor } from '#payment';
import { BUYERS } from './buyers.js';
import { orderDecider } from './order.decider.js';
import type { Buyer } from './place-order.command.js';

/** How long the processor may take to capture, in ms (consistency.md, rule 9). */
const CHARGE_MILLISECONDS = 30_000;

/**
 * The way of an open checkout up to the charge (design.md §2, steps 6 to 9). Only the request whose own append opened
 * the checkout walks it (rule 3). Whatever comes of it, the checkout is settled afterwards.
 */
export class Walk {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly documents: Documents,
    private readonly processor: PaymentProcessor,
    private readonly clock: Clock,
  ) {}

  /** @throws Refusal of seats or mandate; what the processor says is in its ledger. */
  async go(checkout: Checkout, card: Card, buyer: Buyer | undefined, context: Context): Promise<void> {
    const { orderId, total } = checkout;
    await this.holdSeats(checkout, context);
    if (buyer) await this.documents.insert(BUYERS.name, orderId, buyer);
    await this.aggregates.handle(orderStream(orderId), orderDecider, { type: 'PlaceOrder', checkout }, context);
    const expiresAt = await this.reserve(checkout, context);
    const notAfter = earliest(expiresAt, plus(this.clock.now(), CHARGE_MILLISECONDS));
    await this.processor.charge({ orderId, amount: total, card, notAfter });
  }

  private async holdSeats({ orderId, line, holdBefore }: Checkout, context: Context): Promise<void> {
    const command = { type: 'HoldSeats', orderId, seats: line.passengers, holdBefore } as const;
    await this.aggregates.handle(flightStream(line.flightNumber), flightDecider, command, context);
  }

  /** Sets the money aside, before any charge; answers when the mandate expires. */
  private async reserve(checkout: Checkout, context: Context): Promise<Instant> {
    const { orderId, mandateId, holder, clientId, total: amount, holdBefore } = checkout;
    const command = { type: 'Reserve', orderId, holder, clientId, amount, holdBefore } as const;
    const { events, state } = await this.aggregates.handle(mandateStream(mandateId), mandateDecider, command, context);
    if (state.kind !== 'granted') throw new Error(`mandate ${mandateId} reserved without being granted`);
    for (const event of events) {
      if (event.type === 'MandateChargeRefused') throw refusedCharge(event.data.reason, state, amount);
    }
    return state.expiresAt;
  }
}
