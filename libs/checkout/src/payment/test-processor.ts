import { Collection, type CollectionSpec, type Document, type Documents } from '#documents';
import { type Clock, CURRENCIES, type Ids, type Instant, plus } from '#kernel';
import { type Card, digitsOf, summaryOf } from './card.js';
import type { CardFingerprints } from './card-fingerprints.js';
import {
  type ChargeOutcome,
  type ChargeRequest,
  type FinalOutcome,
  PaymentProcessor,
  type RefundOutcome,
  type RefundRequest,
} from './payment-processor.port.js';
import { z } from 'zod';

/** One row an order: `challenged → approved → captured | refused | closed`, by compare-and-set (rules 4 and 10). */
export const LEDGER: CollectionSpec = { name: 'payment-ledger', indexes: [] };

/** One row an order that something comes back of: `refunded` or `refund_failed`, once (rule 35). */
export const REFUNDS: CollectionSpec = { name: 'payment-refunds', indexes: [] };

const money = z.object({ amount: z.int(), currency: z.enum(CURRENCIES) });
const card = { brand: z.string(), last4: z.string() };
/** There where the card takes no refund: nothing else of it is kept that would say so. */
const refunds = z.literal('refunds').optional();
const reason = z.enum([
  'payment_declined',
  'payment_insufficient_funds',
  'payment_challenge_failed',
  'payment_not_completed',
]);
const finalRow = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('captured'),
    id: z.string(),
    amount: money,
    capturedAt: z.string(),
    refuses: refunds,
    ...card,
  }),
  z.object({ status: z.literal('refused'), reason }),
  z.object({ status: z.literal('closed') }),
]);
/** A charge that waits for the decision of its holder, or for its capture after it. */
const waitingRow = z.object({
  status: z.enum(['challenged', 'approved']),
  amount: money,
  expiresAt: z.string(),
  ...card,
});
const ledgerRow = z.union([finalRow, waitingRow]);

const refundRow = z.discriminatedUnion('status', [
  z.object({ status: z.literal('refunded'), id: z.string(), amount: money, refundedAt: z.string() }),
  z.object({ status: z.literal('refund_failed'), amount: money, failedAt: z.string() }),
]);

export type RefundRow = z.infer<typeof refundRow>;

type RefusalReason = z.infer<typeof reason>;
type FinalRow = z.infer<typeof finalRow>;
type WaitingRow = z.infer<typeof waitingRow>;
export type LedgerRow = FinalRow | WaitingRow;

/** The row of an order, for who audits it; null: there is none. */
export const ledgerRowOf = async (documents: Documents, orderId: string): Promise<LedgerRow | null> =>
  (await new Collection(documents, LEDGER, ledgerRow).get(orderId))?.body ?? null;

/** The row of what came back of an order; null: nothing did, or not yet. */
export const refundRowOf = async (documents: Documents, orderId: string): Promise<RefundRow | null> =>
  (await new Collection(documents, REFUNDS, refundRow).get(orderId))?.body ?? null;

const isWaiting = (row: LedgerRow): row is WaitingRow => row.status === 'challenged' || row.status === 'approved';

/** The outcome that a row stands for. An approved charge still waits, for its capture. */
const outcomeOf = (row: LedgerRow): ChargeOutcome => {
  if (!isWaiting(row)) return row;
  const { expiresAt, brand, last4 } = row;
  return { status: 'challenged', expiresAt, brand, last4 };
};

/** Card numbers that are refused (docs/decisions.md, Test processor). */
const REFUSED: ReadonlyMap<string, RefusalReason> = new Map([
  ['4000000000000002', 'payment_declined'],
  ['4000000000009995', 'payment_insufficient_funds'],
]);
const REFUSES_REFUNDS = '4000000000005126';
const CHALLENGED = '4000000000003220';

const CHALLENGE_FAILED: FinalRow = { status: 'refused', reason: 'payment_challenge_failed' };
const NOT_COMPLETED: FinalRow = { status: 'refused', reason: 'payment_not_completed' };
const CLOSED: FinalRow = { status: 'closed' };

/** What a waiting row becomes at its end: its holder did not confirm, or did and nobody came for the money. */
const lapsed = ({ status }: WaitingRow): FinalRow => (status === 'approved' ? NOT_COMPLETED : CHALLENGE_FAILED);

/** The test processor, with a durable ledger by order: of moves at one moment one wins. Keeps brand, last four, fingerprint. */
export class TestProcessor extends PaymentProcessor {
  private readonly ledger: Collection<LedgerRow>;
  private readonly refunds: Collection<RefundRow>;

  /** `challengeLife`: how long (ms) a challenge waits for its holder. */
  constructor(
    documents: Documents,
    private readonly cards: CardFingerprints,
    private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly challengeLife: number,
  ) {
    super();
    this.ledger = new Collection(documents, LEDGER, ledgerRow);
    this.refunds = new Collection(documents, REFUNDS, refundRow);
  }

