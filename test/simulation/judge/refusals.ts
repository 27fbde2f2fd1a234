import { type Fare, flightIdOf, idOf } from '#events';
import type { BookedEvent, Books } from '../../support/books.js';
import type { End, Ordered } from '../end.js';

/** Orders refused for a reason that was not so at any moment while they were asked for (rules 13 and 17). */
export const refusalFindings = ({ answers, written }: End, { events }: Books): readonly string[] =>
  answers.flatMap((answer) => {
    const isSo = answer.did === 'order' && !answer.key && answer.refusal !== null && REASONS[answer.refusal];
    if (!isSo) return [];
    const market = new Market();
    for (const [place, event] of events.entries()) {
      const at = written[place] ?? 0;
      if (at > answer.answered) break;
      if (at >= answer.asked && isSo(market, answer)) return [];
      market.see(event);
    }
    return isSo(market, answer) ? [] : [`order ${answer.orderId} was refused as ${answer.refusal}, which was not so`];
  });

/** Whether a reason is so at a moment; those that hang on a clock, a card or a fare are not judged. */
const REASONS: Readonly<Record<string, (market: Market, order: Ordered) => boolean>> = {
  order_in_progress: (market, { bookingId }) => market.bookings.get(bookingId)?.isTaken ?? false,
  booking_already_ordered: (market, { bookingId }) => market.bookings.get(bookingId)?.isTicketed ?? false,
  seats_unavailable: (market, { bookingId }) => {
    const booking = market.bookings.get(bookingId);
    return booking !== undefined && market.seatsOf(booking.flight) < booking.seats;
  },
  mandate_revoked: ofMandate(({ isRevoked }) => isRevoked),
  mandate_expired: ofMandate(({ isRevoked }) => !isRevoked),
  mandate_paused: ofMandate(({ isRevoked, isPaused, isPausedWithAll }) => (isPaused || isPausedWithAll) && !isRevoked),
  mandate_limit_exceeded: ofMandate(({ left }, total) => left < total),
};

function ofMandate(isSo: (mandate: Granted, total: number) => boolean) {
  return (market: Market, { bookingId, mandateId }: Ordered): boolean => {
    if (mandateId === undefined) return true;
    const mandate = market.mandates.get(mandateId);
    return mandate !== undefined && isSo(mandate, market.mostOf(bookingId));
  };
}

interface Booked {
  flight: string;
  fare: string;
  seats: number;
  /** In cents, as what a mandate has left. */
  total: number;
  isTaken: boolean;
  isTicketed: boolean;
}

interface Granted {
  limit: number;
  left: number;
  isPaused: boolean;
  isPausedWithAll: boolean;
  isRevoked: boolean;
}

/** What is known of a flight; as long as nobody touched a departure, of its timetable. */
const ofFlight = <Known>(all: ReadonlyMap<string, Known>, flight: string): Known | undefined =>
  all.get(flight) ?? all.get(flight.split('.')[0] ?? '');

/** Bookings, seats and mandates, as the log says them up to a moment. */
class Market {
  readonly bookings = new Map<string, Booked>();
  private readonly seatsLeft = new Map<string, number>();
  readonly mandates = new Map<string, Granted>();
  private readonly fares = new Map<string, readonly Fare[]>();

  /** The most that an order of a booking may cost: once its price is no longer promised, that of its fare (rule 34). */
  mostOf(bookingId: string): number {
    const { flight = '', fare = '', seats = 0, total = 0 } = this.bookings.get(bookingId) ?? {};
    const price = ofFlight(this.fares, flight)?.find(({ code }) => code === fare)?.price ?? 0;
    return Math.max(total, price * seats);
  }

  seatsOf(flight: string): number {
    return ofFlight(this.seatsLeft, flight) ?? 0;
  }

  see({ type, data, stored }: BookedEvent): void {
    const id = idOf(stored.stream);
    const booking = this.bookings.get(id);
    const mandate = this.mandates.get(id);
    switch (type) {
      case 'BookingCreated':
      case 'BookingChanged': {
        const { fareCode, passengers, total } = data;
        const name = { flight: flightIdOf(data) ?? '', fare: fareCode ?? '' };
        const choice = { ...name, seats: passengers, total: total.amount };
        this.bookings.set(id, { isTaken: false, isTicketed: false, ...choice });
        return;
      }
      case 'BookingCheckoutStarted':
        if (booking) booking.isTaken = true;
        return;
      case 'BookingCheckoutAbandoned':
      case 'BookingTicketed':
        if (booking) [booking.isTaken, booking.isTicketed] = [false, type === 'BookingTicketed'];
        return;
      case 'TimetableScheduled':
      case 'FlightScheduled':
        this.seatsLeft.set(id, data.seats);
        this.fares.set(id, data.fares);
        return;
      case 'FaresRepriced':
        this.fares.set(id, data.fares);
        return;
      case 'SeatsHeld':
      case 'SeatsReleased':
        this.seatsLeft.set(id, (this.seatsLeft.get(id) ?? 0) + (type === 'SeatsHeld' ? -data.seats : data.seats));
        return;
      case 'MandateCreated':
      case 'MandateRequested': {
        const { amount: limit } = data.limit;
        this.mandates.set(id, { limit, left: limit, isPaused: false, isPausedWithAll: false, isRevoked: false });
        return;
      }
      case 'MandateNarrowed':
        if (!mandate) return;
        mandate.left += data.limit.amount - mandate.limit;
        mandate.limit = data.limit.amount;
        return;
      case 'MandateReserved':
        if (mandate) mandate.left -= data.amount.amount;
        return;
      case 'MandateReleased':
      case 'MandateRefunded':
        if (mandate) mandate.left += data.amount.amount;
        return;
      case 'MandatePaused':
      case 'MandateResumed':
        if (mandate) mandate[data.pause === undefined ? 'isPaused' : 'isPausedWithAll'] = type === 'MandatePaused';
        return;
      case 'MandateRevoked':
        if (mandate) mandate.isRevoked = true;
    }
  }
}
