import { type Fare, flightIdOf, type FlightName, flightNameOf } from '#events';
import { DomainError, type Instant, type Money, money } from '#kernel';
import type { Choice } from './booking.state.js';

/** What somebody wants to book; the price is ours. `flightId` null: no flight. */
export interface BookingRequest extends Pick<Choice, 'fareCode' | 'passengers'> {
  readonly flightId: string | null;
}

/** A flight as it was read: its fares, and when its sale ends; null: never. */
export interface Offer extends FlightName {
  readonly currency: Money['currency'];
  readonly fares: readonly Pick<Fare, 'code' | 'name' | 'price'>[];
  readonly departsAt: Instant | null;
}

/** Whether what is booked is on this flight; null: on none. */
export const isOf = (choice: FlightName<string | null>, offer: Offer | null): boolean =>
  flightIdOf(choice) === (offer && flightIdOf(offer));

/** A choice at its fare; a draft or a flight without a fare costs 0. @throws DomainError `flight_departed`, `invalid_fare` */
export const priced = (
  offer: Offer | null,
  { fareCode, passengers }: Omit<BookingRequest, 'flightId'>,
  now: Instant,
): Choice => {
  if (offer === null) {
    if (fareCode !== null) throw new DomainError('invalid_fare');
    return { flightNumber: null, fareCode, passengers, total: money(0, 'BRL') };
  }
  const { currency, fares, departsAt } = offer;
  if (departsAt !== null && now >= departsAt) throw new DomainError('flight_departed');
  const fare = fares.find(({ code }) => code === fareCode);
  if (fareCode !== null && !fare) throw new DomainError('invalid_fare', { currency, fares });
  return { ...flightNameOf(offer), fareCode, passengers, total: money((fare?.price ?? 0) * passengers, currency) };
};
