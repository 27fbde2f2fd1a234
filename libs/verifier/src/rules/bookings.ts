import type { AuditedEvent, Json } from '../audited-event.js';
import { type Digest, DIGEST_SIZE, digestOf, isSameDigest } from '../compact/digest.js';
import { Records } from '../compact/records.js';
import type { Sha256 } from '../crypto.js';
import type { Tell } from './mandate-state.js';
import { object, text } from './members.js';
import type { Orders } from './orders.js';

/** What is known of a booking: its state, the order that has it (one more than its number), who made it, and what is chosen. */
const [STATE, ORDER, PARTY, CHOICE, WIDTH] = [0, 1, 5, 5 + DIGEST_SIZE, 5 + 2 * DIGEST_SIZE] as const;
const [NONE, OPEN, CHECKOUT, TICKETED] = [0, 1, 2, 3];

/** One order at a time, each ended before the next begins, none after a ticket: a booking is sold once. */
export class Bookings {
  private readonly records = new Records(WIDTH);

  constructor(
    private readonly sha256: Sha256,
    private readonly orders: Orders,
  ) {}

  next(event: AuditedEvent, tell: Tell): void {
    const { stream, type, data } = event;
    const { records } = this;
    const booking = this.orders.bookings.of(stream.slice('booking-'.length));
    const state = records.u8(booking, STATE);
    if (type === 'BookingCreated') {
      if (state !== NONE) tell('booking', 'created twice');
      records.setU8(booking, STATE, OPEN);
      this.kept(booking, PARTY).set(this.partyOf(data));
      this.kept(booking, CHOICE).set(this.choiceOf(data, data));
      return;
    }
    if (state === NONE) tell('booking', `${type} before it was created`);
    switch (type) {
      case 'BookingChanged':
        if (state > OPEN) tell('booking', 'changed while an order or a ticket had it');
        this.kept(booking, CHOICE).set(this.choiceOf(data, data));
        return;
      case 'BookingCheckoutStarted': {
        if (state === CHECKOUT) tell('booking', 'ordered while an order had it');
        if (state === TICKETED) tell('booking', 'ordered after it was sold');
        if (!isSameDigest(this.kept(booking, PARTY), this.partyOf(data)))
          tell('booking', 'ordered by another than who made it');
        if (!isSameDigest(this.kept(booking, CHOICE), this.choiceOf(object(data, 'line'), data)))
          tell('booking', 'what is ordered is not what was booked');
        records.setU8(booking, STATE, CHECKOUT);
        records.setU32(booking, ORDER, this.orders.open(event, tell) + 1);
        return;
      }
      case 'BookingCheckoutAbandoned':
      case 'BookingTicketed': {
        const order = this.orders.find(text(data, 'orderId'));
        if (state !== CHECKOUT || records.u32(booking, ORDER) !== order + 1 || order < 0) {
          tell('booking', `${type} of an order that does not have it`);
          return;
        }
        records.setU8(booking, STATE, type === 'BookingTicketed' ? TICKETED : OPEN);
        if (type === 'BookingTicketed') this.orders.ticket(event, order, tell);
        else this.orders.abandon(event, order, tell);
      }
    }
  }

  private kept(booking: number, at: number): Digest {
    return this.records.bytes(booking, at, DIGEST_SIZE);
  }

  private partyOf({ holder, clientId }: Json): Digest {
    return digestOf(this.sha256, [holder, clientId]);
  }

  private choiceOf({ flightNumber, fareCode, passengers }: Json, { total }: Json): Digest {
    return digestOf(this.sha256, [flightNumber, fareCode, passengers, total]);
  }
}
