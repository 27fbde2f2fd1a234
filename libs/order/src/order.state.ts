import type { Checkout, Payment } from '#events';
import type { ErrorCode, Instant } from '#kernel';

interface Placed {
  readonly checkout: Checkout;
  readonly placedAt: Instant;
  /** What the holder was asked, if the processor wanted their word. */
  readonly challenge: OrderChallenge | null;
}

/** What the traveller is asked to confirm, and until when. */
export interface OrderChallenge {
  readonly brand: string;
  readonly last4: string;
  readonly expiresAt: Instant;
}

/** The state of `order-<id>`: paid xor failed ends it (docs/consistency.md, rule 5). */
export type Order =
  | { readonly kind: 'none' }
  | (Placed & { readonly kind: 'pending' })
  | (Placed & {
      readonly kind: 'paid';
      readonly ticketCode: string;
      readonly payment: Payment;
      readonly paidAt: Instant;
    })
  | (Placed & { readonly kind: 'failed'; readonly failure: ErrorCode; readonly failedAt: Instant });

export type PlacedOrder = Exclude<Order, { kind: 'none' }>;
export type FailedOrder = Extract<Order, { kind: 'failed' }>;
