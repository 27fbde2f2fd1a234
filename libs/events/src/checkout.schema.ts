import { z } from 'zod';
import { conditionsSchema } from './conditions.js';
import { instant, money, party } from './schema.js';
import { BAGGAGE } from './flight.events.js';

/** What is being bought, frozen when the checkout opens: the receipt's line but for the ticket code. */
export const lineSchema = z
  .object({
    description: z.string(),
    flightId: z.string().optional(),
    flightNumber: z.string(),
    from: z.string(),
    to: z.string(),
    departureDate: z.string().nullable(),
    departureTime: z.string(),
    /** Absent: the flight has no date, or the line is of before. */
    departureAt: instant.optional(),
    arrivalTime: z.string(),
    arrivalDayOffset: z.int(),
    fareCode: z.string(),
    fareName: z.string(),
    baggage: z.enum(BAGGAGE),
    passengers: z.int(),
    unitPrice: money,
    subtotal: money,
    /** Its share of taxes; absent: written before they were kept apart, 0. */
    taxes: money.optional(),
    /** What comes back where it is cancelled; absent: of before there were any, nothing. */
    conditions: conditionsSchema.optional(),
  })
  .readonly();

/** A mandate of AP2 that somebody closed: what it is redeemed by, whatever of it is disclosed, and what its receipt names it by. */
const closedMandate = z.object({ redemption: z.string(), reference: z.string() }).readonly();

/** All that settling an order needs (docs/consistency.md, rule 2). */
export const checkout = {
  ...party,
  orderId: z.string(),
  bookingId: z.string(),
  mandateId: z.string(),
  /** `explicit`: named in the request; `implicit`: chosen by rule 20. */
  mandateSelection: z.enum(['explicit', 'implicit']),
  line: lineSchema,
  total: money,
  /** Seats and mandate can be held no later than this instant (rule 6). */
  holdBefore: instant,
  /** Whether the order or its booking names the passengers; absent: written before that was recorded. */
  named: z.boolean().optional(),
  /** The mandates of AP2 that authorize it, each of which no other order redeems; absent: there are none. */
  ap2: z.object({ checkout: closedMandate, payment: closedMandate }).readonly().optional(),
};

export type Line = z.infer<typeof lineSchema>;
export type RedeemedMandates = NonNullable<Checkout['ap2']>;
export type Checkout = Readonly<z.infer<z.ZodObject<typeof checkout>>>;
