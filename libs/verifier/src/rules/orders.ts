import type { Amount, AuditedEvent, Breach, Json } from '../audited-event.js';
import { digestOf, isSameDigest } from '../compact/digest.js';
import { Names } from '../compact/names.js';
import { NumberSet } from '../compact/number-set.js';
import type { Sha256 } from '../crypto.js';
import type { Version } from '../version.js';
import type { Trip } from './charges.js';
import { Decisions } from './decisions.js';
import { type Frozen, OrderRecords, SEEN } from './order-records.js';
import { amount, instant, integer, object, shown, text } from './members.js';
import type { Tell } from './mandate-state.js';

/** A checkout that was open where the log was read to: nothing is wrong with it yet. */
export interface OpenCheckout {
  readonly orderId: string;
  readonly bookingId: string;
  readonly openedAt: string;
}

/** An order follows its checkout through five streams and the ledger: what is frozen at first holds to the end. */
export class Orders {
  readonly records = new OrderRecords();
  readonly bookings = new Names();
  readonly mandates = new Names();
  readonly flights = new Names();
  private readonly tickets = new NumberSet();
  private readonly decisions = new Decisions();

  /** `here`: whether a stream is read from its beginning, as all are where it is null. What happened elsewhere is asked of nobody. */
  constructor(
    private readonly sha256: Sha256,
    private readonly here: ((stream: string) => boolean) | null,
    private readonly version: Version,
  ) {}

  private isHere(stream: string): boolean {
    return this.here === null || this.here(stream);
  }

  /** The order of this id, if a checkout was opened for it; -1: none was. */
  find(orderId: string): number {
    const order = this.records.ids.find(orderId);
    return order >= 0 && this.records.has(order, SEEN.opened) ? order : -1;
  }

  /** The order that an event is about, opened by a checkout; -1 where there is none, which is told. */
  private opened(orderId: string, tell: Tell): number {
    const order = this.find(orderId);
    if (order >= 0) return order;
    tell('checkout', `order ${orderId} has no checkout that was opened for it`);
    return -1;
  }

  /** Something that happens to an order once, between the beginning and the end of its checkout. */
  private once(order: number, bit: number, at: string, what: string, tell: Tell): void {
    const { records } = this;
    const id = () => records.ids.nameOf(order);
    if (records.has(order, SEEN.ticketed | SEEN.abandoned)) tell('order', `${what} after order ${id()} was over`);
    if (records.has(order, bit)) tell('order', `${what} twice for order ${id()}`);
    records.see(order, bit, Date.parse(at));
  }

  /** `BookingCheckoutStarted`: an order begins. Answers its number. */
  open({ data, metadata }: AuditedEvent, tell: Tell): number {
    const { records } = this;
    const orderId = text(data, 'orderId');
    const frozen = this.frozenIn(data);
    checkLine(object(data, 'line'), { amount: frozen.total, currency: frozen.currency }, tell);
    const order = records.ids.of(orderId);
    if (records.has(order, SEEN.opened)) tell('order', `order ${orderId} was begun twice`);
    else records.open(order, frozen, Date.parse(metadata.occurredAt));
    return order;
  }

  private frozenIn(data: Json): Frozen {
    const line = object(data, 'line');
    const total = amount(data, 'total');
    return {
      booking: this.bookings.of(text(data, 'bookingId')),
      mandate: this.mandates.of(text(data, 'mandateId')),
      flight: this.flights.of(text(line, 'flightNumber')),
      terms: digestOf(this.sha256, [data['holder'], data['clientId'], line]),
      seats: integer(line, 'passengers'),
      total: total.amount,
      currency: total.currency,
      holdBefore: Date.parse(instant(data, 'holdBefore')),
      from: text(line, 'from'),
      to: text(line, 'to'),
      unitPrice: amount(line, 'unitPrice').amount,
    };
  }

  /** An event of an order's own stream: it is placed first, and then paid or failed, once (rule 5). */
  next(event: AuditedEvent, tell: Tell): void {
    const { records } = this;
    const { stream, type, data, metadata } = event;
    const order = records.ids.of(idIn(stream));
    const isFollowed = this.isFollowed(idIn(stream), bookingIn(type, data));
    const isPlaced = records.has(order, SEEN.placed);
    if (type === 'OrderPlaced' ? isPlaced : !isPlaced)
      tell('order', isPlaced ? 'placed twice' : `${type} before the order was placed`);
    if (records.has(order, SEEN.paid | SEEN.failed)) tell('order', `${type} after the order was paid or had failed`);
    if (isFollowed && this.opened(idIn(stream), tell) >= 0) {
      if (type === 'OrderPlaced') this.place(order, data, tell);
      else if (type === 'OrderPaid') this.pay(order, data, tell);
      else if (type === 'OrderFailed') this.fail(order, tell);
      if (records.has(order, SEEN.ticketed | SEEN.abandoned)) tell('order', `${type} after its booking had let it go`);
    }
    if (this.version >= 2) this.decisions.next(order, event, tell);
    const bit = OWN[type];
    if (bit !== undefined) records.see(order, bit, Date.parse(metadata.occurredAt));
  }

