import type { AuditedEvent, Json } from '../audited-event.js';
import type { Sha256 } from '../crypto.js';
import { ShardedMap } from '../sharded-map.js';
import type { Version } from '../version.js';
import type { Trip } from './charges.js';
import { CheckoutTerms } from './checkout-terms.js';
import { Decisions } from './decisions.js';
import { digestOf, type OpenedOrder, OrderRecord, SEEN, totalOf } from './order-record.js';
import { amount, instant, integer, isSame, isWithin, object, shown, text } from './members.js';
import type { MandateState, ReportBreach } from './mandate-state.js';
import { isTicket, Tickets, ticketsIn } from './tickets.js';
import { type RefundOf, WAY_BACK, WayBack } from './way-back.js';

/** A checkout, or the way back of an order, that was open where the log was read to: nothing is wrong with it yet. */
export interface OpenCheckout {
  readonly what: 'checkout' | 'cancellation';
  readonly orderId: string;
  readonly bookingId: string;
  readonly openedAt: string;
}

/** An order follows its checkout through five streams and the ledger: what is frozen at first holds to the end. */
export class Orders {
  private readonly records = new ShardedMap<OrderRecord>();
  private readonly terms: CheckoutTerms;
  private readonly tickets = new Tickets();
  private readonly decisions: Decisions;
  private readonly wayBack: WayBack;
  readonly cancelledFlights = new Set<string>();
  /** Which order redeemed a mandate of AP2. */
  private readonly redeemed = new Map<string, string>();

  /** `here`: whether a stream is read from its beginning, as all are where it is null. What happened elsewhere is asked of nobody. */
  constructor(
    private readonly sha256: Sha256,
    private readonly here: ((stream: string) => boolean) | null,
    private readonly version: Version,
    private readonly others: { readonly mandateOf: (id: string) => MandateState | null; readonly refundOf: RefundOf },
  ) {
    this.terms = new CheckoutTerms(sha256, version);
    this.decisions = new Decisions(version);
    this.wayBack = new WayBack((stream) => this.isHere(stream), others.refundOf, this.cancelledFlights);
  }

  private isHere(stream: string): boolean {
    return this.here === null || this.here(stream);
  }

  find(orderId: string): OpenedOrder | null {
    const order = this.records.get(orderId);
    return order && isOpened(order) ? order : null;
  }

  /** Every order whose checkout was opened. */
  *all(): Iterable<OpenedOrder> {
    for (const order of this.records.values()) if (isOpened(order)) yield order;
  }

  private record(orderId: string): OrderRecord {
    return this.records.of(orderId, () => new OrderRecord(orderId));
  }

  /** The order that an event is about, opened by a checkout; null where there is none, which is reported. */
  private opened(orderId: string, report: ReportBreach): OpenedOrder | null {
    const order = this.find(orderId);
    if (!order) report('checkout', `order ${orderId} has no checkout that was opened for it`);
    return order;
  }

  /** Something that happens to an order once, between the beginning and the end of its checkout. */
  private once(order: OrderRecord, bit: number, at: string, what: string, report: ReportBreach): void {
    const isUnderWay = order.has(SEEN.cancelling) && !order.has(SEEN.refundFailed);
    const isBack = isUnderWay && [SEEN.seatsReleased, SEEN.refunded].some((one) => one === bit);
    if (order.has(SEEN.ticketed | SEEN.abandoned) && !isBack)
      report('order', `${what} after order ${order.id} was over`);
    if (order.has(bit)) report('order', `${what} twice for order ${order.id}`);
    order.see(bit, Date.parse(at));
  }

  /** `BookingCheckoutStarted`: an order begins. Answers its id. */
  open({ data, metadata: { occurredAt } }: AuditedEvent, report: ReportBreach): string {
    const orderId = text(data, 'orderId');
    const frozen = this.terms.read(data);
    this.terms.checkPrice(data, frozen, report);
    const mandate = this.grantedHere(frozen.mandateId);
    if (mandate && !PARTY.every((name) => mandate[name] === data[name]))
      report('agent', 'begun by another than the mandate is for');
    for (const redemption of this.terms.redeemedIn(data)) {
      const first = this.redeemed.get(redemption);
      if (first !== undefined) report('order', `redeems a mandate of AP2 that order ${first} had redeemed`);
      this.redeemed.set(redemption, orderId);
    }
    const order = this.record(orderId);
    if (isOpened(order)) report('order', `order ${orderId} was begun twice`);
    else {
      Object.assign(order, { frozen, openedAt: occurredAt });
      order.see(0, Date.parse(occurredAt));
    }
    return orderId;
  }

