import { type MandateEvent, type OrderEvent, type SecurityEvent, securityLog } from '#events';
import { mandates } from '#mandate/pure';
import { orders } from '#order/pure';
import type { Instant } from '#kernel';
import type { Projection } from '#read-models';
import { type Bucket, BUCKETS, slotOf, startOf } from './figures/buckets.rule.js';

/** What is counted of events other than traffic. */
export type Fact =
  | 'mandatesCreated'
  | 'mandatesRevoked'
  | 'chargesApproved'
  | 'paymentsCaptured'
  | 'paymentsDeclined'
  | 'paymentsChallenged'
  | 'codesReplayed'
  | 'refreshTokensReused'
  | 'tokensRevoked'
  | 'loginsThrottled'
  | 'capsRefused';

export interface BucketFacts {
  readonly kind: `${Bucket} facts`;
  readonly start: Instant;
  readonly facts: Readonly<Partial<Record<Fact, number>>>;
}

/** Mandates, payments and tokens by minute, hour and day; apart from calls, since a mandate's command waits for them. */
export const agentFactsProjection: Projection<
  BucketFacts,
  readonly [typeof mandates, typeof orders, typeof securityLog]
> = {
  name: 'agent-facts',
  version: 1,
  from: [mandates, orders, securityLog],
  indexes: [{ fields: ['kind', 'start'] }],
  documentsOf: (event) =>
    factOf(event) === null
      ? []
      : BUCKETS.map((bucket) => `${bucket} facts ${slotOf(bucket, startOf(bucket, event.occurredAt))}`),
  evolve: (document, event, id) => {
    const fact = factOf(event);
    const bucket = BUCKETS.find((one) => id.startsWith(one));
    if (fact === null || !bucket) return document;
    const start = startOf(bucket, event.occurredAt);
    // The slot already holds a newer bucket: this event is too old to be kept.
    if (document && document.start > start) return document;
    const facts = document?.start === start ? document.facts : {};
    return { kind: `${bucket} facts`, start, facts: { ...facts, [fact]: (facts[fact] ?? 0) + 1 } };
  },
};

const factOf = (event: MandateEvent | OrderEvent | SecurityEvent): Fact | null => {
  switch (event.type) {
    case 'MandateCreated':
      return 'mandatesCreated';
    case 'MandateRevoked':
      return 'mandatesRevoked';
    case 'MandateConsumed':
      return 'chargesApproved';
    case 'OrderPaid':
      return 'paymentsCaptured';
    case 'OrderFailed':
      return event.data.failure.startsWith('payment_') ? 'paymentsDeclined' : null;
    case 'PaymentChallenged':
      return 'paymentsChallenged';
    case 'CodeReplayed':
      return 'codesReplayed';
    case 'RefreshReused':
      return 'refreshTokensReused';
    case 'TokenRevoked':
      return 'tokensRevoked';
    case 'LoginThrottled':
      return 'loginsThrottled';
    case 'CapRefused':
      return 'capsRefused';
    case 'MandateReserved':
    case 'MandateReleased':
    case 'MandateChargeRefused':
    case 'MandateExpired':
    case 'MandateAbandoned':
    case 'MandateRequested':
    case 'MandateApproved':
    case 'MandateNarrowed':
    case 'MandatePaused':
    case 'MandateResumed':
    case 'MandateRefunded':
    case 'OrderCancellationStarted':
    case 'OrderCancelled':
    case 'OrderRefundFailed':
    case 'OrderPlaced':
    case 'PaymentApproved':
    case 'PaymentDeclined':
    case 'SigningKeyRevoked':
    case 'LogSucceeded':
      return null;
  }
};
