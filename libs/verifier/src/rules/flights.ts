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
      if (`flight-${text(data, 'flightNumber')}` !== stream) tell('form', 'it names another flight than its stream');
      this.flights.set(stream, { seats: integer(data, 'seats'), taken: 0 });
      return;
    }
    if (!flight) {
      tell('seats', `${type} before the flight was scheduled`);
      return;
    }
    if (type === 'SeatsHeld') {
      this.orders.holdSeats(event, tell);
      flight.taken += integer(data, 'seats');
      if (flight.taken > flight.seats) tell('seats', `${flight.taken} seats taken of ${flight.seats}`);
    } else if (type === 'SeatsReleased') {
      this.orders.releaseSeats(event, tell);
      flight.taken -= integer(data, 'seats');
    } else if (type !== 'FaresRepriced') tell('form', `a flight has no event ${type}`);
  }
}
