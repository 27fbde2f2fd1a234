import type { Projection, RecordedEvent } from '#read-models';
import { BUCKETS, slotOf, startOf } from './figures/buckets.rule.js';
import type { BucketFacts, Fact } from './figures/figures.state.js';

/**
 * What agents' mandates, payments and tokens came to, as counts by minute, hour and day. Apart from the calls, whose
 * documents are larger: who writes to a mandate waits until the read models that follow it have seen it.
 */
export const agentFactsProjection: Projection<BucketFacts> = {
  name: 'agent-facts',
  version: 1,
  categories: ['mandate', 'order', 'security'],
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
    // Where a ring has gone on, what comes too late is too old to be kept.
    if (document && document.start > start) return document;
    const facts = document?.start === start ? document.facts : {};
    return { kind: `${bucket} facts`, start, facts: { ...facts, [fact]: (facts[fact] ?? 0) + 1 } };
  },
};

/** What an event counts as; null: nothing. */
const factOf = (event: RecordedEvent): Fact | null => {
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
    default:
      return null;
  }
};
