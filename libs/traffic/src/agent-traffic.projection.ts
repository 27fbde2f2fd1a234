import { type MinuteOfTraffic, trafficLog } from '#events';
import type { Instant } from '#kernel';
import type { Projection } from '#read-models';
import { type Bucket, BUCKETS, slotOf, startOf } from './figures/buckets.rule.js';
import { type Endings, endingsOf, NO_ENDINGS } from './figures/endings.rule.js';
import { addLatencies, mergeLatencies, serializeLatencies } from './figures/latency.rule.js';
import { OTHER, type SignatureOutcome } from './figures/names.rule.js';

export interface PairFigures {
  readonly family: string;
  readonly operation: string;
  /** Count by channel, status and error code (`-`: none), separated by spaces. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Latency buckets, each followed by its count. */
  readonly latencies: readonly number[];
}

export interface BucketFigures {
  readonly kind: `${Bucket} figures`;
  readonly start: Instant;
  /** By family and operation, separated by a space. */
  readonly calls: Readonly<Record<string, PairFigures>>;
  /** Hashes of the agents by family, sorted: at most `MAX_AGENTS`, the smallest. */
  readonly agents: Readonly<Record<string, readonly string[]>>;
  /** By family, the steps of the funnel that each of those took, as bits; absent: none. */
  readonly steps?: Readonly<Record<string, readonly number[]>>;
  /** How many of the calls were counted when nobody looked which agent took which steps; absent: none. */
  readonly notFollowed?: number;
  /** How many calls had a signature, by what it came to; absent: none had. */
  readonly signatures?: SignatureFigures;
}

export type SignatureFigures = Readonly<Record<SignatureOutcome, number>>;

/** What a chart needs of a bucket: a small document, since a chart reads hundreds. */
export interface BucketPoint extends Endings {
  readonly kind: `${Bucket} point`;
  readonly start: Instant;
  readonly requests: number;
  readonly latencies: readonly number[];
}

export type TrafficDocument = BucketFigures | BucketPoint;
type Content = 'figures' | 'point';

/** Agent traffic by minute, hour and day, counted by all processes. Minutes and hours lie in rings. */
export const agentTrafficProjection: Projection<TrafficDocument, readonly [typeof trafficLog]> = {
  name: 'agent-traffic',
  version: 5,
  from: [trafficLog],
  indexes: [{ fields: ['kind', 'start'] }],
  documentsOf: (event) => {
    const ids = event.data.minutes.flatMap(({ start }) =>
      PLACES.map(({ bucket, content }) => idOf(content, bucket, start)),
    );
    return [...new Set(ids)];
  },
  evolve: (document, event, id) => {
    const place = PLACES.find(({ bucket, content }) => id.startsWith(`${bucket} ${content} `));
    if (!place) return document;
    const { bucket, content } = place;
    const minutes = event.data.minutes.filter(({ start }) => idOf(content, bucket, start) === id);
    return minutes.reduce((folded, minute) => withMinute(folded, minute, bucket, content), document);
  },
};

/** What a document may hold, which its id begins with. */
const PLACES: readonly { readonly bucket: Bucket; readonly content: Content }[] = (
  ['figures', 'point'] as const
).flatMap((content) => BUCKETS.map((bucket) => ({ bucket, content })));

const idOf = (content: Content, bucket: Bucket, instant: Instant): string =>
  `${bucket} ${content} ${slotOf(bucket, startOf(bucket, instant))}`;

const withMinute = (
  document: TrafficDocument | null,
  minute: MinuteOfTraffic,
  bucket: Bucket,
  content: Content,
): TrafficDocument | null => {
  const start = startOf(bucket, minute.start);
  if (content === 'figures') {
    const figures = current(document, { kind: `${bucket} figures`, start, calls: {}, agents: {} });
    return figures ? addToFigures(figures, minute) : document;
  }
  const point = current(document, { kind: `${bucket} point`, start, requests: 0, ...NO_ENDINGS, latencies: [] });
  return point ? addToPoint(point, minute) : document;
};

/** The stored document of a bucket, or an empty one; null if the slot already holds a newer bucket. */
const current = <Kept extends TrafficDocument>(document: TrafficDocument | null, empty: Kept): Kept | null => {
  if (!document || document.start < empty.start) return empty;
  // All documents of one id are of one kind.
  return document.start === empty.start ? (document as Kept) : null;
};

/** The most pairs of a family and an operation in a bucket; further ones count under `other`, so documents stay small. */
const MAX_PAIRS: Readonly<Record<BucketFigures['kind'], number>> = {
  'minute figures': 64,
  'hour figures': 128,
  'day figures': 256,
};

