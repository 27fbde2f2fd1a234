import { z } from 'zod';
import { fareSchema } from './flight.events.js';
import { currency, type EventOf, instant } from './schema.js';

/** Events of `timetable-<flightNumber>`: what each of its departures is, until the departure's own stream begins. */
export const timetableEvents = {
  /** The terms of the departures from `firstDate` (local) on, until later ones. */
  TimetableScheduled: z.object({
    flightNumber: z.string(),
    slug: z.string(),
    from: z.string(),
    /** null: the catalogue does not name it. */
    fromCity: z.string().nullable(),
    to: z.string(),
    toCity: z.string(),
    /** Days of the week as schedules of airlines have them: `12345` is Monday to Friday. */
    days: z.string(),
    departureTime: z.string(),
    /** IANA zone of the departure. */
    timeZone: z.string(),
    durationMin: z.int(),
    seats: z.int(),
    currency,
    fares: z.array(fareSchema).readonly(),
    firstDate: z.string(),
  }),
};

/** Events of `days-on-sale`: which local dates of all timetables are on sale. */
export const saleDaysEvents = {
  /** The days from `first` to `last`, each opened once. */
  DaysOpened: z.object({ first: z.string(), last: z.string(), openedAt: instant }),
};

export type TimetableEvent = EventOf<typeof timetableEvents>;
export type SaleDaysEvent = EventOf<typeof saleDaysEvents>;