  /** The mandate of that id, as far as it has come, where a later version asks for it; null: it is not known here. */
  private grantedHere(id: string): Pick<MandateState, 'holder' | 'clientId' | 'expiresAt'> | null {
    if (this.version < 3 || !this.isHere(`mandate-${id}`)) return null;
    return this.others.mandateOf(id) ?? { holder: '', clientId: '', expiresAt: '' };
  }

  /** An event of an order's own stream: it is placed first, and then paid or failed, once (rule 5). */
  next(event: AuditedEvent, report: ReportBreach): void {
    const { stream, type, data, metadata } = event;
    const order = this.record(idIn(stream));
    const isFollowed = this.isFollowed(order.id, bookingIn(type, data));
    const isPlaced = order.has(SEEN.placed);
    if (type === 'OrderPlaced' ? isPlaced : !isPlaced)
      report('order', isPlaced ? 'placed twice' : `${type} before the order was placed`);
    const isBack = WAY_BACK.has(type);
    if (order.has(SEEN.paid | SEEN.failed) && !isBack)
      report('order', `${type} after the order was paid or had failed`);
    const opened = isFollowed ? this.opened(order.id, report) : null;
    if (isBack) this.wayBack.next(order, opened, event, report);
    else if (opened) {
      if (type === 'OrderPlaced') this.place(opened, data, report);
      else if (type === 'OrderPaid') this.pay(opened, event, report);
      else if (type === 'OrderFailed' && order.has(SEEN.consumed))
        report('order', 'failed, and its money was consumed');
      if (order.has(SEEN.ticketed | SEEN.abandoned)) report('order', `${type} after its booking had let it go`);
    }
    if (type === 'OrderPaid') order.paidAt = Date.parse(metadata.occurredAt);
    if (this.version >= 2 && !isBack) this.decisions.next(order.id, event, report);
    const bit = OWN[type];
    if (bit !== undefined) order.see(bit, Date.parse(metadata.occurredAt));
  }

  private place({ frozen }: OpenedOrder, data: Json, report: ReportBreach): void {
    const placed = this.terms.read(data);
    if (placed.total !== frozen.total || placed.currency !== frozen.currency)
      report('amount', `placed for ${shown(totalOf(placed))}, and its checkout froze ${shown(totalOf(frozen))}`);
    if (TERMS.some((name) => placed[name] !== frozen[name]))
      report('checkout', 'placed on other terms than its checkout froze');
  }

  /** Whether an order has begun to give this back to this mandate; its own stream says how much. */
  isComingBack(data: Json): boolean {
    const orderId = text(data, 'orderId');
    if (!this.isHere(`order-${orderId}`)) return true;
    const order = this.records.get(orderId);
    if (!order?.back || order.has(SEEN.refundFailed)) return false;
    const isOfIt = (order.frozen?.mandateId ?? data['mandateId']) === data['mandateId'];
    return isOfIt && isSame(order.back.refund, amount(data, 'amount')) && order.back.departsAt === data['departsAt'];
  }

  holdSeats({ stream, data, metadata }: AuditedEvent, report: ReportBreach): void {
    const order = this.opened(text(data, 'orderId'), report);
    if (!order) return;
    const { flightId, seats, holdBefore } = order.frozen;
    this.once(order, SEEN.held, metadata.occurredAt, 'seats held', report);
    if (order.has(SEEN.seatsReleased)) report('fence', 'seats held for an order that had released them');
    if (metadata.occurredAt > instant(data, 'holdBefore')) report('fence', 'seats held later than they could be');
    const isAgreed = idIn(stream) === flightId && seats === integer(data, 'seats');
    if (!isAgreed || holdBefore !== Date.parse(instant(data, 'holdBefore')))
      report('checkout', 'seats held that its checkout does not name');
  }

