import { addLatencies, serializeLatencies } from '../figures/latency.rule.js';
import type { PairFigures } from '../agent-traffic.projection.js';
import { OTHER } from '../figures/names.rule.js';
import type { PublicFigures } from './public-figures.js';

/** Which calls are looked at; absent: all. */
export interface TrafficFilter {
  readonly operation?: string | undefined;
  readonly agent?: string | undefined;
}

/** How some calls ended, and how long they took. */
export class CallSum {
  calls = 0;
  errors = 0;
  readonly latencies = new Map<number, number>();

  add(count: number, status: number): void {
    this.calls += count;
    if (status >= 400) this.errors += count;
  }
}

/** Calls of a family and an operation, as the figures of any number of buckets have them. */
export interface CallsOfPair {
  readonly family: string;
  readonly operation: string;
  readonly channel: string;
  readonly status: number;
  /** Code of the refusal; null: none. */
  readonly error: string | null;
  readonly count: number;
}

/** Pairs of any number of buckets, each family and operation once: what a month adds up to is few, its buckets are many. */
export const summedPairs = (pairs: readonly PairFigures[]): readonly PairFigures[] => {
  const sums = new Map<string, Readonly<Record<'family' | 'operation', string>> & PairSum>();
  for (const { family, operation, outcomes, latencies } of pairs) {
    const key = `${family} ${operation}`;
    const sum = sums.get(key) ?? { family, operation, outcomes: {}, latencies: new Map<number, number>() };
    sums.set(key, sum);
    for (const [way, count] of Object.entries(outcomes)) sum.outcomes[way] = (sum.outcomes[way] ?? 0) + count;
    addLatencies(sum.latencies, latencies);
  }
  return [...sums.values()].map((sum) => ({ ...sum, latencies: serializeLatencies(sum.latencies) }));
};

interface PairSum {
  readonly outcomes: Record<string, number>;
  readonly latencies: Map<number, number>;
}

/** The outcomes of a pair, one by one. */
export const outcomesOf = ({ family, operation, outcomes }: PairFigures): readonly CallsOfPair[] =>
  Object.entries(outcomes).map(([way, count]) => {
    const [channel = OTHER, status, error = '-'] = way.split(' ');
    return { family, operation, channel, status: Number(status), error: error === '-' ? null : error, count };
  });

/** The sum of the pairs of some figures that a filter means. */
export const sumOf = (figures: readonly PublicFigures[], { operation, agent }: TrafficFilter): CallSum => {
  const sum = new CallSum();
  for (const pair of figures.flatMap(({ calls }) => calls)) {
    if (operation !== undefined && pair.operation !== operation) continue;
    if (agent !== undefined && pair.family !== agent) continue;
    for (const { count, status } of outcomesOf(pair)) sum.add(count, status);
    addLatencies(sum.latencies, pair.latencies);
  }
  return sum;
};
