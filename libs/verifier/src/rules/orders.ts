import type { Amount, AuditedEvent, Breach, Json } from '../audited-event.js';
import { fingerprint } from '../compact/fingerprint.js';
import { Names } from '../compact/names.js';
import { NumberSet } from '../compact/number-set.js';
import { forbiddenBy } from './charges.js';
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

  /** `isHere`: whether a stream is read from its beginning. What happened in another one is asked of nobody. */
  constructor(private readonly isHere: (stream: string) => boolean = () => true) {}

  /** The order that an event is about, opened by a checkout; -1 where there is none, which is told. */
  private opened(orderId: string, tell: Tell): number {
    const order = this.records.ids.find(orderId);
    if (order >= 0) return order;
    tell('checkout', `order ${orderId} has no checkout that was opened for it`);
    return -1;
  }

  /** Something that happens to an order once, between the beginning and the end of its checkout. */
  private once(order: number, bit: number, at: string, what: string, tell: Tell): void {
    const { records } = this;
    const id = () => records.ids.nameOf(order);
    if (records.has(order, SEEN.ticketed | SEEN.abandoned)) tell('checkout', `${what} after order ${id()} was over`);
    if (records.has(order, bit)) tell('order', `${what} twice for order ${id()}`);
    records.see(order, bit, Date.parse(at));
  }

  /** `BookingCheckoutStarted`: an order begins. Answers its number. */
  open({ stream, data, metadata }: AuditedEvent, tell: Tell): number {
    const { records } = this;
    const orderId = text(data, 'orderId');
    const frozen = this.frozenIn(data);
    if (`booking-${text(data, 'bookingId')}` !== stream) tell('checkout', 'it names another booking than its stream');
    checkLine(object(data, 'line'), { amount: frozen.total, currency: frozen.currency }, tell);
    const isKnown = records.ids.find(orderId) >= 0;
    const order = records.ids.of(orderId);
    if (isKnown) tell('order', `order ${orderId} was begun twice`);
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
      terms: fingerprint(`${text(data, 'holder')} ${text(data, 'clientId')} ${JSON.stringify(line)}`),
      seats: integer(line, 'passengers'),
      total: total.amount,
      currency: total.currency,
      holdBefore: Date.parse(instant(data, 'holdBefore')),
      from: text(line, 'from'),
      to: text(line, 'to'),
      unitPrice: amount(line, 'unitPrice').amount,
    };
  }

  /** `OrderPlaced` repeats what the checkout froze. */
  place({ stream, data, metadata }: AuditedEvent, tell: Tell): void {
    const orderId = text(data, 'orderId');
    if (`order-${orderId}` !== stream) tell('order', 'it names another order than its stream');
    const order = this.opened(orderId, tell);
    if (order < 0) return;
    this.once(order, SEEN.placed, metadata.occurredAt, 'placed', tell);
    const [frozen, placed] = [this.records.frozen(order), this.frozenIn(data)];
    if (placed.total !== frozen.total || placed.currency !== frozen.currency)
      tell('amount', `placed for ${shown(totalOf(placed))}, and its checkout froze ${shown(totalOf(frozen))}`);
    if (TERMS.some((name) => placed[name] !== frozen[name]))
      tell('checkout', 'placed on other terms than its checkout froze');
  }

  /** Seats that are held for an order; answers its number, or -1. */
  holdSeats({ stream, data, metadata }: AuditedEvent, tell: Tell): number {
    const order = this.opened(text(data, 'orderId'), tell);
    if (order < 0) return order;
    const { flight, seats, holdBefore } = this.records.frozen(order);
    this.once(order, SEEN.held, metadata.occurredAt, 'seats held', tell);
    if (this.records.has(order, SEEN.seatsReleased)) tell('fence', 'seats held for an order that had released them');
    if (metadata.occurredAt > instant(data, 'holdBefore')) tell('fence', 'seats held later than they could be');
    const isAgreed = this.flights.find(idIn(stream)) === flight && seats === integer(data, 'seats');
    if (!isAgreed || holdBefore !== Date.parse(instant(data, 'holdBefore')))
      tell('checkout', 'seats held that its checkout does not name');
    return order;
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

  /** Money of a mandate with these constraints that is set aside for an order, spent on it, or comes back. */
  move({ stream, type, data, metadata }: AuditedEvent, constraints: Json, tell: Tell): void {
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
      const forbidden = forbiddenBy(constraints, frozen);
      if (forbidden !== null) tell('constraint', `reserved though ${forbidden} forbids it`);
    }
    if (type === 'MandateConsumed' && records.has(order, SEEN.failed))
      tell('order', 'money consumed for a failed order');
    if (type === 'MandateReleased' && records.has(order, SEEN.paid)) tell('order', 'money released of a paid order');
  }

  /** `OrderPaid`: charged once seats, order and money were there, with a ticket that nobody else has. */
  pay(event: AuditedEvent, tell: Tell): void {
    const order = this.opened(idIn(event.stream), tell);
    if (order < 0) return;
    const { records } = this;
    const { data, metadata } = event;
    if (records.has(order, SEEN.failed)) tell('order', 'paid, and it had failed');
    this.once(order, SEEN.paid, metadata.occurredAt, 'paid', tell);
    const payment = object(data, 'payment');
    const frozen = records.frozen(order);
    const { flight, mandate } = this.streamsOf(frozen);
    if (this.isHere(flight) && !records.has(order, SEEN.held)) tell('order', 'paid before its seats were held');
    if (!records.has(order, SEEN.placed)) tell('order', 'paid before it was placed');
    if (this.isHere(mandate) && !records.has(order, SEEN.reserved)) tell('order', 'paid before its money was reserved');
    const paid = amount(payment, 'amount');
    if (paid.amount !== frozen.total || paid.currency !== frozen.currency)
      tell('amount', `paid ${shown(paid)} for an order of ${shown(totalOf(frozen))}`);
    const code = text(data, 'ticketCode');
    const ticket = /^\d{13}$/.test(code) ? Number(code) : 0;
    if (ticket === 0) tell('ticket', `${code} is no ticket code`);
    else if (!this.tickets.add(ticket)) tell('ticket', `ticket ${code} was issued before`);
    records.pay(order, ticket, paymentOf(payment));
  }

  fail({ stream, data, metadata }: AuditedEvent, tell: Tell): void {
    const order = this.opened(idIn(stream), tell);
    if (order < 0) return;
    text(data, 'failure');
    if (this.records.has(order, SEEN.paid)) tell('order', 'failed, and it was paid');
    if (this.records.has(order, SEEN.consumed)) tell('order', 'failed, and its money was consumed');
    this.once(order, SEEN.failed, metadata.occurredAt, 'failed', tell);
  }

  /** The checkout of a paid order is closed by its ticket, once all else stands. */
  ticket({ data, metadata }: AuditedEvent, order: number, tell: Tell): void {
    const { records } = this;
    if (!this.isHere(`order-${records.ids.nameOf(order)}`)) return;
    if (!records.has(order, SEEN.paid)) tell('ticket', 'a ticket for an order that is not paid');
    else if (Number(text(data, 'ticketCode')) !== records.ticketOf(order))
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

  /** Whether the rules of an order apply to an event that names it: its own stream is here, and where its checkout was opened. */
  isFollowed(stream: string, data: Json): boolean {
    const orderId = data['orderId'] === undefined ? stream.slice('order-'.length) : text(data, 'orderId');
    if (!this.isHere(`order-${orderId}`)) return false;
    if (this.records.ids.find(orderId) >= 0) return true;
    // Unknown so far: whether something is wrong with that depends on whether its booking is known.
    return data['bookingId'] === undefined ? this.isHere('booking') : this.isHere(`booking-${text(data, 'bookingId')}`);
  }

  /** The checkouts that are not over. */
  *stillOpen(): Iterable<OpenCheckout> {
    const { ids } = this.records;
    for (let order = 0; order < ids.size; order += 1) {
      if (this.records.has(order, SEEN.ticketed | SEEN.abandoned)) continue;
      const bookingId = this.bookings.nameOf(this.records.frozen(order).booking);
      const openedAt = new Date(this.records.openedAt(order)).toISOString();
      yield { orderId: ids.nameOf(order), bookingId, openedAt };
    }
  }
}

/** What an order repeats of its checkout, the amount aside. */
const TERMS = ['booking', 'mandate', 'flight', 'terms', 'seats', 'holdBefore'] as const;

const MOVES: Readonly<Record<string, readonly [number, string]>> = {
  MandateReserved: [SEEN.reserved, 'money reserved'],
  MandateConsumed: [SEEN.consumed, 'money consumed'],
};

/** What `OrderPaid` and the ledger both say of a payment. */
export const paymentOf = (payment: Json): number =>
  fingerprint(['id', 'brand', 'last4', 'capturedAt'].map((name) => text(payment, name)).join(' '));

export const totalOf = ({ total, currency }: Frozen): Amount => ({ amount: total, currency });

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