  releaseSeats({ data, metadata }: AuditedEvent, report: ReportBreach): void {
    const order = this.opened(text(data, 'orderId'), report);
    if (!order) return;
    this.once(order, SEEN.seatsReleased, metadata.occurredAt, 'seats released', report);
    const held = order.has(SEEN.held) ? order.frozen.seats : 0;
    if (integer(data, 'seats') !== held)
      report('seats', `${integer(data, 'seats')} seats released for an order that held ${held}`);
  }

  /** What an order buys, for the mandate that is charged with it; null: it is not known here. */
  tripOf({ orderId }: Json): Trip | null {
    if (typeof orderId !== 'string') return null;
    const order = this.find(orderId);
    return order && this.isFollowed(orderId, null) ? order.frozen : null;
  }

  /** Money of a mandate that is set aside for an order, spent on it, or comes back. */
  move({ stream, type, data, metadata }: AuditedEvent, report: ReportBreach): void {
    const order = this.opened(text(data, 'orderId'), report);
    if (!order) return;
    const { frozen } = order;
    const [bit, what] = MOVES[type] ?? [SEEN.moneyReleased, 'money released'];
    this.once(order, bit, metadata.occurredAt, what, report);
    if (idIn(stream) !== frozen.mandateId) report('checkout', `${what} in another mandate than its checkout froze`);
    const moved = amount(data, 'amount');
    if (type === 'MandateRefunded') {
      const { back } = order;
      if (!back || !isSame(moved, back.refund) || data['departsAt'] !== back.departsAt)
        report('refund', `refunded ${shown(moved)}, and that was not to come back`);
      return;
    }
    const isFence = type === 'MandateReleased' && moved.amount === 0 && !order.has(SEEN.reserved);
    if (!isFence && (moved.amount !== frozen.total || moved.currency !== frozen.currency))
      report('amount', `${what}: ${shown(moved)} for an order of ${shown(totalOf(frozen))}`);
    if (type === 'MandateReserved') {
      const isAgreed = text(data, 'bookingId') === frozen.bookingId;
      if (!isAgreed || Date.parse(instant(data, 'holdBefore')) !== frozen.holdBefore)
        report('checkout', 'money reserved for another booking or time than its checkout froze');
      if (order.has(SEEN.consumed | SEEN.moneyReleased))
        report('fence', 'money reserved for an order that was settled before');
    }
    if (type === 'MandateConsumed' && order.has(SEEN.failed)) report('order', 'money consumed for a failed order');
    if (type === 'MandateReleased' && order.has(SEEN.paid)) report('order', 'money released of a paid order');
  }

  /** `OrderPaid`: charged once seats and money were there, with a ticket that nobody else has. */
  private pay(order: OpenedOrder, { data, metadata }: AuditedEvent, report: ReportBreach): void {
    const payment = object(data, 'payment');
    const { frozen } = order;
    const isFlightHere = this.isHere(`flight-${frozen.flightId}`);
    if (isFlightHere && !order.has(SEEN.held)) report('order', 'paid before its seats were held');
    if (this.isHere(`mandate-${frozen.mandateId}`) && !order.has(SEEN.reserved))
      report('order', 'paid before its money was reserved');
    const paid = amount(payment, 'amount');
    if (paid.amount !== frozen.total || paid.currency !== frozen.currency)
      report('amount', `paid ${shown(paid)} for an order of ${shown(totalOf(frozen))}`);
    if (this.version >= 3) {
      const [captured, end] = [instant(payment, 'capturedAt'), this.grantedHere(frozen.mandateId)?.expiresAt];
      if (!isWithin(captured, order.openedAt, metadata.occurredAt))
        report('order', `captured at another time, ${captured}`);
      if (end !== undefined && captured > end)
        report('order', `captured at ${captured}, after the end of its mandate, ${end}`);
    }
    order.ticket = text(data, 'ticketCode');
    order.payment = digestOf(this.sha256, saidOf(payment));
    this.tickets.issue(this.version >= 4 ? ticketsIn(data, frozen.seats, report) : [order.ticket], report);
  }

  isPaidWith({ payment }: OrderRecord, row: Json): boolean {
    return payment === digestOf(this.sha256, saidOf(row));
  }

