import type { Breach, Json } from '../audited-event.js';
import { type ReportBreach, reporterAt } from './mandate-state.js';
import { amount, CLOCKS, instant, isSame, shown, text, WrongForm } from './members.js';
import { type OrderRecord, SEEN, totalOf } from './order-record.js';
import type { Orders } from './orders.js';

/** Compares the ledger with a log: each order has one row. The ledger was read later, so open orders may be further there. */
export class LedgerRules {
  /** Rows of orders that began after the log's end. */
  later = 0;

  constructor(
    private readonly orders: Orders,
    /** The time of the log's last event; and from when on orders are judged, null: all are. */
    private readonly span: { readonly since: string | null; readonly until: string },
  ) {}

  next(orderId: string, row: Json): readonly Breach[] {
    const found: Breach[] = [];
    const report = reporterAt(found, `order-${orderId}`, null);
    try {
      this.check(orderId, row, report);
    } catch (error) {
      if (!(error instanceof WrongForm)) throw error;
      report('form', `its row of the ledger: ${error.message}`);
    }
    return found;
  }

  private check(orderId: string, row: Json, report: ReportBreach): void {
    const order = this.orders.find(orderId);
    const status = text(row, 'status');
    const isCaptured = status === 'captured';
    if (!order) {
      this.later += 1;
      const isOld = isCaptured && this.isOld(instant(row, 'capturedAt'));
      if (isOld) report('ledger', 'the ledger has captured money for an order that the log does not know');
      return;
    }
    order.see(SEEN.ledger, 0);
    if (!this.isJudged(order)) return;
    const { frozen } = order;
    const isPaid = order.has(SEEN.paid | SEEN.consumed | SEEN.ticketed);
    if (isPaid && !isCaptured) report('ledger', `the order is paid, and the ledger says ${status}`);
    if (isCaptured && order.has(SEEN.failed))
      report('captured', 'the order failed, and the ledger has captured its money');
    if (row['amount'] !== undefined) {
      const charged = amount(row, 'amount');
      if (charged.amount !== frozen.total || charged.currency !== frozen.currency)
        report('amount', `the ledger has ${shown(charged)} for an order of ${shown(totalOf(frozen))}`);
    } else if (isCaptured) report('form', 'its row of the ledger has no amount');
    if (isCaptured && order.has(SEEN.paid) && !this.orders.isPaidWith(order, row))
      report('ledger', 'the order was paid by another payment than the ledger has');
    if (order.has(SEEN.abandoned) && status !== 'refused' && status !== 'closed' && !isCaptured)
      report('ledger', `the order is over, and the ledger says ${status}`);
  }

  /** A row of what came back: of a cancellation that was begun, once it is over as its order says. */
  nextRefund(orderId: string, row: Json): readonly Breach[] {
    const found: Breach[] = [];
    const report = reporterAt(found, `order-${orderId}`, null);
    try {
      this.checkRefund(orderId, row, report);
    } catch (error) {
      if (!(error instanceof WrongForm)) throw error;
      report('form', `its refund in the ledger: ${error.message}`);
    }
    return found;
  }

  private checkRefund(orderId: string, row: Json, report: ReportBreach): void {
    const order = this.orders.find(orderId);
    const status = text(row, 'status');
    const at = instant(row, status === 'refunded' ? 'refundedAt' : 'failedAt');
    if (!order) {
      if (this.isOld(at)) report('refund', 'the ledger has a refund of an order that the log does not know');
      return;
    }
    order.see(SEEN.refundRow, 0);
    // What was begun after the log was read is not wrong.
    if (!this.isJudged(order) || (!order.back && !this.isOld(at))) return;
    const back = amount(row, 'amount');
    if (!order.back || back.amount === 0 || !isSame(back, order.back.refund))
      report('refund', `the ledger gave back ${shown(back)}, and that was not to come back`);
    if (order.has(SEEN.cancelled | SEEN.refunded) && status !== 'refunded')
      report('refund', `the order is cancelled, and the ledger says ${status}`);
    if (order.has(SEEN.refundFailed) && status !== 'refund_failed')
      report('refund', `the refund failed, and the ledger says ${status}`);
    if (order.given !== null && status === 'refunded' && order.given !== `${text(row, 'id')} ${at}`)
      report('refund', 'the order has it back by another refund than the ledger has');
  }

  /** Whether a row is older than the log's end by more than clocks differ, so that the log has its order. */
  private isOld(at: string): boolean {
    return Date.parse(at) < Date.parse(this.span.until) - CLOCKS;
  }

  private isJudged({ latestAt }: OrderRecord): boolean {
    const { since } = this.span;
    return since === null || latestAt >= Date.parse(since);
  }

  /** Orders without a row, once all rows were looked at. */
  *missing(): Iterable<Breach> {
    for (const order of this.orders.all()) {
      const isBack = order.has(SEEN.cancelled | SEEN.refunded | SEEN.refundFailed) && order.back?.refund.amount !== 0;
      if (isBack && !order.has(SEEN.refundRow) && this.isJudged(order))
        yield { rule: 'refund', stream: `order-${order.id}`, revision: null, message: 'the ledger gave nothing back' };
      const isDue = order.has(SEEN.consumed | SEEN.paid | SEEN.ticketed | SEEN.abandoned);
      if (!isDue || order.has(SEEN.ledger) || !this.isJudged(order)) continue;
      const stream = `order-${order.id}`;
      yield { rule: 'ledger', stream, revision: null, message: 'the ledger has no row of this order' };
    }
  }
}
