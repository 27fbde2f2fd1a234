import type { BookedEvent } from '../../support/books.js';
import type { Bodies } from '../end.js';

/** What the figures count, by event type; of failed orders only those whose payment failed. */
const FACTS: Readonly<Partial<Record<BookedEvent['type'], string>>> = {
  MandateCreated: 'mandatesCreated',
  MandateRevoked: 'mandatesRevoked',
  MandateConsumed: 'chargesApproved',
  OrderPaid: 'paymentsCaptured',
  OrderFailed: 'paymentsDeclined',
  PaymentChallenged: 'paymentsChallenged',
  CodeReplayed: 'codesReplayed',
  RefreshReused: 'refreshTokensReused',
  TokenRevoked: 'tokensRevoked',
  LoginThrottled: 'loginsThrottled',
  CapRefused: 'capsRefused',
};

/** How much of an instant is the same within each kind of bucket, in UTC. */
const SAME: Readonly<Record<string, number>> = { minute: 16, hour: 13, day: 10 };

/** What is wrong with the figures: each bucket counts what the log has in its time; only older rings may be gone. */
export const factFindings = (events: readonly BookedEvent[], documents: Bodies): readonly string[] => {
  const expected = new Map<string, Record<string, number>>();
  for (const { type, data, stored } of events) {
    const fact = FACTS[type];
    if (!fact || (type === 'OrderFailed' && !data.failure.startsWith('payment_'))) continue;
    for (const [bucket, length] of Object.entries(SAME)) {
      const place = `${bucket} ${stored.metadata.occurredAt.slice(0, length)}`;
      const facts = expected.get(place) ?? {};
      expected.set(place, { ...facts, [fact]: (facts[fact] ?? 0) + 1 });
    }
  }
  const found: string[] = [];
  const days = new Set<string>();
  for (const body of documents.values()) {
    const { kind, start, facts } = body as Figures;
    const [bucket = ''] = kind.split(' ');
    const place = `${bucket} ${start.slice(0, SAME[bucket])}`;
    days.add(place);
    const [is, should] = [facts, expected.get(place) ?? {}].map((one) => JSON.stringify(Object.entries(one).sort()));
    if (is !== should) found.push(`agent-facts of ${place}: ${is}, not ${should}`);
  }
  const missing = [...expected.keys()].filter((place) => place.startsWith('day ') && !days.has(place));
  return [...found, ...missing.map((place) => `agent-facts lack ${place}`)];
};

interface Figures {
  readonly kind: string;
  readonly start: string;
  readonly facts: Readonly<Record<string, number>>;
}
