import { type Document, type Documents, DuplicateDocument } from '#documents';
import { type Clock, type ErrorCode, type Ids, type Instant, plus } from '#kernel';
import { type Card, digitsOf, summaryOf } from './card.js';
import type { CardFingerprints } from './card-fingerprints.js';
import { isWaiting, LEDGER, type LedgerRow, outcomeOf, type WaitingRow } from './ledger-row.js';
import {
  type ChargeOutcome,
  type ChargeRequest,
  type FinalOutcome,
  PaymentProcessor,
} from './payment-processor.port.js';

/** Card numbers that are refused (docs/decisions.md, Test processor). */
const REFUSED: ReadonlyMap<string, ErrorCode> = new Map([
  ['4000000000000002', 'payment_declined'],
  ['4000000000009995', 'payment_insufficient_funds'],
]);
/** The card whose holder is asked. */
const CHALLENGED = '4000000000003220';

const CHALLENGE_FAILED: FinalOutcome = { status: 'refused', reason: 'payment_challenge_failed' };
const CLOSED: FinalOutcome = { status: 'closed' };

/**
 * The test payment processor: a separate, durable ledger, unique by order id. Of a charge, a decision and a `close` at
 * the same moment exactly one moves the row. Nothing of a card is kept but brand and last four digits and, for a
 * challenge, a keyed trace for a while.
 */
export class TestProcessor extends PaymentProcessor {
  /** `challengeLife`: how long a challenge waits for its holder, in ms. */
  constructor(
    private readonly documents: Documents,
    private readonly traces: CardFingerprints,
    private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly challengeLife: number,
  ) {
    super();
  }

  async charge(request: ChargeRequest): Promise<ChargeOutcome> {
    const row = this.judge(request);
    // The trace first: a challenge whose card nobody knows again could never be completed.
    if (isWaiting(row)) await this.traces.keep(request.orderId, request.card, row.expiresAt);
    return outcomeOf(await this.first(request.orderId, row));
  }

  async decide(orderId: string, decision: 'approve' | 'deny'): Promise<boolean> {
    const row = await this.row(orderId);
    if (row?.body.status !== 'challenged' || this.clock.now() >= row.body.expiresAt) return false;
    return this.move(orderId, row, decision === 'approve' ? { ...row.body, status: 'approved' } : CHALLENGE_FAILED);
  }

  async isApproved(orderId: string): Promise<boolean> {
    return (await this.row(orderId))?.body.status === 'approved';
  }

  async capture(orderId: string, notAfter: Instant): Promise<ChargeOutcome> {
    return outcomeOf(
      await this.moved(orderId, (row) => {
        const now = this.clock.now();
        if (now >= row.expiresAt) return CHALLENGE_FAILED;
        if (row.status === 'challenged') return row;
        if (now > notAfter) return CLOSED;
        const { amount, brand, last4 } = row;
        return { status: 'captured', id: this.ids.next(), amount, brand, last4, capturedAt: now };
      }),
    );
  }

  async close(orderId: string): Promise<FinalOutcome> {
    await this.first(orderId, CLOSED);
    const row = await this.moved(orderId, ({ expiresAt }) =>
      this.clock.now() >= expiresAt ? CHALLENGE_FAILED : CLOSED,
    );
    if (isWaiting(row)) throw new Error(`the charge of order ${orderId} was closed and still waits`);
    return row;
  }

  wasCard(orderId: string, card: Card): Promise<boolean> {
    return this.traces.matches(orderId, card);
  }

  private judge({ amount, card, notAfter }: ChargeRequest): LedgerRow {
    const now = this.clock.now();
    if (now > notAfter) return CLOSED;
    const digits = digitsOf(card);
    const reason = REFUSED.get(digits);
    if (reason) return { status: 'refused', reason };
    const summary = summaryOf(card);
    return digits === CHALLENGED
      ? { status: 'challenged', amount, expiresAt: plus(now, this.challengeLife), ...summary }
      : { status: 'captured', id: this.ids.next(), amount, capturedAt: now, ...summary };
  }

  /** The row that stands: this one, or the one that was there before. */
  private async first(orderId: string, row: LedgerRow): Promise<LedgerRow> {
    try {
      await this.documents.insert(LEDGER.name, orderId, row);
      return row;
    } catch (error) {
      const standing = error instanceof DuplicateDocument ? await this.row(orderId) : null;
      // Rows are never deleted: one that was there is there.
      if (!standing) throw error;
      return standing.body;
    }
  }

  /** The row after `next`, applied while it waits; applied anew where somebody else moved it first. */
  private async moved(orderId: string, next: (row: WaitingRow) => LedgerRow): Promise<LedgerRow> {
    for (;;) {
      const row = await this.row(orderId);
      if (!row) return CLOSED;
      if (!isWaiting(row.body)) return row.body;
      const to = next(row.body);
      if (to === row.body || (await this.move(orderId, row, to))) return to;
    }
  }

  private async move(orderId: string, { version }: Document<LedgerRow>, to: LedgerRow): Promise<boolean> {
    const isMoved = await this.documents.replace(LEDGER.name, orderId, version, to);
    if (isMoved && !isWaiting(to)) {
      await (to === CLOSED ? this.traces.forget(orderId) : this.traces.forgetSoon(orderId));
    }
    return isMoved;
  }

  private row(orderId: string): Promise<Document<LedgerRow> | null> {
    return this.documents.get<LedgerRow>(LEDGER.name, orderId);
  }
}
