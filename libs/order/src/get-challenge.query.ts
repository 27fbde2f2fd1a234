import { Query } from '@nestjs/cqrs';
import type { Line } from '#events';
import type { Instant, Money } from '#kernel';

/**
 * How a challenge stands. `approved`: the holder confirmed, and the agent has not completed the order yet. `denied`: they
 * refused. `expired`: its time was over before the order was completed. `failed`: the order ended for another reason,
 * such as its mandate's revocation.
 */
export type ChallengeStatus = 'waiting' | 'approved' | 'denied' | 'expired' | 'paid' | 'failed';

/** What a holder is asked to confirm. */
export interface ChallengeDetails {
  readonly orderId: string;
  readonly clientId: string;
  readonly mandateId: string;
  readonly line: Line;
  readonly total: Money;
  readonly brand: string;
  readonly last4: string;
  readonly expiresAt: Instant;
  readonly status: ChallengeStatus;
}

/** The challenge of an order, for its holder. */
export class GetChallenge extends Query<ChallengeDetails> {
  constructor(
    readonly orderId: string,
    readonly holder: string,
  ) {
    super();
  }
}
