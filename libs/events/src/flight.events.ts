import { z } from 'zod';
import { type Money, money } from '#kernel';
import { conditionsSchema } from './conditions.js';
import { currency, type EventOf, instant } from './schema.js';

/** What a fare's price includes (docs/interface.md, Fare). It may grow; nothing is ever taken away, since it is stored. */
export const BAGGAGE = ['none', 'checked', 'checked+seat'] as const;

/** One fare of a flight. `price`: integer cents a passenger in the flight's currency, `taxes` with it; `arrivalTime`: local HH:mm. */
export const fareSchema = z
  .object({
    code: z.string(),
    name: z.string(),
    price: z.int(),
    /** What of the price is taxes; absent: 0. */
    taxes: z.int().optional(),
    arrivalTime: z.string(),
    arrivalDayOffset: z.int(),
    baggage: z.enum(BAGGAGE),
    /** Absent: `DEFAULT_CONDITIONS`. */
    conditions: conditionsSchema.optional(),
  })
  .readonly();

/** What a flight is called. Its id is opaque; absent: it is the number, as for every flight that has no date. */
const flightName = { flightId: z.string().optional(), flightNumber: z.string() };

/** Events of `flight-<flightId>`: what is on sale and how many seats are taken. */
export const flightEvents = {
  FlightScheduled: z.object({
    ...flightName,
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
  /** The airline does not fly it, for a reason in the operator's words: nothing of it is sold any more. */
  FlightCancelled: z.object({ reason: z.string(), cancelledAt: instant }),
  /** Refused later than `holdBefore` (docs/consistency.md, rule 6). */
  SeatsHeld: z.object({ orderId: z.string(), seats: z.int(), holdBefore: instant, heldAt: instant }),
  /** `seats` is 0 where nothing was held: a fence, so that the order can hold nothing afterwards. */
  SeatsReleased: z.object({ orderId: z.string(), seats: z.int(), holdBefore: instant, releasedAt: instant }),
};

/** The name of a flight in what is stored; a draft has neither number nor id. */
export interface FlightName<Number extends string | null = string> {
  readonly flightId?: string | undefined;
  readonly flightNumber: Number;
}

export const flightIdOf = <Name extends FlightName<string | null>>({
  flightId,
  flightNumber,
}: Name): string | Name['flightNumber'] => flightId ?? flightNumber;

export const flightNameOf = <Number extends string | null>({ flightId, flightNumber }: FlightName<Number>) =>
  flightId === undefined ? { flightNumber } : { flightId, flightNumber };

export type Fare = z.infer<typeof fareSchema>;

export interface PriceParts {
  readonly base: Money;
  readonly taxes: Money;
}

export const fareFor = (
  { price, taxes = 0 }: Pick<Fare, 'price' | 'taxes'>,
  passengers: number,
  currency: Money['currency'],
) => ({ total: money(price * passengers, currency), taxes: money(taxes * passengers, currency) });

/** The parts of a total; one that was written before they were kept apart has no taxes. */
export const partsOf = (total: Money, taxes: Money = money(0, total.currency)): PriceParts => ({
  base: money(total.amount - taxes.amount, total.currency),
  taxes,
});

export type FlightEvent = EventOf<typeof flightEvents>;
