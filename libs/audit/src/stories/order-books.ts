import type { Amount, Breach } from '#verifier';
import { amountIn, isSameAmount, type StoryLine, type StoryEvent } from './story-line.js';

/** A row of the payment ledger, as far as a story is tied to it. */
export type LedgerRow =
  | {
      readonly status: 'captured';
      readonly id: string;
      readonly amount: Amount;
      readonly capturedAt: string;
      readonly brand: string;
      readonly last4: string;
    }
  | { readonly status: 'refused'; readonly reason: string }
  | { readonly status: 'closed' }
  | { readonly status: 'challenged' | 'approved'; readonly amount: Amount };

/** How an order stands. `open`: not ended in every stream yet. */
export interface OrderStanding {
  readonly orderId: string;
  readonly status: 'paid' | 'failed' | 'open';
  readonly total: Amount | null;
  readonly ledger: LedgerRow | null;
  readonly breaches: readonly Breach[];
}

/** What the streams say of one order, gathered event by event, to be compared with the ledger once it has ended. */
export class OrderBooks {
  private total: Amount | null = null;
  private payment: { readonly id: unknown; readonly amount: Amount | null } | null = null;
  private tickets = new Set<unknown>();
  private consumed: (Amount | null)[] = [];
  private isFailed = false;
  /** The booking has let the order go: the last event of every order. */
  isClosed = false;

  constructor(readonly orderId: string) {}

  add({ type, data }: StoryEvent): void {
    switch (type) {
      case 'BookingCheckoutStarted':
        this.total = amountIn(data, 'total');
        return;
      case 'OrderPaid': {
        const payment = data['payment'];
        const of = typeof payment === 'object' && payment !== null ? { ...payment } : {};
        this.payment = { id: 'id' in of ? of.id : null, amount: amountIn(of, 'amount') };
        this.tickets.add(data['ticketCode']);
        return;
      }
      case 'OrderFailed':
        this.isFailed = true;
        return;
      case 'MandateConsumed':
        this.consumed.push(amountIn(data, 'amount'));
        return;
      case 'BookingTicketed':
        this.tickets.add(data['ticketCode']);
        this.isClosed = true;
        return;
      case 'BookingCheckoutAbandoned':
        this.isClosed = true;
    }
  }

  /** Compares the streams with the ledger's row (null: it has none). What is under way is not judged. */
  against(ledger: LedgerRow | null): OrderStanding {
    const { orderId, total, payment, isFailed, isClosed } = this;
    const breaches: Breach[] = [];
    const report = (rule: string, message: string) =>
      breaches.push({ rule, stream: `order-${orderId}`, revision: null, message });
    if (payment && isFailed) report('ending', 'both paid and failed');
    if (payment && ledger?.status !== 'captured') report('ledger', `paid, and the ledger says ${saysOf(ledger)}`);
    if (payment && ledger?.status === 'captured') {
      if (!isSameAmount(payment.amount, ledger.amount))
        report('ledger', 'another amount was captured than is booked as paid');
      if (payment.id !== ledger.id) report('ledger', 'its payment is not the one of the ledger');
    }
    if (payment && !isSameAmount(payment.amount, total)) report('amount', 'paid another amount than it cost');
    if (isFailed && ledger?.status === 'captured') report('ledger', 'failed, and its amount was captured');
    if (this.consumed.length > 1) report('consumption', `consumed ${this.consumed.length} times`);
    if (this.consumed.some((amount) => !isSameAmount(amount, total)))
      report('consumption', 'consumed another amount than it cost');
    if (isFailed && this.consumed.length > 0) report('consumption', 'failed, and its amount was consumed');
    if (this.tickets.size > 1) report('ticket', 'the order and its booking have different tickets');
    if (isClosed && payment && this.consumed.length === 0) report('consumption', 'paid, and nothing was consumed');
    if (isClosed && !payment && !isFailed) report('ending', 'its booking has let it go, and it never ended');
    const status = !isClosed ? 'open' : payment ? 'paid' : 'failed';
    return { orderId, status, total, ledger, breaches };
  }
}

const saysOf = (ledger: LedgerRow | null): string => (ledger ? ledger.status : 'nothing');

/** The ledger's row as a line of a story; `at`: when it was seen to have its outcome, where the row does not say. */
export const ledgerLine = (orderId: string, row: LedgerRow, at: string): StoryLine => {
  const line = { stream: `ledger-${orderId}`, revision: null, by: 'processor', what: row.status };
  switch (row.status) {
    case 'captured':
      return { ...line, at: row.capturedAt, amount: row.amount, detail: `${row.brand} •••• ${row.last4}` };
    case 'refused':
      return { ...line, at, amount: null, detail: row.reason };
    case 'closed':
      return { ...line, at, amount: null, detail: 'never charged' };
    default:
      return {
        ...line,
        at,
        amount: row.amount,
        detail: row.status === 'approved' ? 'waits for the agent' : 'waits for the traveller',
      };
  }
};
