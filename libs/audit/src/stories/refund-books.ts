import { type RefundRow, refundRowOf, REFUNDS } from '#checkout';
import type { Documents } from '#documents';
import type { Amount, Breach } from '#verifier';
import { amountIn, isSameAmount, type StoryEvent, type StoryLine } from './story-line.js';

/** How the way back of an order stands. `open`: not ended yet. */
export interface RefundStanding {
  readonly orderId: string;
  readonly status: 'refunded' | 'refund_failed' | 'open';
  /** What was to come back; null: no event says. */
  readonly amount: Amount | null;
  readonly ledger: RefundRow | null;
  readonly breaches: readonly Breach[];
}

/** What an order writes of its way back, once it is over and counted. */
export const WAY_BACK: readonly string[] = [
  'OrderCancellationStarted',
  'MandateRefundCounted',
  'MandateRefunded',
  'OrderCancelled',
  'OrderRefundFailed',
];

/** What the streams say of one refund, gathered event by event, to be compared with the ledger once it is over. */
export class RefundBooks {
  private amount: Amount | null = null;
  private given: { readonly id: unknown; readonly amount: Amount | null } | null = null;
  private readonly moved: (Amount | null)[] = [];
  private isFailed = false;

  constructor(readonly orderId: string) {}

  get isOver(): boolean {
    return this.given !== null || this.isFailed;
  }

  add({ type, data }: Pick<StoryEvent, 'type' | 'data'>): void {
    if (type === 'OrderCancellationStarted') this.amount = amountIn(data, 'refund');
    else if (type === 'MandateRefunded') this.moved.push(amountIn(data, 'amount'));
    else if (type === 'OrderCancelled') this.given = { id: data['refundId'], amount: amountIn(data, 'refund') };
    else if (type === 'OrderRefundFailed') this.isFailed = true;
  }

  /** Compares the streams with the ledger's row (null: it has none). What is under way is not judged. */
  against(ledger: RefundRow | null): RefundStanding {
    const { orderId, amount, given, moved, isFailed } = this;
    const breaches: Breach[] = [];
    const report = (message: string) =>
      breaches.push({ rule: 'refund', stream: `order-${orderId}`, revision: null, message });
    const says = ledger?.status ?? 'nothing';
    if (given && isFailed) report('both cancelled and not refunded');
    if (given && !isSameAmount(given.amount, amount)) report('another amount came back than was to');
    if (given?.amount?.amount === 0 ? ledger !== null : given && ledger?.status !== 'refunded')
      report(`cancelled, and the ledger says ${says}`);
    if (given && ledger?.status === 'refunded') {
      if (!isSameAmount(given.amount, ledger.amount)) report('the ledger gave back another amount');
      if (given.id !== ledger.id) report('its refund is not the one of the ledger');
    }
    if (isFailed && ledger?.status !== 'refund_failed') report(`not refunded, and the ledger says ${says}`);
    if (isFailed && moved.length > 0) report('not refunded, and its mandate has it back');
    if (moved.length > 1) report(`its mandate has it back ${moved.length} times`);
    if (moved.some((back) => !isSameAmount(back, amount)))
      report('its mandate has another amount back than was to come');
    if (given && moved.length === 0) report('cancelled, and its mandate has nothing back');
    const status = given ? 'refunded' : isFailed ? 'refund_failed' : 'open';
    return { orderId, status, amount, ledger, breaches };
  }
}

/** The ways back of a story's orders, each tied to its row of the ledger. */
export class Refunds {
  private readonly underWay = new Map<string, { readonly books: RefundBooks; isShown: boolean }>();

  constructor(private readonly documents: Documents) {}

  /** Adds an event of an order; returns the ledger's row as a line where this event is the first that followed it. */
  async add(orderId: string, event: StoryEvent): Promise<StoryLine | null> {
    const { type, metadata } = event;
    const known = this.underWay.get(orderId);
    if (!known && !WAY_BACK.includes(type)) return null;
    const one = known ?? { books: new RefundBooks(orderId), isShown: false };
    this.underWay.set(orderId, one);
    one.books.add(event);
    if (one.isShown || type === 'OrderCancellationStarted') return null;
    one.isShown = true;
    const row = await this.rowOf(orderId);
    return row && refundLine(orderId, row, metadata.occurredAt);
  }

  /** How the refund of an order came out, once it is over; null: it is not, or there is none. */
  async over(orderId: string): Promise<RefundStanding | null> {
    const known = this.underWay.get(orderId);
    if (!known?.books.isOver) return null;
    this.underWay.delete(orderId);
    return known.books.against(await this.rowOf(orderId));
  }

  /** Those that are not over. */
  async *rest(): AsyncGenerator<RefundStanding> {
    for (const [orderId, { books }] of this.underWay) yield books.against(await this.rowOf(orderId));
  }

  private async rowOf(orderId: string): Promise<RefundRow | null> {
    await this.documents.prepare(REFUNDS);
    return refundRowOf(this.documents, orderId);
  }
}

const refundLine = (orderId: string, row: RefundRow, seen: string): StoryLine => {
  const line = { stream: `ledger-${orderId}`, revision: null, by: 'processor', amount: row.amount };
  return row.status === 'refunded'
    ? { ...line, at: row.refundedAt, what: 'refunded', detail: '' }
    : { ...line, at: seen, what: 'refund failed', detail: 'the order stays paid' };
};
