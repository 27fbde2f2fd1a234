import { z } from 'zod';
import { type Money, money as moneyOf } from '#kernel';
import { conditionsSchema } from './conditions.js';
import { instant, money, party } from './schema.js';
import { BAGGAGE, type Fare } from './flight.events.js';

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
    /** What of the subtotal is taxes; absent: of before they were told apart, 0. */
    taxes: money.optional(),
    /** What comes back where it is cancelled; absent: of before there were any, nothing. */
    conditions: conditionsSchema.optional(),
  })
  .readonly();

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
  /** Whether the order or its booking says who flies; absent: of before it was told. */
  named: z.boolean().optional(),
};

export interface PriceParts {
  readonly base: Money;
  readonly taxes: Money;
}

/** What a fare costs a party, and what of it is taxes. */
export const fareFor = (
  { price, taxes = 0 }: Pick<Fare, 'price' | 'taxes'>,
  passengers: number,
  currency: Money['currency'],
) => ({ total: moneyOf(price * passengers, currency), taxes: moneyOf(taxes * passengers, currency) });

/** The parts of a total; one of before they were told apart has no taxes. */
export const partsOf = (total: Money, taxes: Money = moneyOf(0, total.currency)): PriceParts => ({
  base: moneyOf(total.amount - taxes.amount, total.currency),
  taxes,
});

export type Line = z.infer<typeof lineSchema>;
export type Checkout = Readonly<z.infer<z.ZodObject<typeof checkout>>>;
