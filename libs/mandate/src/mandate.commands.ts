import type { MandateEvent } from '#events';
import type { Instant, Money, Stamped } from '#kernel';
import type { Charge } from './charge.rule.js';

type DataOf<Type extends MandateEvent['type']> = Extract<MandateEvent, { type: Type }>['data'];

export type MandateCommand =
  | ({ readonly type: 'CreateMandate' } & DataOf<'MandateCreated'>)
  | ({ readonly type: 'RequestMandate' } & DataOf<'MandateRequested'>)
  /** The traveller allows what was asked for, with this ceiling and for so long. */
  | { readonly type: 'Approve'; readonly holder: string; readonly limit: Money; readonly minutes: number }
  /** Asks whether a charge would be allowed, reserving nothing (rule 1). */
  | ({ readonly type: 'AuthorizeCharge' } & Charge)
  | ({
      readonly type: 'Reserve';
      readonly orderId: string;
      readonly holdBefore: Instant;
    } & Charge)
  | { readonly type: 'Consume'; readonly orderId: string }
  | { readonly type: 'Release'; readonly orderId: string; readonly holdBefore: Instant }
  /** What came back of a paid order, once; decided no later than `refundBefore` (rule 36). */
  | {
      readonly type: 'Refund';
      readonly orderId: string;
      readonly amount: Money;
      readonly departsAt: Instant | null;
      readonly refundBefore: Instant;
    }
  | { readonly type: 'Revoke'; readonly holder: string }
  /** The traveller lowers the ceiling or brings the end nearer; what is absent stays as it is. */
  | { readonly type: 'Narrow'; readonly holder: string; readonly limit?: Money; readonly expiresAt?: Instant }
  /** Nothing more is charged until the traveller resumes it. `pause`: with everything; absent: by itself (rule 41). */
  | { readonly type: 'Pause'; readonly holder: string; readonly pause?: number }
  | { readonly type: 'Resume'; readonly holder: string; readonly pause?: number }
  /** Writes down that the validity has ended; once there it is final (rule 16). */
  | { readonly type: 'Expire' }
  /** Shuts a stream that was opened in the delegation and never created (rule 19). */
  | { readonly type: 'Abandon'; readonly mandateId: string };

export type CommandOf<Type extends MandateCommand['type']> = Stamped<Extract<MandateCommand, { type: Type }>>;
