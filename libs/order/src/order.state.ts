import type { Checkout, Payment } from '#events';
import type { ErrorCode, Instant } from '#kernel';

interface Placed {
  readonly checkout: Checkout;
  readonly placedAt: Instant;
}

/** The state of `order-<id>`: paid xor failed ends it (consistency.md, rule 5). */
export type Order =
  | { readonly kind: 'none' }
  | (Placed & { readonly kind: 'pending' })
  | (Placed & {
      readonly kind: 'paid';
      readonly ticketCode: string;
      readonly payment: Payment;
      readonly paidAt: Instant;
    })
  | (Placed & { readonly kind: 'failed'; readonly failure: ErrorCode });

export type PlacedOrder = Exclude<Order, { kind: 'none' }>;
