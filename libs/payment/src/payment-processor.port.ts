import type { ErrorCode, Instant, Money } from '#kernel';
import type { Card, CardSummary } from './card.js';

/** A charge to be made once; `orderId` is its idempotency key. */
export interface ChargeRequest {
  readonly orderId: string;
  readonly amount: Money;
  readonly card: Card;
  /** Later than this the processor captures nothing (docs/consistency.md, rule 9). */
  readonly notAfter: Instant;
}

/** What came of an order's charge in the end. */
export type FinalOutcome =
  | ({
      readonly status: 'captured';
      /** Id of the payment. */
      readonly id: string;
      readonly amount: Money;
      readonly capturedAt: Instant;
    } & CardSummary)
  | { readonly status: 'refused'; readonly reason: ErrorCode }
  /** Nothing was captured, and nothing ever will be. */
  | { readonly status: 'closed' };

/** The charge waits for its holder, until `expiresAt`. */
export type Challenged = { readonly status: 'challenged'; readonly expiresAt: Instant } & CardSummary;

export type ChargeOutcome = FinalOutcome | Challenged;

/** Somebody who charges cards. A real one is called over a network and may answer late, or not at all. */
export abstract class PaymentProcessor {
  /** Charges once for an order: asked again, it answers what came of the first time. */
  abstract charge(request: ChargeRequest): Promise<ChargeOutcome>;

  /** The holder's word on a challenged charge; answers whether it was still waiting for it. */
  abstract decide(orderId: string, decision: 'approve' | 'deny'): Promise<boolean>;

  /** Whether the holder approved a charge that is not captured yet. */
  abstract isApproved(orderId: string): Promise<boolean>;

  /** Completes a charge that its holder approved, not later than `notAfter`; one that still waits stays challenged. */
  abstract capture(orderId: string, notAfter: Instant): Promise<ChargeOutcome>;

  /** The final outcome of an order's charge; where there is none, forbids it for ever: a later charge answers `closed`. */
  abstract close(orderId: string): Promise<FinalOutcome>;

  /** Whether this is the card of an order's challenge, one that waits or failed; false once that is forgotten. */
  abstract wasCard(orderId: string, card: Card): Promise<boolean>;
}
