import type { AuditedEvent, Json } from '../audited-event.js';
import { fingerprint } from '../compact/fingerprint.js';
import { Records } from '../compact/records.js';
import type { Tell } from './mandate-state.js';
import { amount, integer, object, text } from './members.js';
import type { Orders } from './orders.js';

/** What is known of a booking: its state, the order that has it (one more than its number), who made it, and what is chosen. */
const [STATE, ORDER, PARTY, CHOICE, WIDTH] = [0, 1, 5, 9, 13];
const [NONE, OPEN, CHECKOUT, TICKETED] = [0, 1, 2, 3];

/** One order at a time, each ended before the next begins, none after a ticket: a booking is sold once. */
export class Bookings {
  private readonly records = new Records(WIDTH);

  constructor(private readonly orders: Orders) {}

  next(event: AuditedEvent, tell: Tell): void {
    const { stream, type, data } = event;
    const { records } = this;
    const booking = this.orders.bookings.of(stream.slice('booking-'.length));
    const state = records.u8(booking, STATE);
    if (type === 'BookingCreated') {
      if (state !== NONE) tell('booking', 'created twice');
      records.setU8(booking, STATE, OPEN);
      records.setU32(booking, PARTY, partyOf(data));
      records.setU32(booking, CHOICE, choiceOf(data, data));
      return;
    }
    if (state === NONE) tell('booking', `${type} before it was created`);
    switch (type) {
      case 'BookingChanged':
        if (state > OPEN) tell('booking', 'changed while an order or a ticket had it');
        records.setU32(booking, CHOICE, choiceOf(data, data));
        return;
      case 'BookingCheckoutStarted': {
        if (state === CHECKOUT) tell('booking', 'ordered while an order had it');
        if (state === TICKETED) tell('booking', 'ordered after it was sold');
        if (records.u32(booking, PARTY) !== partyOf(data)) tell('agent', 'ordered by another than who made it');
        if (records.u32(booking, CHOICE) !== choiceOf(object(data, 'line'), data))
          tell('booking', 'what is ordered is not what was booked');
        records.setU8(booking, STATE, CHECKOUT);
        records.setU32(booking, ORDER, this.orders.open(event, tell) + 1);
        return;
      }
      case 'BookingCheckoutAbandoned':
      case 'BookingTicketed': {
        const order = this.orders.records.ids.find(text(data, 'orderId'));
        if (state !== CHECKOUT || records.u32(booking, ORDER) !== order + 1 || order < 0) {
          tell('booking', `${type} of an order that does not have it`);
          return;
        }
        records.setU8(booking, STATE, type === 'BookingTicketed' ? TICKETED : OPEN);
        if (type === 'BookingTicketed') this.orders.ticket(event, order, tell);
        else this.orders.abandon(event, order, tell);
        return;
      }
      default:
        tell('form', `a booking has no event ${type}`);
    }
  }
}

const partyOf = (data: Json): number => fingerprint(`${text(data, 'holder')} ${text(data, 'clientId')}`);

const choiceOf = (line: Json, data: Json): number => {
  const total = amount(data, 'total');
  const flight = [line['flightNumber'], line['fareCode']].map(String);
  return fingerprint([...flight, integer(line, 'passengers'), total.amount, total.currency].join(' '));
};