  async charge(request: ChargeRequest): Promise<ChargeOutcome> {
    const { orderId, card } = request;
    const row = this.firstRow(request);
    // The fingerprint first: a challenge whose card is not recognized could never be completed.
    if (isWaiting(row)) await this.cards.keep(orderId, card, row.expiresAt);
    if (await this.ledger.insertIfAbsent(orderId, row)) return outcomeOf(row);
    const standing = await this.ledger.get(orderId);
    if (!standing) throw new Error(`the ledger lost the row of order ${orderId}`); // rows are never deleted
    return outcomeOf(standing.body);
  }

  async decide(orderId: string, decision: 'approve' | 'deny'): Promise<boolean> {
    const row = await this.ledger.get(orderId);
    if (row?.body.status !== 'challenged') return false;
    return this.replace(row, decision === 'approve' ? { ...row.body, status: 'approved' } : CHALLENGE_FAILED);
  }

  async isApproved(orderId: string): Promise<boolean> {
    return (await this.ledger.get(orderId))?.body.status === 'approved';
  }

  async capture(orderId: string, notAfter: Instant): Promise<ChargeOutcome> {
    for (;;) {
      const row = await this.ledger.get(orderId);
      if (!row) return CLOSED;
      if (!isWaiting(row.body)) return row.body;
      const next = this.captured(row.body, notAfter);
      if (next === row.body || (await this.replace(row, next))) return outcomeOf(next);
    }
  }

  async close(orderId: string): Promise<FinalOutcome> {
    for (;;) {
      const row = await this.ledger.get(orderId);
      const body = row?.body;
      if (body && !isWaiting(body)) return body;
      const next = body && this.clock.now() >= body.expiresAt ? lapsed(body) : CLOSED;
      if (await (row ? this.replace(row, next) : this.ledger.insertIfAbsent(orderId, next))) return next;
    }
  }

  async refund({ orderId, amount }: RefundRequest): Promise<RefundOutcome> {
    const charge = (await this.ledger.get(orderId))?.body;
    if (charge?.status !== 'captured') throw new Error(`nothing was captured for order ${orderId}`);
    const { amount: captured, refuses } = charge;
    if (amount.currency !== captured.currency || amount.amount > captured.amount || amount.amount <= 0)
      throw new Error(`order ${orderId} is refunded with another amount than was captured`);
    const now = this.clock.now();
    const row = refuses
      ? ({ status: 'refund_failed', amount, failedAt: now } as const)
      : ({ status: 'refunded', id: this.ids.next(), amount, refundedAt: now } as const);
    if (await this.refunds.insertIfAbsent(orderId, row)) return row;
    const standing = await this.refunds.get(orderId);
    if (!standing) throw new Error(`the ledger lost the refund of order ${orderId}`); // rows are never deleted
    if (standing.body.amount.amount !== amount.amount) throw new Error(`order ${orderId} was refunded otherwise`);
    return standing.body;
  }

  wasCard(orderId: string, card: Card): Promise<boolean> {
    return this.cards.matches(orderId, card);
  }

  private firstRow({ amount, card, notAfter }: ChargeRequest): LedgerRow {
    const now = this.clock.now();
    if (now > notAfter) return CLOSED;
    const digits = digitsOf(card);
    const reason = REFUSED.get(digits);
    if (reason) return { status: 'refused', reason };
    const summary = summaryOf(card);
    return digits === CHALLENGED
      ? { status: 'challenged', amount, expiresAt: plus(now, this.challengeLife), ...summary }
      : {
          status: 'captured',
          id: this.ids.next(),
          amount,
          capturedAt: now,
          ...(digits === REFUSES_REFUNDS && { refuses: 'refunds' }),
          ...summary,
        };
  }

  /** The row that a waiting one becomes when it is captured; the same row while its holder has not decided. */
  private captured(row: WaitingRow, notAfter: Instant): LedgerRow {
    const now = this.clock.now();
    if (now >= row.expiresAt) return lapsed(row);
    if (row.status === 'challenged') return row;
    if (now > notAfter) return CLOSED;
    const { amount, brand, last4 } = row;
    return { status: 'captured', id: this.ids.next(), amount, capturedAt: now, brand, last4 };
  }

  /** Replaces a row that waits; returns false if it has changed since it was read. */
  private async replace(row: Document<LedgerRow>, next: LedgerRow): Promise<boolean> {
    const isReplaced = await this.ledger.replace(row, next);
    if (isReplaced && !isWaiting(next))
      await (next === CLOSED ? this.cards.forget(row.id) : this.cards.forgetSoon(row.id));
    return isReplaced;
  }
}
