import { Query } from '@nestjs/cqrs';
import type { Line } from '#events';
import type { Instant, Money } from '#kernel';

/** What a holder is asked to confirm. `approved`: they did, and the agent has not completed the order yet. */
export interface ChallengeDetails {
  readonly orderId: string;
  readonly clientId: string;
  readonly mandateId: string;
  readonly line: Line;
  readonly total: Money;
  readonly brand: string;
  readonly last4: string;
  readonly expiresAt: Instant;
  readonly status: 'waiting' | 'approved' | 'expired' | 'paid' | 'failed';
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
