import type { Instant, Money, Scope } from '#kernel';
import type { Charge } from './charge.rule.js';

/** Commands of `mandate-<id>`. */
export type MandateCommand =
  | {
      readonly type: 'CreateMandate';
      readonly mandateId: string;
      readonly holder: string;
      readonly clientId: string;
      readonly scope: readonly Scope[];
      readonly limit: Money;
      readonly minutes: number;
      readonly startsAt: Instant;
      readonly expiresAt: Instant;
    }
  /** Asks whether a charge would be allowed, reserving nothing (rule 1). */
  | ({ readonly type: 'AuthorizeCharge' } & Charge)
  | ({ readonly type: 'Reserve'; readonly orderId: string; readonly holdBefore: Instant } & Charge)
  | { readonly type: 'Consume'; readonly orderId: string }
  | { readonly type: 'Release'; readonly orderId: string; readonly holdBefore: Instant }
  | { readonly type: 'Revoke'; readonly holder: string }
  /** Writes down that the validity has ended; once there it is final (rule 16). */
  | { readonly type: 'Expire' }
  /** Shuts a stream that was opened in the delegation and never created (rule 19). */
  | { readonly type: 'Abandon'; readonly mandateId: string };
