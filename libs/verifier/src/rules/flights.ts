import type { AuditedEvent } from '../audited-event.js';
import type { ReportBreach } from './mandate-state.js';
import { integer, text } from './members.js';
import type { Orders } from './orders.js';

/** No seat is sold twice, at any moment. Which order holds how many is known of the orders. */
export class Flights {
  private readonly flights = new Map<string, { seats: number; taken: number }>();

  constructor(private readonly orders: Orders) {}

  next(event: AuditedEvent, report: ReportBreach): void {
    const { stream, type, data } = event;
    const flight = this.flights.get(stream);
    if (type === 'FlightScheduled') {
      if (flight) report('seats', 'scheduled twice');
      this.flights.set(stream, { seats: integer(data, 'seats'), taken: 0 });
      return;
    }
    if (!flight) {
      report('seats', `${type} before the flight was scheduled`);
      return;
    }
    if (type === 'FaresRepriced') return;
    if (type === 'FlightCancelled') {
      if (this.orders.cancelledFlights.has(stream)) report('seats', 'cancelled twice');
      this.orders.cancelledFlights.add(stream);
      return;
    }
    const isHold = type === 'SeatsHeld';
    if (isHold && this.orders.cancelledFlights.has(stream)) report('seats', 'held, and the flight is cancelled');
    flight.taken += isHold ? integer(data, 'seats') : -integer(data, 'seats');
    if (flight.taken > flight.seats) report('seats', `${flight.taken} seats taken of ${flight.seats}`);
    if (!this.orders.isFollowed(text(data, 'orderId'), null)) return;
    if (isHold) this.orders.holdSeats(event, report);
    else this.orders.releaseSeats(event, report);
  }
}
