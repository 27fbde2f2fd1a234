import { addLatencies } from '../figures/latency.rule.js';
import type { BucketFigures, PairFigures } from '../figures/figures.state.js';
import { OTHER } from '../figures/operations.rule.js';

/** A family of fewer agents than this is not told by its name: it could tell of one of them. */
const FEWEST = 5;

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
  /** The family as it may be told. */
  readonly family: string;
  readonly operation: string;
  readonly channel: string;
  readonly status: number;
  /** Code of the refusal; null: none. */
  readonly error: string | null;
  readonly count: number;
}

/** The families of some figures that may be told by name, and how many agents they have; of all others, under `other`. */
export const agentsByFamily = (figures: readonly BucketFigures[]): ReadonlyMap<string, number> => {
  const known = new Map<string, Set<string>>();
  for (const [family, hashes] of figures.flatMap(({ agents }) => Object.entries(agents))) {
    const ofFamily = known.get(family) ?? new Set();
    for (const hash of hashes) ofFamily.add(hash);
    known.set(family, ofFamily);
  }
  const told = new Map<string, number>();
  for (const [family, { size }] of known) {
    const name = size < FEWEST ? OTHER : family;
    told.set(name, (told.get(name) ?? 0) + size);
  }
  return told;
};

/** The family a pair may be told under. */
export const familyOf = ({ family }: PairFigures, told: ReadonlyMap<string, number>): string =>
  told.has(family) ? family : OTHER;

/** The outcomes of a pair, one by one. */
export const outcomesOf = (pair: PairFigures, told: ReadonlyMap<string, number>): readonly CallsOfPair[] => {
  const family = familyOf(pair, told);
  return Object.entries(pair.outcomes).map(([way, count]) => {
    const [channel = OTHER, status, error = '-'] = way.split(' ');
    return {
      family,
      operation: pair.operation,
      channel,
      status: Number(status),
      error: error === '-' ? null : error,
      count,
    };
  });
};

/** The sum of the pairs of some figures that a filter means. */
export const sumOf = (
  figures: readonly BucketFigures[],
  { operation, agent }: TrafficFilter,
  told: ReadonlyMap<string, number>,
): CallSum => {
  const sum = new CallSum();
  for (const pair of figures.flatMap(({ calls }) => Object.values(calls))) {
    if (operation !== undefined && pair.operation !== operation) continue;
    if (agent !== undefined && familyOf(pair, told) !== agent) continue;
    for (const { count, status } of outcomesOf(pair, told)) sum.add(count, status);
    addLatencies(sum.latencies, pair.latencies);
  }
  return sum;
};
