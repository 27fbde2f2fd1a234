import type { MinuteOfTraffic } from '#events';
import type { BucketFigures, BucketPoint, PairFigures } from './figures.state.js';
import { addLatencies, mergedLatencies, writtenLatencies } from './latency.rule.js';

/**
 * How many agents of a family are told apart in a bucket. Of more, the least hashes are kept, so that it does not matter in
 * which order or by how many processes they were counted.
 */
export const AGENTS_TOLD_APART = 1_000;

type Calls = MinuteOfTraffic['calls'];

const withCalls = (
  known: PairFigures | undefined,
  { family, operation, outcomes, latencies }: Calls[number],
): PairFigures => {
  const counts = { ...known?.outcomes };
  for (const { channel, status, error, count } of outcomes) {
    const key = `${channel} ${status} ${error ?? '-'}`;
    counts[key] = (counts[key] ?? 0) + count;
  }
  return { family, operation, outcomes: counts, latencies: mergedLatencies(known?.latencies ?? [], latencies) };
};

const withAgents = (known: readonly string[], hashes: readonly string[]): readonly string[] => {
  const fresh = hashes.filter((hash) => !isIn(known, hash));
  if (fresh.length === 0) return known;
  return [...new Set([...known, ...fresh])].sort().slice(0, AGENTS_TOLD_APART);
};

/** Whether a sorted list holds a hash; most agents of an event were there before. */
const isIn = (sorted: readonly string[], hash: string): boolean => {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? '') < hash) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === hash;
};

/** The figures of a bucket with those of a minute in it. */
export const figuresWith = (figures: BucketFigures, { calls, agents }: MinuteOfTraffic): BucketFigures => {
  const pairs = { ...figures.calls };
  for (const one of calls) {
    const key = `${one.family} ${one.operation}`;
    pairs[key] = withCalls(pairs[key], one);
  }
  const families = { ...figures.agents };
  for (const { family, hashes } of agents) families[family] = withAgents(families[family] ?? [], hashes);
  return { ...figures, calls: pairs, agents: families };
};

/** A point of a chart with the calls of a minute in it. */
export const pointWith = (point: BucketPoint, { calls }: MinuteOfTraffic): BucketPoint => {
  let { requests, errors } = point;
  for (const { status, count } of calls.flatMap(({ outcomes }) => outcomes)) {
    requests += count;
    if (status >= 400) errors += count;
  }
  const latencies = new Map<number, number>();
  for (const one of calls) addLatencies(latencies, one.latencies);
  return { ...point, requests, errors, latencies: mergedLatencies(point.latencies, writtenLatencies(latencies)) };
};
