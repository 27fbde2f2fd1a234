import type { Amount, AuditedEvent, Json } from '../audited-event.js';
import { canonicalJson } from '../canonical-json.js';
import { areWorse } from './conditions.js';
import { type Digest, digestOf } from './order-record.js';
import { ShardedMap } from '../sharded-map.js';
import type { Sha256 } from '../crypto.js';
import type { ReportBreach } from './mandate-state.js';
import { amount, instant, integer, object, shown, text } from './members.js';
import type { Orders } from './orders.js';
import type { Version } from '../version.js';

interface Booking {
  state: 'none' | 'open' | 'checkout' | 'ticketed';
  orderId: string | null;
  party: Digest | null;
  choice: Digest | null;
  /** What was booked last: its price is asked for from the fourth version on. */
  promise: PricePromise | null;
}

/** What a booking was promised for, and until when; null: without an end. */
interface PricePromise {
  readonly total: Amount;
  readonly taxes: number;
  /** Canonical JSON; null: it had none. */
  readonly conditions: string | null;
  readonly expiresAt: string | null;
  /** null: it did not say. */
  readonly departureAt: string | null;
}

/** One order at a time, each ended before the next begins, none after a ticket: a booking is sold once. */
export class Bookings {
  private readonly records = new ShardedMap<Booking>();
  /** There are few of them, and many bookings. */
  private readonly conditions = new Map<string, string>();

  constructor(
    private readonly sha256: Sha256,
    private readonly orders: Orders,
    private readonly version: Version,
  ) {}

  next(event: AuditedEvent, report: ReportBreach): void {
    const { stream, type, data } = event;
    const booking = this.records.of(stream, () => ({
      state: 'none',
      orderId: null,
      party: null,
      choice: null,
      promise: null,
    }));
    const { state } = booking;
    if (type === 'BookingCreated') {
      if (state !== 'none') report('booking', 'created twice');
      Object.assign(booking, { state: 'open', party: this.partyOf(data), ...this.bookedIn(data) });
      return;
    }
    if (state === 'none') report('booking', `${type} before it was created`);
    switch (type) {
      case 'BookingChanged':
        if (state === 'checkout' || state === 'ticketed')
          report('booking', 'changed while an order or a ticket had it');
        Object.assign(booking, this.bookedIn(data));
        return;
      case 'BookingCheckoutStarted': {
        if (state === 'checkout') report('booking', 'ordered while an order had it');
        if (state === 'ticketed') report('booking', 'ordered after it was sold');
        if (booking.party !== this.partyOf(data)) report('booking', 'ordered by another than who made it');
        if (booking.choice !== this.choiceOf(object(data, 'line'), data))
          report('booking', 'what is ordered is not what was booked');
        if (booking.promise) checkPrice(booking.promise, event, report);
        booking.state = 'checkout';
        booking.orderId = this.orders.open(event, report);
        return;
      }
      case 'BookingCheckoutAbandoned':
      case 'BookingTicketed': {
        const order = this.orders.find(text(data, 'orderId'));
        if (state !== 'checkout' || !order || booking.orderId !== order.id) {
          report('booking', `${type} of an order that does not have it`);
          return;
        }
        booking.state = type === 'BookingTicketed' ? 'ticketed' : 'open';
        if (type === 'BookingTicketed') this.orders.ticket(event, order, report);
        else this.orders.abandon(event, order, report);
      }
    }
  }

  private partyOf({ holder, clientId }: Json): Digest {
    return digestOf(this.sha256, [holder, clientId]);
  }

  private bookedIn(data: Json): Pick<Booking, 'choice' | 'promise'> {
    const choice = this.choiceOf(data, data);
    if (this.version < 4) return { choice, promise: null };
    const instantOf = (name: string) => (data[name] === undefined ? null : instant(data, name));
    const [expiresAt, departureAt] = [instantOf('expiresAt'), instantOf('departureAt')];
    const [total, taxes, conditions] = [amount(data, 'total'), taxesIn(data), this.conditionsIn(data)];
    return { choice, promise: { total, taxes, conditions, expiresAt, departureAt } };
  }

  private conditionsIn(data: Json): string | null {
    const content = conditionsOf(data);
    const known = content === null ? null : (this.conditions.get(content) ?? content);
    if (known !== null) this.conditions.set(known, known);
    return known;
  }

  private choiceOf({ flightId, flightNumber, fareCode, passengers }: Json, { total }: Json): Digest {
    const id = this.version >= 3 ? (flightId ?? null) : null;
    const price = this.version >= 4 ? [] : [total];
    return digestOf(this.sha256, [id, flightNumber, fareCode, passengers, ...price]);
  }
}

/** Cents; where they are not kept apart there are none. */
const taxesIn = (data: Json): number => (data['taxes'] === undefined ? 0 : amount(data, 'taxes').amount);

const conditionsOf = (data: Json): string | null =>
  data['conditions'] === undefined ? null : canonicalJson(data['conditions']);

const parsed = (content: string | null): Json | null => (content === null ? null : (JSON.parse(content) as Json));

/** The departure that was booked; the promised price while it holds; afterwards no more than that, or than what the order named. */
const checkPrice = (
  { total: promised, taxes, conditions, expiresAt, departureAt }: PricePromise,
  { data, metadata }: AuditedEvent,
  report: ReportBreach,
): void => {
  const total = amount(data, 'total');
  const line = object(data, 'line');
  const frozen = conditionsOf(line);
  if (departureAt !== null && line['departureAt'] !== departureAt)
    report('booking', `ordered for another departure than ${departureAt}`);
  if (expiresAt === null || metadata.occurredAt < expiresAt) {
    const isKept = total.amount === promised.amount && taxes === taxesIn(line);
    if (!isKept || total.currency !== promised.currency)
      report('booking', `ordered for ${shown(total)}, and ${shown(promised)} was promised`);
    if (frozen !== conditions) report('booking', 'ordered on other conditions than were promised');
    return;
  }
  const most = data['accepted'] === undefined ? promised : amount(data, 'accepted');
  const isNamed = total.currency === promised.currency && total.currency === most.currency;
  if (!isNamed || total.amount > Math.max(promised.amount, most.amount))
    report('booking', `ordered for ${shown(total)}, which is more than was promised or named`);
  const order = { base: promised.amount - taxes, taxes, passengers: integer(line, 'passengers') };
  if (areWorse(parsed(frozen), parsed(conditions), order))
    report('booking', 'ordered on worse conditions than were promised');
};
