import { z } from 'zod';
import { conditionsSchema } from './conditions.js';
import { checkout } from './checkout.schema.js';
import { type EventOf, instant, money, party } from './schema.js';

const choice = {
  flightId: z.string().optional(),
  /** null: an empty draft. */
  flightNumber: z.string().nullable(),
  /** Local date and instant of departure; absent: of a flight without a date, or of before. */
  departureDate: z.string().optional(),
  departureAt: instant.optional(),
  fareCode: z.string().nullable(),
  passengers: z.int(),
  /** Price of the whole party when it was last chosen; 0 BRL for a draft. */
  total: money,
  /** Its share of taxes; absent: written before they were kept apart, 0. */
  taxes: money.optional(),
  /** Promised as the total is; absent: of before there were any, or there is no price yet. */
  conditions: conditionsSchema.optional(),
  /** Until when the total is promised; absent: it has no end, or there is no price yet. */
  expiresAt: instant.optional(),
  /** Whether it is said who flies, in a document that may have been erased; absent: as it was, at first not known. */
  named: z.boolean().optional(),
};

/** Events of `booking-<id>`. */
export const bookingEvents = {
  BookingCreated: z.object({ bookingId: z.string(), ...party, ...choice, createdAt: instant }),
  BookingChanged: z.object({ ...choice, changedAt: instant }),
  /**
   * Takes the booking for one order and freezes what is bought. `runner`: the process that runs it, if it keeps a lease (rule 8).
   * `accepted`: what the order named, where it pays more than the booking had been promised for (rule 34).
   */
  BookingCheckoutStarted: z.object({
    ...checkout,
    runner: z.string().optional(),
    accepted: money.optional(),
    openedAt: instant,
  }),
  BookingCheckoutAbandoned: z.object({ orderId: z.string(), abandonedAt: instant }),
  BookingTicketed: z.object({ orderId: z.string(), ticketCode: z.string(), ticketedAt: instant }),
};

export type BookingEvent = EventOf<typeof bookingEvents>;
