import type { Instant } from '#kernel';
import type { Bucket } from './buckets.rule.js';

/** What is counted of events other than traffic. */
export const FACTS = [
  'mandatesCreated',
  'mandatesRevoked',
  'chargesApproved',
  'paymentsCaptured',
  'paymentsDeclined',
  'paymentsChallenged',
  'codesReplayed',
  'refreshTokensReused',
  'tokensRevoked',
  'loginsThrottled',
  'capsRefused',
] as const;
export type Fact = (typeof FACTS)[number];
export type Facts = Readonly<Partial<Record<Fact, number>>>;

/** Calls of one operation by one family. */
export interface PairFigures {
  readonly family: string;
  readonly operation: string;
  /** Count by channel, status and error code (`-`: none), with a space between. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Place of a latency bucket and count by turns. */
  readonly latencies: readonly number[];
}

/** All that is kept of the calls in a bucket. */
export interface BucketFigures {
  readonly kind: `${Bucket} figures`;
  readonly start: Instant;
  /** By family and operation, with a space between. */
  readonly calls: Readonly<Record<string, PairFigures>>;
  /** Hashes of the agents by family, sorted: at most a thousand, the least. */
  readonly agents: Readonly<Record<string, readonly string[]>>;
}

/** What a chart needs of a bucket: a small document, since a chart reads hundreds. */
export interface BucketPoint {
  readonly kind: `${Bucket} point`;
  readonly start: Instant;
  readonly requests: number;
  readonly errors: number;
  readonly latencies: readonly number[];
}

/** A document of the read model. */
export type TrafficDocument = BucketFigures | BucketPoint;

/** What happened in a bucket beside the calls. */
export interface BucketFacts {
  readonly kind: `${Bucket} facts`;
  readonly start: Instant;
  readonly facts: Facts;
}
