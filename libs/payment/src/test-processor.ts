import { type CollectionSpec, type Documents, DuplicateDocument } from '#documents';
import type { Clock, ErrorCode, Ids } from '#kernel';
import { digitsOf, summaryOf } from './card.js';
import { type ChargeOutcome, type ChargeRequest, PaymentProcessor } from './payment-processor.port.js';

/** The ledger's collection: one row an order, which never changes once it is there. */
export const LEDGER: CollectionSpec = { name: 'payment-ledger', indexes: [] };

/** Card numbers that do not simply succeed (design.md §5, Test processor). */
const REFUSED: ReadonlyMap<string, ErrorCode> = new Map([
  ['4000000000000002', 'payment_declined'],
  ['4000000000009995', 'payment_insufficient_funds'],
  ['4000000000003220', 'payment_declined'],
]);

/**
 * The test payment processor: a separate, durable ledger, unique by order id. The row is inserted with its final
 * outcome, so that of a charge and a `close` at the same moment exactly one decides (consistency.md, rule 4). Nothing of
 * the card is kept but brand and last four digits.
 */
export class TestProcessor extends PaymentProcessor {
  constructor(
    private readonly documents: Documents,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {
    super();
  }

  charge(request: ChargeRequest): Promise<ChargeOutcome> {
    return this.decide(request.orderId, this.judge(request));
  }

  close(orderId: string): Promise<ChargeOutcome> {
    return this.decide(orderId, { status: 'closed' });
  }

  private judge({ amount, card, notAfter }: ChargeRequest): ChargeOutcome {
    const now = this.clock.now();
    if (now > notAfter) return { status: 'closed' };
    const reason = REFUSED.get(digitsOf(card));
    if (reason) return { status: 'refused', reason };
    return { status: 'captured', id: this.ids.next(), amount, capturedAt: now, ...summaryOf(card) };
  }

  /** The outcome that stands: this one, or the one that was there before. */
  private async decide(orderId: string, outcome: ChargeOutcome): Promise<ChargeOutcome> {
    try {
      await this.documents.insert(LEDGER.name, orderId, outcome);
      return outcome;
    } catch (error) {
      if (!(error instanceof DuplicateDocument)) throw error;
      const row = await this.documents.get<ChargeOutcome>(LEDGER.name, orderId);
      // Rows are never deleted: one that was there is there.
      if (!row) throw error;
      return row.body;
    }
  }
}
