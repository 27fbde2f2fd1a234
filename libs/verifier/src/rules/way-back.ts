import type { AuditedEvent, Json } from '../audited-event.js';
import { keptOf } from './conditions.js';
import type { ReportBreach } from './mandate-state.js';
import { amount, instant, shown, text } from './members.js';
import { type OpenedOrder, type OrderRecord, SEEN, totalOf } from './order-record.js';

/** An order's own events once it is paid. */
export const WAY_BACK: ReadonlySet<string> = new Set([
  'OrderCancellationStarted',
  'OrderCancelled',
  'OrderRefundFailed',
]);

const [MINUTE, DAY] = [60_000, 86_400_000];
/** Seven local days before the day of departure are at least so many before its midnight in UTC. */
const LEAST_DAYS = 5;

/** What was paid comes back once: as its fare says, all of it within a day, or because its flight was cancelled (rule 35). */
export class WayBack {
  /** `isHere`: whether a stream is read from its beginning. */
  constructor(private readonly isHere: (stream: string) => boolean) {}

  /** One of `WAY_BACK`; `opened`: the order, where it is followed. */
  next(order: OrderRecord, opened: OpenedOrder | null, event: AuditedEvent, report: ReportBreach): void {
    const { type, data } = event;
    if (!order.has(SEEN.paid)) report('refund', `${type} of an order that is not paid`);
    if (type === 'OrderCancellationStarted') {
      if (order.has(SEEN.cancelling)) report('refund', 'cancelled twice');
      if (opened) this.start(opened, event, report);
      order.refund = amount(data, 'refund').amount;
      return;
    }
    if (!order.has(SEEN.cancelling)) report('refund', `${type}, and no cancellation was begun`);
    if (order.has(SEEN.cancelled | SEEN.refundFailed)) report('refund', `${type} after the cancellation was over`);
    if (type === 'OrderRefundFailed') fail(order, report);
    else this.cancel(order, opened, data, report);
  }

  private cancel(order: OrderRecord, opened: OpenedOrder | null, data: Json, report: ReportBreach): void {
    const back = amount(data, 'refund');
    if (back.amount !== order.refund || back.amount > 0 === (data['refundId'] === null))
      report('refund', `${shown(back)} came back, and something else was to`);
    if (!opened) return;
    const { mandateId, flightId } = opened.frozen;
    if (this.isHere(`mandate-${mandateId}`) && !order.has(SEEN.refunded))
      report('refund', 'cancelled, and its mandate has nothing back');
    if (this.isHere(`flight-${flightId}`) && order.has(SEEN.held) && !order.has(SEEN.seatsReleased))
      report('seats', 'cancelled, and its seats were never released');
  }

  private start(order: OpenedOrder, { data, metadata }: AuditedEvent, report: ReportBreach): void {
    const { frozen } = order;
    if (this.isHere(`booking-${frozen.bookingId}`) && !order.has(SEEN.ticketed))
      report('refund', 'cancelled before it was ticketed');
    const [back, fee] = [amount(data, 'refund'), amount(data, 'fee')];
    const at = Date.parse(metadata.occurredAt);
    if (back.amount + fee.amount !== frozen.total || [back, fee].some(({ currency }) => currency !== frozen.currency))
      report('refund', `${shown(back)} and ${shown(fee)} are not what was paid, ${shown(totalOf(frozen))}`);
    const reason = text(data, 'reason');
    if (reason === 'flight_cancelled') {
      if (fee.amount !== 0) report('refund', 'the flight was cancelled, and something is kept');
      return;
    }
    const departsAt = data['departsAt'] === null ? 0 : Date.parse(instant(data, 'departsAt'));
    if (at >= departsAt) report('refund', 'cancelled after its flight had left');
    const conditions = frozen.conditions === null ? null : (JSON.parse(frozen.conditions) as Json);
    if (reason === 'withdrawal') {
      const days = (Date.parse(frozen.departureDate ?? '') - order.paidAt) / DAY;
      const isInTime = at < order.paidAt + DAY && days >= LEAST_DAYS && conditions?.['withdrawal'] === true;
      if (!isInTime || fee.amount !== 0) report('refund', 'everything comes back, and it was too late for that');
      return;
    }
    const { total, taxes, seats: passengers } = frozen;
    const kept = keptOf(conditions, { base: total - taxes, taxes, passengers }, Math.floor((departsAt - at) / MINUTE));
    if (reason !== 'fare_rule' || fee.amount !== kept)
      report('refund', `${shown(fee)} are kept, and by its fare it is ${shown({ ...fee, amount: kept })}`);
  }
}

/** The processor refused the refund, so that the order stays paid: nothing of it came back (rule 35). */
const fail = (order: OrderRecord, report: ReportBreach): void => {
  if (order.has(SEEN.refunded)) report('refund', 'failed, and its money came back');
  if (order.has(SEEN.seatsReleased)) report('seats', 'the refund failed, and its seats were released');
};
