import { z } from 'zod';
import { currency, type EventOf, instant } from './schema.js';

/** What a fare's price includes (docs/interface.md, Fare). It may grow; nothing is ever taken away, since it is stored. */
export const BAGGAGE = ['none', 'checked', 'checked+seat'] as const;

/** One fare of a flight. `price`: integer cents a passenger in the flight's currency; `arrivalTime`: local HH:mm. */
export const fareSchema = z
  .object({
    code: z.string(),
    name: z.string(),
    price: z.int(),
    arrivalTime: z.string(),
    arrivalDayOffset: z.int(),
    baggage: z.enum(BAGGAGE),
  })
  .readonly();

/** Events of `flight-<number>`: what is on sale and how many seats are taken. */
export const flightEvents = {
  FlightScheduled: z.object({
    flightNumber: z.string(),
    slug: z.string(),
    from: z.string(),
    /** null: the catalogue does not name it. */
    fromCity: z.string().nullable(),
    to: z.string(),
    toCity: z.string(),
    departureTime: z.string(),
    /** Local date of departure; null: the flight number stands for no dated departure. */
    departureDate: z.string().nullable(),
    /** IANA zone of the departure; set where `departureDate` is. */
    timeZone: z.string().nullable(),
    durationMin: z.int(),
    seats: z.int(),
    currency,
    fares: z.array(fareSchema).readonly(),
  }),
  FaresRepriced: z.object({ fares: z.array(fareSchema).readonly() }),
  /** Refused later than `holdBefore` (docs/consistency.md, rule 6). */
  SeatsHeld: z.object({ orderId: z.string(), seats: z.int(), holdBefore: instant, heldAt: instant }),
  /** `seats` is 0 where nothing was held: a fence, so that the order can hold nothing afterwards. */
  SeatsReleased: z.object({ orderId: z.string(), seats: z.int(), holdBefore: instant, releasedAt: instant }),
};

export type Fare = z.infer<typeof fareSchema>;
export type FlightEvent = EventOf<typeof flightEvents>;
