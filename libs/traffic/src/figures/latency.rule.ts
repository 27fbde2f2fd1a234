/**
 * Latencies are counted in buckets whose bounds grow by a factor, so that every value in a bucket is within 1.97 % of the
 * one that stands for it, and counts of any two processes or minutes add up (DDSketch, Masson et al. 2019, §2.1).
 */
const FACTOR = 1.04;
const LOG_FACTOR = Math.log(FACTOR);
/** The least latency told apart, in milliseconds; bucket 0 holds what took no longer. */
const LEAST = 0.01;
/** The last bucket holds what took ten minutes or longer. */
const LAST = Math.ceil(Math.log(600_000 / LEAST) / LOG_FACTOR);

/** Place of the bucket of a latency in milliseconds. */
export const latencyBucket = (milliseconds: number): number =>
  milliseconds > LEAST ? Math.min(Math.ceil(Math.log(milliseconds / LEAST) / LOG_FACTOR), LAST) : 0;

/** The latency in milliseconds that stands for a bucket. */
export const latencyOf = (bucket: number): number =>
  bucket === 0 ? LEAST : (LEAST * FACTOR ** bucket * 2) / (FACTOR + 1);

/** Counts by bucket. */
export type Latencies = ReadonlyMap<number, number>;

/** Adds what is written down as place and count by turns. */
export const addLatencies = (to: Map<number, number>, written: readonly number[]): void => {
  for (let place = 0; place < written.length; place += 2) {
    const bucket = written[place] ?? 0;
    to.set(bucket, (to.get(bucket) ?? 0) + (written[place + 1] ?? 0));
  }
};

/** Counts written down, place and count by turns, by rising place. */
export const writtenLatencies = (counts: Latencies): readonly number[] =>
  [...counts].sort(([one], [other]) => one - other).flat();

/** Two counts written down, as one. Both are sorted, so one way through them does. */
export const mergedLatencies = (one: readonly number[], other: readonly number[]): readonly number[] => {
  if (one.length === 0) return other;
  const merged: number[] = [];
  let place = 0;
  for (let added = 0; added < other.length; added += 2) {
    const [bucket = 0, count = 0] = [other[added], other[added + 1]];
    for (; place < one.length && (one[place] ?? 0) < bucket; place += 2)
      merged.push(one[place] ?? 0, one[place + 1] ?? 0);
    const isShared = one[place] === bucket;
    merged.push(bucket, count + (isShared ? (one[place + 1] ?? 0) : 0));
    if (isShared) place += 2;
  }
  for (; place < one.length; place += 1) merged.push(one[place] ?? 0);
  return merged;
};

/**
 * The latencies that shares (0 to 1, rising) of the calls did not exceed, by nearest rank, from counts as they are written
 * down; null where there was no call. One way through them for all: a chart asks it of hundreds of buckets.
 */
export const latencyQuantiles = (written: readonly number[], shares: readonly number[]): readonly (number | null)[] => {
  let total = 0;
  for (let place = 1; place < written.length; place += 2) total += written[place] ?? 0;
  if (total === 0) return shares.map(() => null);
  let [place, seen] = [0, written[1] ?? 0];
  return shares.map((share) => {
    const rank = Math.max(1, Math.ceil(share * total));
    while (seen < rank) seen += written[(place += 2) + 1] ?? 0;
    return latencyOf(written[place] ?? 0);
  });
};