  /** The checkout of a paid order is closed by its ticket, once all else stands. */
  ticket({ data, metadata }: AuditedEvent, order: OpenedOrder, report: ReportBreach): void {
    if (!this.isHere(`order-${order.id}`)) return;
    const code = text(data, 'ticketCode');
    if (!order.has(SEEN.paid)) report('ticket', 'a ticket for an order that is not paid');
    else if (!isTicket(code) || code !== order.ticket)
      report('ticket', `ticket ${code} is not the one that the order was paid with`);
    if (this.isHere(`mandate-${order.frozen.mandateId}`) && !order.has(SEEN.consumed))
      report('consumption', 'ticketed, and its money was never consumed');
    if (order.has(SEEN.seatsReleased)) report('seats', 'ticketed, and its seats were released');
    this.once(order, SEEN.ticketed, metadata.occurredAt, 'ticketed', report);
  }

  /** The checkout of a failed order is closed once all that was held came back. */
  abandon({ metadata }: AuditedEvent, order: OpenedOrder, report: ReportBreach): void {
    if (!this.isHere(`order-${order.id}`)) return;
    if (!order.has(SEEN.failed)) report('order', 'given up, and its order has not failed');
    if (order.has(SEEN.reserved) && !order.has(SEEN.moneyReleased))
      report('release', 'given up, and its money was never released');
    if (order.has(SEEN.held) && !order.has(SEEN.seatsReleased))
      report('seats', 'given up, and its seats were never released');
    this.once(order, SEEN.abandoned, metadata.occurredAt, 'given up', report);
  }

  /** Whether the rules of an order apply to an event of it: its own stream is here, and where its checkout was opened. */
  isFollowed(orderId: string, bookingId: string | null): boolean {
    if (!this.isHere(`order-${orderId}`)) return false;
    if (this.find(orderId)) return true;
    // Unknown so far: whether something is wrong with that depends on whether its booking is known.
    return this.here === null || (bookingId !== null && this.here(`booking-${bookingId}`));
  }

  *stillOpen(): Iterable<OpenCheckout> {
    for (const order of this.all()) {
      const { id: orderId, frozen, openedAt, back } = order;
      const { bookingId } = frozen;
      if (!order.has(SEEN.ticketed | SEEN.abandoned)) yield { what: 'checkout', orderId, bookingId, openedAt };
      else if (back && !order.has(SEEN.cancelled | SEEN.refundFailed))
        yield { what: 'cancellation', orderId, bookingId, openedAt: back.startedAt };
    }
  }
}

/** The booking that an event of an order names; null where its type has none, whatever else it says. */
export const bookingIn = (type: string, data: Json): string | null =>
  NAMING_BOOKINGS.has(type) ? text(data, 'bookingId') : null;

const NAMING_BOOKINGS: ReadonlySet<string> = new Set([
  'OrderPlaced',
  'PaymentChallenged',
  'PaymentApproved',
  'PaymentDeclined',
  'MandateReserved',
]);

/** What an order repeats of its checkout, the amount aside. */
const TERMS = ['bookingId', 'mandateId', 'flightId', 'terms', 'seats', 'holdBefore'] as const;

const PARTY = ['holder', 'clientId'] as const;

const isOpened = (order: OrderRecord): order is OpenedOrder => order.frozen !== null;

/** What its own events make of an order. */
const OWN: Readonly<Record<string, number>> = {
  OrderPlaced: SEEN.placed,
  OrderPaid: SEEN.paid,
  OrderFailed: SEEN.failed,
  OrderCancellationStarted: SEEN.cancelling,
  OrderCancelled: SEEN.cancelled,
  OrderRefundFailed: SEEN.refundFailed,
};

const MOVES: Readonly<Record<string, readonly [number, string]>> = {
  MandateReserved: [SEEN.reserved, 'money reserved'],
  MandateConsumed: [SEEN.consumed, 'money consumed'],
  MandateRefunded: [SEEN.refunded, 'money refunded'],
};

/** What `OrderPaid` and the ledger both say of a payment. */
const saidOf = (payment: Json): readonly string[] =>
  ['id', 'brand', 'last4', 'capturedAt'].map((name) => text(payment, name));

const idIn = (stream: string): string => stream.slice(stream.indexOf('-') + 1);
