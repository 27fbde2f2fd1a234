import { z } from 'zod';
import { checkout } from './checkout.schema.js';
import { errorCode, type EventOf, instant, money } from './schema.js';

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

/** Why an order is cancelled: within a day of buying, by what its fare says, or by the airline. */
export const CANCELLATION_REASONS = ['withdrawal', 'fare_rule', 'flight_cancelled'] as const;

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
  /** The way back begins, once an order: why, and what comes back of what was captured (rule 35). `fee`: what stays. */
  OrderCancellationStarted: z.object({
    cancellationId: z.string(),
    bookingId: z.string(),
    reason: z.enum(CANCELLATION_REASONS),
    refund: money,
    fee: money,
    /** When the flight leaves; null: nobody knows, and it was cancelled. */
    departsAt: instant.nullable(),
    /** The process that carries it out, if it keeps a lease (rule 8). */
    runner: z.string().optional(),
    startedAt: instant,
  }),
  /** Everything came back that was to; `refundId` null: nothing was. */
  OrderCancelled: z.object({
    bookingId: z.string(),
    refund: money,
    refundId: z.string().nullable(),
    refundedAt: instant,
    cancelledAt: instant,
  }),
  /** The processor refused the refund for good: the order stays paid. */
  OrderRefundFailed: z.object({ bookingId: z.string(), failedAt: instant }),
};

export type CancellationReason = (typeof CANCELLATION_REASONS)[number];

/** The tickets of an order, in the order of its passengers. */
export type TicketCodes = readonly [string, ...string[]];
export type Payment = z.infer<typeof paymentSchema>;
export type OrderEvent = EventOf<typeof orderEvents>;
