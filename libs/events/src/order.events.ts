import { z } from 'zod';
import { checkout } from './checkout.schema.js';
import { type EventOf, errorCode, instant, money } from './schema.js';

/** What is known of a captured payment: of the card, brand and last four digits only. */
export const paymentSchema = z
  .object({
    id: z.string(),
    processor: z.literal('test'),
    method: z.literal('card'),
    brand: z.string(),
    last4: z.string(),
    amount: money,
    capturedAt: instant,
  })
  .readonly();

/** Events of `order-<id>`. `OrderPaid` xor `OrderFailed` ends it (rule 5). */
export const orderEvents = {
  OrderPlaced: z.object({ ...checkout, placedAt: instant }),
  /** The holder is asked, until `expiresAt`. `decisionRecorded` absent: their word may be in the ledger alone (rule 10). */
  PaymentChallenged: z.object({
    bookingId: z.string(),
    brand: z.string(),
    last4: z.string(),
    expiresAt: instant,
    challengedAt: instant,
    decisionRecorded: z.literal(true).optional(),
  }),
  /** The holder's word on the challenge, once for all: the ledger follows it (rule 10). */
  PaymentApproved: z.object({ bookingId: z.string(), approvedAt: instant }),
  PaymentDeclined: z.object({ bookingId: z.string(), declinedAt: instant }),
  /** `ticketCodes`: one a passenger, where there are several; the first is `ticketCode`. Absent before there were any: one for all. */
  OrderPaid: z.object({
    ticketCode: z.string(),
    ticketCodes: z.array(z.string()).readonly().optional(),
    payment: paymentSchema,
    paidAt: instant,
  }),
  OrderFailed: z.object({ failure: errorCode, failedAt: instant }),
};

/** The tickets of an order, in the order of its passengers. */
export type TicketCodes = readonly [string, ...string[]];
export type Payment = z.infer<typeof paymentSchema>;
export type OrderEvent = EventOf<typeof orderEvents>;