  /** `OrderPlaced` repeats what the checkout froze. */
  private place(order: number, data: Json, tell: Tell): void {
    const [frozen, placed] = [this.records.frozen(order), this.frozenIn(data)];
    if (placed.total !== frozen.total || placed.currency !== frozen.currency)
      tell('amount', `placed for ${shown(totalOf(placed))}, and its checkout froze ${shown(totalOf(frozen))}`);
    if (TERMS.some((name) => placed[name] !== frozen[name]) || !isSameDigest(placed.terms, frozen.terms))
      tell('checkout', 'placed on other terms than its checkout froze');
  }

  /** Seats that are held for an order. */
  holdSeats({ stream, data, metadata }: AuditedEvent, tell: Tell): void {
    const order = this.opened(text(data, 'orderId'), tell);
    if (order < 0) return;
    const { flight, seats, holdBefore } = this.records.frozen(order);
    this.once(order, SEEN.held, metadata.occurredAt, 'seats held', tell);
    if (this.records.has(order, SEEN.seatsReleased)) tell('fence', 'seats held for an order that had released them');
    if (metadata.occurredAt > instant(data, 'holdBefore')) tell('fence', 'seats held later than they could be');
    const isAgreed = this.flights.find(idIn(stream)) === flight && seats === integer(data, 'seats');
    if (!isAgreed || holdBefore !== Date.parse(instant(data, 'holdBefore')))
      tell('checkout', 'seats held that its checkout does not name');
  }

  /** Seats that come back from an order. */
  releaseSeats({ data, metadata }: AuditedEvent, tell: Tell): void {
    const order = this.opened(text(data, 'orderId'), tell);
    if (order < 0) return;
    this.once(order, SEEN.seatsReleased, metadata.occurredAt, 'seats released', tell);
    const held = this.records.has(order, SEEN.held) ? this.records.frozen(order).seats : 0;
    if (integer(data, 'seats') !== held)
      tell('seats', `${integer(data, 'seats')} seats released for an order that held ${held}`);
  }

  /** What an order buys, for the mandate that is charged with it; null: it is not known here. */
  tripOf({ orderId }: Json): Trip | null {
    if (typeof orderId !== 'string') return null;
    const order = this.find(orderId);
    return order >= 0 && this.isFollowed(orderId, null) ? this.records.frozen(order) : null;
  }

  /** Money of a mandate that is set aside for an order, spent on it, or comes back. */
  move({ stream, type, data, metadata }: AuditedEvent, tell: Tell): void {
    const order = this.opened(text(data, 'orderId'), tell);
    if (order < 0) return;
    const { records } = this;
    const frozen = records.frozen(order);
    const [bit, what] = MOVES[type] ?? [SEEN.moneyReleased, 'money released'];
    this.once(order, bit, metadata.occurredAt, what, tell);
    if (this.mandates.find(idIn(stream)) !== frozen.mandate)
      tell('checkout', `${what} in another mandate than its checkout froze`);
    const moved = amount(data, 'amount');
    const isFence = type === 'MandateReleased' && moved.amount === 0 && !records.has(order, SEEN.reserved);
    if (!isFence && (moved.amount !== frozen.total || moved.currency !== frozen.currency))
      tell('amount', `${what}: ${shown(moved)} for an order of ${shown(totalOf(frozen))}`);
    if (type === 'MandateReserved') {
      const isAgreed = this.bookings.find(text(data, 'bookingId')) === frozen.booking;
      if (!isAgreed || Date.parse(instant(data, 'holdBefore')) !== frozen.holdBefore)
        tell('checkout', 'money reserved for another booking or time than its checkout froze');
      if (records.has(order, SEEN.consumed | SEEN.moneyReleased))
        tell('fence', 'money reserved for an order that was settled before');
    }
    if (type === 'MandateConsumed' && records.has(order, SEEN.failed))
      tell('order', 'money consumed for a failed order');
    if (type === 'MandateReleased' && records.has(order, SEEN.paid)) tell('order', 'money released of a paid order');
  }

  /** `OrderPaid`: charged once seats and money were there, with a ticket that nobody else has. */
  private pay(order: number, data: Json, tell: Tell): void {
    const { records } = this;
    const payment = object(data, 'payment');
    const frozen = records.frozen(order);
    const { flight, mandate } = this.streamsOf(frozen);
    if (this.isHere(flight) && !records.has(order, SEEN.held)) tell('order', 'paid before its seats were held');
    if (this.isHere(mandate) && !records.has(order, SEEN.reserved)) tell('order', 'paid before its money was reserved');
    const paid = amount(payment, 'amount');
    if (paid.amount !== frozen.total || paid.currency !== frozen.currency)
      tell('amount', `paid ${shown(paid)} for an order of ${shown(totalOf(frozen))}`);
    const code = text(data, 'ticketCode');
    const ticket = ticketIn(code);
    if (ticket === 0) tell('ticket', `${code} is no ticket code`);
    else if (!this.tickets.add(ticket)) tell('ticket', `ticket ${code} was issued before`);
    records.pay(order, ticket, digestOf(this.sha256, saidOf(payment)));
  }

