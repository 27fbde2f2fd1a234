import type { Flight } from '#catalog';
import type { Fare, Line } from '#events';
import { type Money, money } from '#kernel';

/** The receipt's line, frozen when the checkout opens: what is bought, at the price the booking was made. */
export const lineOf = (flight: Flight, fare: Fare, passengers: number, total: Money): Line => {
  const { flightNumber, from, to, toCity, departureDate, departureTime } = flight;
  return {
    description: `Voo ${flightNumber}, ${from}–${to} (${toCity}), tarifa ${fare.name}`,
    flightNumber,
    from,
    to,
    departureDate,
    departureTime,
    arrivalTime: fare.arrivalTime,
    arrivalDayOffset: fare.arrivalDayOffset,
    fareCode: fare.code,
    fareName: fare.name,
    baggage: fare.baggage,
    passengers,
    // A booking's total is a price per passenger times passengers, so this divides exactly.
    unitPrice: money(total.amount / passengers, total.currency),
    subtotal: total,
  };
};
