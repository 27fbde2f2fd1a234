import type { ErrorCode, Instant, Money } from '#kernel';
import type { Card, CardSummary } from './card.js';

/** A charge to be made once; `orderId` is its idempotency key. */
export interface ChargeRequest {
  readonly orderId: string;
  readonly amount: Money;
  readonly card: Card;
  /** Later than this the processor captures nothing (consistency.md, rule 9). */
  readonly notAfter: Instant;
}

/** The final outcome of an order's charge. */
export type ChargeOutcome =
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

/** Somebody who charges cards. A real one is called over a network and may answer late, or not at all. */
export abstract class PaymentProcessor {
  /** Charges once for an order: asked again, it answers what came of the first time. */
  abstract charge(request: ChargeRequest): Promise<ChargeOutcome>;

  /** The final outcome of an order's charge; where there is none, forbids it for ever: a later charge answers `closed`. */
  abstract close(orderId: string): Promise<ChargeOutcome>;
}