/** The figures of a bucket after those of a minute in it are added. */
export const addToFigures = (figures: BucketFigures, { calls, agents, signatures }: MinuteOfTraffic): BucketFigures => {
  const pairs = { ...figures.calls };
  let free = MAX_PAIRS[figures.kind] - Object.keys(pairs).length;
  for (const pair of calls) {
    const own = `${pair.family} ${pair.operation}`;
    const isKnown = Object.hasOwn(pairs, own);
    const { family, operation } = isKnown || free > 0 ? pair : OVERFLOW;
    if (!isKnown) free -= 1;
    const key = `${family} ${operation}`;
    pairs[key] = addToPair(pairs[key], { ...pair, family, operation });
  }
  const [families, steps] = [{ ...figures.agents }, { ...figures.steps }];
  for (const { family, ...seen } of agents) {
    const known = addAgents({ hashes: families[family] ?? [], steps: steps[family] ?? [] }, seen);
    [families[family], steps[family]] = [known.hashes, known.steps];
  }
  const isFollowed = agents.every((one) => one.steps);
  return {
    ...figures,
    calls: pairs,
    agents: families,
    steps,
    ...(!isFollowed && { notFollowed: (figures.notFollowed ?? 0) + countOf(calls) }),
    ...(signatures && { signatures: addSignatures(figures.signatures, signatures) }),
  };
};

const countOf = (calls: MinuteOfTraffic['calls']): number =>
  calls.flatMap(({ outcomes }) => outcomes).reduce((sum, { count }) => sum + count, 0);

export const addSignatures = (one: Partial<SignatureFigures> = {}, other: Partial<SignatureFigures> = {}) => ({
  verified: (one.verified ?? 0) + (other.verified ?? 0),
  unverified: (one.unverified ?? 0) + (other.unverified ?? 0),
  wrong: (one.wrong ?? 0) + (other.wrong ?? 0),
});

/** What counts the calls of the pairs beyond a bucket's most. */
const OVERFLOW = { family: OTHER, operation: OTHER } as const;

const addToPair = (
  known: PairFigures | undefined,
  { family, operation, outcomes, latencies }: MinuteOfTraffic['calls'][number],
): PairFigures => {
  const counts = { ...known?.outcomes };
  for (const { channel, status, error, count } of outcomes) {
    const key = `${channel} ${status} ${error ?? '-'}`;
    counts[key] = (counts[key] ?? 0) + count;
  }
  return { family, operation, outcomes: counts, latencies: mergeLatencies(known?.latencies ?? [], latencies) };
};

/** How many agents of a family a bucket distinguishes: the smallest hashes, so that order and processes do not matter. */
const MAX_AGENTS = 1_000;

/** Some agents by their hashes, and the steps that each took. */
interface Agents {
  readonly hashes: readonly string[];
  readonly steps: readonly number[];
}

const addAgents = (known: Agents, { hashes, steps = [] }: Partial<Agents> & Pick<Agents, 'hashes'>): Agents => {
  const isKnown = hashes.every((hash, place) => {
    const at = placeIn(known.hashes, hash);
    return known.hashes[at] === hash && ((steps[place] ?? 0) & ~(known.steps[at] ?? 0)) === 0;
  });
  if (isKnown) return known;
  const all = new Map(known.hashes.map((hash, place) => [hash, known.steps[place] ?? 0]));
  for (const [place, hash] of hashes.entries()) all.set(hash, (all.get(hash) ?? 0) | (steps[place] ?? 0));
  const kept = [...all.keys()].sort().slice(0, MAX_AGENTS);
  return { hashes: kept, steps: kept.map((hash) => all.get(hash) ?? 0) };
};

/** Where a hash is among sorted ones, or would be: binary search, because most agents of an event are already there. */
const placeIn = (sorted: readonly string[], hash: string): number => {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? '') < hash) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** A point of a chart after the calls of a minute are added. */
const addToPoint = (point: BucketPoint, { calls }: MinuteOfTraffic): BucketPoint => {
  const outcomes = calls.flatMap((pair) => pair.outcomes);
  const latencies = new Map<number, number>();
  for (const pair of calls) addLatencies(latencies, pair.latencies);
  return {
    ...point,
    requests: outcomes.reduce((sum, { count }) => sum + count, point.requests),
    ...endingsOf(outcomes, point),
    latencies: mergeLatencies(point.latencies, serializeLatencies(latencies)),
  };
};
