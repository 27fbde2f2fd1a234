import type { ErrorCode, Instant, Money } from '#kernel';
import type { Card, CardSummary } from './card.js';

/** A charge to make once; `orderId` is its idempotency key. */
export interface ChargeRequest {
  readonly orderId: string;
  readonly amount: Money;
  readonly card: Card;
  /** The processor captures nothing later than this (docs/consistency.md, rule 9). */
  readonly notAfter: Instant;
}

export type FinalOutcome =
  | ({
      readonly status: 'captured';
      readonly id: string;
      readonly amount: Money;
      readonly capturedAt: Instant;
    } & CardSummary)
  | { readonly status: 'refused'; readonly reason: ErrorCode }
  /** Nothing was captured, and nothing ever will be. */
  | { readonly status: 'closed' };

export type Challenged = { readonly status: 'challenged'; readonly expiresAt: Instant } & CardSummary;

export type ChargeOutcome = FinalOutcome | Challenged;

/** A refund to make once, for an order that was captured; `orderId` is its idempotency key. */
export interface RefundRequest {
  readonly orderId: string;
  /** More than nothing, and never more than was captured. */
  readonly amount: Money;
}

export type RefundOutcome =
  | { readonly status: 'refunded'; readonly id: string; readonly amount: Money; readonly refundedAt: Instant }
  /** Nothing comes back, and nothing ever will by itself. */
  | { readonly status: 'refund_failed'; readonly amount: Money; readonly failedAt: Instant };

/** Charges cards. A real processor is called over a network and may answer late, or not at all. */
export abstract class PaymentProcessor {
  /** Charges once for an order; a repeated call returns the first outcome. */
  abstract charge(request: ChargeRequest): Promise<ChargeOutcome>;

  /** Records the holder's decision on a challenged charge, however late; returns whether the charge was waiting for it. */
  abstract decide(orderId: string, decision: 'approve' | 'deny'): Promise<boolean>;

  /** Whether the holder approved a charge that is not captured yet. */
  abstract isApproved(orderId: string): Promise<boolean>;

  /** Captures a charge that its holder approved, not later than `notAfter`; without a decision it stays challenged. */
  abstract capture(orderId: string, notAfter: Instant): Promise<ChargeOutcome>;

  /** The final outcome of an order's charge. If there is none, forbids it for ever: a later charge answers `closed`. */
  abstract close(orderId: string): Promise<FinalOutcome>;

  /** Gives back once for an order; a repeated call returns the first outcome. @throws Error where less was captured */
  abstract refund(request: RefundRequest): Promise<RefundOutcome>;

  /** Whether this is the card of an order's waiting or failed challenge; false once the card is forgotten. */
  abstract wasCard(orderId: string, card: Card): Promise<boolean>;
}
