import type { AuditedEvent, Json } from '../audited-event.js';
import { keptOf } from './conditions.js';
import type { ReportBreach } from './mandate-state.js';
import { amount, instant, isSame, isWithin, shown, text } from './members.js';
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

/** How the refund of an order stands in its delegation; null: it is not to be counted there. */
export type RefundOf = (delegation: string, mandateId: string, orderId: string) => 'counted' | 'owed' | null;

/** What was paid comes back once: as its fare says, all of it within a day, or because its flight was cancelled (rule 35). */
export class WayBack {
  /** `isHere`: whether a stream is read from its beginning. */
  constructor(
    private readonly isHere: (stream: string) => boolean,
    private readonly refundOf: RefundOf,
    private readonly cancelledFlights: ReadonlySet<string>,
  ) {}

  /** One of `WAY_BACK`; `opened`: the order, where it is followed. */
  next(order: OrderRecord, opened: OpenedOrder | null, event: AuditedEvent, report: ReportBreach): void {
    const { type, data, metadata } = event;
    if (!order.has(SEEN.paid)) report('refund', `${type} of an order that is not paid`);
    if (type === 'OrderCancellationStarted') {
      if (order.has(SEEN.cancelling)) report('refund', 'cancelled twice');
      if (opened) this.start(opened, event, report);
      const departsAt = data['departsAt'] === null ? null : instant(data, 'departsAt');
      order.back = { refund: amount(data, 'refund'), departsAt, startedAt: metadata.occurredAt };
      return;
    }
    if (!order.back) report('refund', `${type}, and no cancellation was begun`);
    if (order.has(SEEN.cancelled | SEEN.refundFailed)) report('refund', `${type} after the cancellation was over`);
    if (type === 'OrderRefundFailed') this.fail(order, opened, report);
    else this.cancel(order, opened, event, report);
  }

  private cancel(order: OrderRecord, opened: OpenedOrder | null, event: AuditedEvent, report: ReportBreach): void {
    const { data, metadata } = event;
    const [refund, given] = [amount(data, 'refund'), instant(data, 'refundedAt')];
    if (!order.back || !isSame(refund, order.back.refund) || refund.amount > 0 === (data['refundId'] === null))
      report('refund', `${shown(refund)} came back, and something else was to`);
    if (order.back && !isWithin(given, order.back.startedAt, metadata.occurredAt))
      report('refund', `it came back at another time, ${given}`);
    if (refund.amount > 0) order.given = `${String(data['refundId'])} ${given}`;
    if (!opened) return;
    const { mandateId, delegation, flightId } = opened.frozen;
    if (this.isHere(`mandate-${mandateId}`) && !order.has(SEEN.refunded))
      report('refund', 'cancelled, and its mandate has nothing back');
    if (refund.amount > 0 && this.isHere(delegation) && this.refundOf(delegation, mandateId, order.id) === 'owed')
      report('refund', 'cancelled, and what came back still counts under its cap');
    if (this.isHere(`flight-${flightId}`) && order.has(SEEN.held) && !order.has(SEEN.seatsReleased))
      report('seats', 'cancelled, and its seats were never released');
  }

  /** The processor refused the refund, so that the order stays paid: nothing of it came back (rule 35). */
  private fail(order: OrderRecord, opened: OpenedOrder | null, report: ReportBreach): void {
    const { mandateId = '', delegation = '' } = opened?.frozen ?? {};
    const isCounted = this.isHere(delegation) && this.refundOf(delegation, mandateId, order.id) === 'counted';
    if (order.back?.refund.amount === 0) report('refund', 'failed, and nothing was to come back');
    if (order.has(SEEN.refunded) || isCounted) report('refund', 'failed, and its money came back');
    if (order.has(SEEN.seatsReleased)) report('seats', 'the refund failed, and its seats were released');
  }

  private start(order: OpenedOrder, { data, metadata }: AuditedEvent, report: ReportBreach): void {
    const { frozen } = order;
    if (this.isHere(`booking-${frozen.bookingId}`) && !order.has(SEEN.ticketed))
      report('refund', 'cancelled before it was ticketed');
    const [back, fee] = [amount(data, 'refund'), amount(data, 'fee')];
    const at = Date.parse(metadata.occurredAt);
    if (back.amount + fee.amount !== frozen.total || [back, fee].some(({ currency }) => currency !== frozen.currency))
      report('refund', `${shown(back)} and ${shown(fee)} are not what was paid, ${shown(totalOf(frozen))}`);
    const told = data['departsAt'] === null ? null : instant(data, 'departsAt');
    if (frozen.departureAt === null ? frozen.departureDate === null && told !== null : told !== frozen.departureAt)
      report('refund', `its flight leaves at ${frozen.departureAt ?? 'no time'}, and not at ${told ?? 'none'}`);
    const reason = text(data, 'reason');
    if (reason === 'flight_cancelled') {
      if (fee.amount !== 0) report('refund', 'the flight was cancelled, and something is kept');
      const flight = `flight-${frozen.flightId}`;
      if (this.isHere(flight) && !this.cancelledFlights.has(flight)) report('refund', 'its flight is not cancelled');
      return;
    }
    const departsAt = told === null ? 0 : Date.parse(told);
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
    if (reason !== 'fare_rule') report('refund', `cancelled for an unknown reason, ${reason}`);
    else if (fee.amount !== kept)
      report('refund', `${shown(fee)} are kept, and by its fare it is ${shown({ ...fee, amount: kept })}`);
  }
}