  private fail(order: number, tell: Tell): void {
    if (this.records.has(order, SEEN.consumed)) tell('order', 'failed, and its money was consumed');
  }

  /** Whether the payment that an order was paid with is this one of the ledger. */
  isPaidWith(order: number, row: Json): boolean {
    return isSameDigest(this.records.paymentOf(order), digestOf(this.sha256, saidOf(row)));
  }

  /** The checkout of a paid order is closed by its ticket, once all else stands. */
  ticket({ data, metadata }: AuditedEvent, order: number, tell: Tell): void {
    const { records } = this;
    if (!this.isHere(`order-${records.ids.nameOf(order)}`)) return;
    if (!records.has(order, SEEN.paid)) tell('ticket', 'a ticket for an order that is not paid');
    else if ((ticketIn(text(data, 'ticketCode')) || null) !== records.ticketOf(order))
      tell('ticket', `ticket ${text(data, 'ticketCode')} is not the one that the order was paid with`);
    const { mandate } = this.streamsOf(records.frozen(order));
    if (this.isHere(mandate) && !records.has(order, SEEN.consumed))
      tell('consumption', 'ticketed, and its money was never consumed');
    if (records.has(order, SEEN.seatsReleased)) tell('seats', 'ticketed, and its seats were released');
    this.once(order, SEEN.ticketed, metadata.occurredAt, 'ticketed', tell);
  }

  /** The checkout of a failed order is closed once all that was held came back. */
  abandon({ metadata }: AuditedEvent, order: number, tell: Tell): void {
    const { records } = this;
    if (!this.isHere(`order-${records.ids.nameOf(order)}`)) return;
    if (!records.has(order, SEEN.failed)) tell('order', 'given up, and its order has not failed');
    if (records.has(order, SEEN.reserved) && !records.has(order, SEEN.moneyReleased))
      tell('release', 'given up, and its money was never released');
    if (records.has(order, SEEN.held) && !records.has(order, SEEN.seatsReleased))
      tell('seats', 'given up, and its seats were never released');
    this.once(order, SEEN.abandoned, metadata.occurredAt, 'given up', tell);
  }

  private streamsOf({ flight, mandate }: Frozen): { readonly flight: string; readonly mandate: string } {
    return { flight: `flight-${this.flights.nameOf(flight)}`, mandate: `mandate-${this.mandates.nameOf(mandate)}` };
  }

  /** Whether the rules of an order apply to an event of it: its own stream is here, and where its checkout was opened. */
  isFollowed(orderId: string, bookingId: string | null): boolean {
    if (!this.isHere(`order-${orderId}`)) return false;
    if (this.find(orderId) >= 0) return true;
    // Unknown so far: whether something is wrong with that depends on whether its booking is known.
    return this.here === null || (bookingId !== null && this.here(`booking-${bookingId}`));
  }

  /** The checkouts that are not over. */
  *stillOpen(): Iterable<OpenCheckout> {
    const { ids } = this.records;
    for (let order = 0; order < ids.size; order += 1) {
      if (!this.records.has(order, SEEN.opened) || this.records.has(order, SEEN.ticketed | SEEN.abandoned)) continue;
      const bookingId = this.bookings.nameOf(this.records.frozen(order).booking);
      const openedAt = new Date(this.records.openedAt(order)).toISOString();
      yield { orderId: ids.nameOf(order), bookingId, openedAt };
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
const TERMS = ['booking', 'mandate', 'flight', 'seats', 'holdBefore'] as const;

/** What its own events make of an order. */
const OWN: Readonly<Record<string, number>> = {
  OrderPlaced: SEEN.placed,
  OrderPaid: SEEN.paid,
  OrderFailed: SEEN.failed,
};

const MOVES: Readonly<Record<string, readonly [number, string]>> = {
  MandateReserved: [SEEN.reserved, 'money reserved'],
  MandateConsumed: [SEEN.consumed, 'money consumed'],
};

/** What `OrderPaid` and the ledger both say of a payment. */
const saidOf = (payment: Json): readonly string[] =>
  ['id', 'brand', 'last4', 'capturedAt'].map((name) => text(payment, name));

export const totalOf = ({ total, currency }: Frozen): Amount => ({ amount: total, currency });

/** A ticket by its thirteen digits; 0: it is none. */
const ticketIn = (code: string): number => (/^\d{13}$/.test(code) ? Number(code) : 0);

const idIn = (stream: string): string => stream.slice(stream.indexOf('-') + 1);

const checkLine = (line: Json, total: Amount, tell: Tell): void => {
  const [unit, subtotal] = [amount(line, 'unitPrice'), amount(line, 'subtotal')];
  const sum = { ...unit, amount: unit.amount * integer(line, 'passengers') };
  const wrong = [subtotal, sum].find((one) => one.amount !== total.amount || one.currency !== total.currency);
  if (wrong) tell('amount', `${shown(total)} is not the price of its seats, ${shown(wrong)}`);
};

/** Breaches that an event of this place tells. */
export const teller =
  (found: Breach[], stream: string, revision: number | null): Tell =>
  (rule, message) => {
    found.push({ rule, stream, revision, message });
  };
