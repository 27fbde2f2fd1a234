import type { AuditedEvent } from '../audited-event.js';
import type { Tell } from './mandate-state.js';
import { integer, text } from './members.js';
import type { Orders } from './orders.js';

/** No seat is sold twice, at any moment. Which order holds how many is known of the orders. */
export class Flights {
  private readonly flights = new Map<string, { seats: number; taken: number }>();

  constructor(private readonly orders: Orders) {}

  next(event: AuditedEvent, tell: Tell): void {
    const { stream, type, data } = event;
    const flight = this.flights.get(stream);
    if (type === 'FlightScheduled') {
      if (flight) tell('seats', 'scheduled twice');
      this.flights.set(stream, { seats: integer(data, 'seats'), taken: 0 });
      return;
    }
    if (!flight) {
      tell('seats', `${type} before the flight was scheduled`);
      return;
    }
    if (type === 'FaresRepriced') return;
    const isHold = type === 'SeatsHeld';
    flight.taken += isHold ? integer(data, 'seats') : -integer(data, 'seats');
    if (flight.taken > flight.seats) tell('seats', `${flight.taken} seats taken of ${flight.seats}`);
    if (!this.orders.isFollowed(text(data, 'orderId'), null)) return;
    if (isHold) this.orders.holdSeats(event, tell);
    else this.orders.releaseSeats(event, tell);
  }
}
