import { z } from 'zod';
import { pauseNumber } from './pause.events.js';
import { errorCode, type EventOf, instant, money, party, scopes } from './schema.js';

/** What a mandate may be spent on, beside its ceiling; a member that is absent restricts nothing. */
const constraints = z.strictObject({
  /** IATA codes of the airports that a flight may leave from, and arrive at. */
  from: z.array(z.string()).readonly().optional(),
  to: z.array(z.string()).readonly().optional(),
  /** Price of one seat, and number of orders reserved or consumed, at most. */
  maxPricePerSeat: money.optional(),
  maxOrders: z.int().positive().optional(),
  /** What one order may cost in all, and has to. */
  orderTotal: z.strictObject({ min: money.optional(), max: money }).optional(),
});
export type Constraints = Readonly<z.infer<typeof constraints>>;

/** Whether mandates of AP2 authorize the order itself, so that this one only has to let it pay; absent: none do. */
const isByAp2 = z.literal(true).optional();

/** Events of `mandate-<id>`: the stream an auditor replays. */
export const mandateEvents = {
  /** An agent asks its traveller for a mandate that it may not open itself; unanswered it lapses at `lapsesAt` (rule 31). */
  MandateRequested: z.object({
    mandateId: z.string(),
    ...party,
    scope: scopes,
    limit: money,
    minutes: z.int(),
    constraints: constraints.optional(),
    requestedAt: instant,
    lapsesAt: instant,
  }),
  /** The traveller's answer, with the terms that follow from it; `MandateCreated` carries it out. */
  MandateApproved: z.object({ limit: money, minutes: z.int(), startsAt: instant, expiresAt: instant }),
  MandateCreated: z.object({
    mandateId: z.string(),
    ...party,
    scope: scopes,
    limit: money,
    minutes: z.int(),
    startsAt: instant,
    expiresAt: instant,
    grantedBy: z.enum(['traveller', 'agent']),
    constraints: constraints.optional(),
  }),
  /** Part of the ceiling set aside before any charge; refused later than `holdBefore` (rule 6). */
  MandateReserved: z.object({
    orderId: z.string(),
    bookingId: z.string(),
    amount: money,
    holdBefore: instant,
    ap2: isByAp2,
    reservedAt: instant,
  }),
  MandateConsumed: z.object({ orderId: z.string(), amount: money, consumedAt: instant }),
  /** What came back of an order, once: it may be spent again. 0 where nothing did; the order no longer counts (rule 36). */
  MandateRefunded: z.object({ orderId: z.string(), amount: money, departsAt: instant.nullable(), refundedAt: instant }),
  /** `amount` is 0 where nothing was reserved: a fence, so that the order can reserve nothing afterwards. */
  MandateReleased: z.object({ orderId: z.string(), amount: money, holdBefore: instant, releasedAt: instant }),
  /** `orderId` is null where the charge was refused before an order began (rule 1). */
  MandateChargeRefused: z.object({
    orderId: z.string().nullable(),
    reason: errorCode,
    /** The one that the charge violates, where that is the reason. */
    constraint: constraints.keyof().optional(),
    /** That one alone, with what it allows; absent: another reason, or an event of before. */
    allowed: constraints.optional(),
    amount: money,
    ap2: isByAp2,
    refusedAt: instant,
    /** What was to be bought, at what price of one seat; absent: an event of before. */
    bookingId: z.string().optional(),
    flightNumber: z.string().optional(),
    from: z.string().optional(),
    to: z.string().optional(),
    unitPrice: money.optional(),
  }),
  /** The traveller grants less than before: the terms that are in force from now on. */
  MandateNarrowed: z.object({ limit: money, expiresAt: instant, narrowedAt: instant }),
  /** Nothing is charged until the traveller resumes it. `pause`: that of everything, which ends apart from its own (rule 41). */
  MandatePaused: z.object({ pause: pauseNumber.optional(), pausedAt: instant }),
  MandateResumed: z.object({ pause: pauseNumber.optional(), resumedAt: instant }),
  MandateRevoked: z.object({ revokedAt: instant }),
  MandateExpired: z.object({ expiredAt: instant }),
  /** Closes a stream that was opened in the delegation and never created, so that a late creation fails (rule 19). */
  MandateAbandoned: z.object({ mandateId: z.string(), abandonedAt: instant }),
};

export type MandateEvent = EventOf<typeof mandateEvents>;
