/** Buckets with bounds that grow by a factor: within 1.97 %, and counts add up (DDSketch, Masson et al. 2019, §2.1). */
const FACTOR = 1.04;
const LOG_FACTOR = Math.log(FACTOR);
/** The shortest latency distinguished, in milliseconds; bucket 0 holds everything up to it. */
const LEAST = 0.01;
/** The last bucket holds what took ten minutes or longer. */
const LAST = Math.ceil(Math.log(600_000 / LEAST) / LOG_FACTOR);

/** The number of the bucket that holds a latency in milliseconds. */
export const latencyBucket = (milliseconds: number): number =>
  milliseconds > LEAST ? Math.min(Math.ceil(Math.log(milliseconds / LEAST) / LOG_FACTOR), LAST) : 0;

/** The latency in milliseconds that represents a bucket. */
export const latencyOf = (bucket: number): number =>
  bucket === 0 ? LEAST : (LEAST * FACTOR ** bucket * 2) / (FACTOR + 1);

/** Adds serialized counts, in which each bucket is followed by its count. */
export const addLatencies = (to: Map<number, number>, serialized: readonly number[]): void => {
  for (let place = 0; place < serialized.length; place += 2) {
    const bucket = serialized[place] ?? 0;
    to.set(bucket, (to.get(bucket) ?? 0) + (serialized[place + 1] ?? 0));
  }
};

/** Counts by bucket as a flat list in rising order, each bucket followed by its count. */
export const serializeLatencies = (counts: ReadonlyMap<number, number>): readonly number[] =>
  [...counts].sort(([one], [other]) => one - other).flat();

/** Two serialized counts as one. Both are sorted, so one pass is enough. */
export const mergeLatencies = (one: readonly number[], other: readonly number[]): readonly number[] => {
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

/** Latencies by nearest rank for rising shares (0 to 1), in one pass over serialized counts; null without a call. */
export const latencyQuantiles = (
  serialized: readonly number[],
  shares: readonly number[],
): readonly (number | null)[] => {
  let total = 0;
  for (let place = 1; place < serialized.length; place += 2) total += serialized[place] ?? 0;
  if (total === 0) return shares.map(() => null);
  let [place, seen] = [0, serialized[1] ?? 0];
  return shares.map((share) => {
    const rank = Math.max(1, Math.ceil(share * total));
    while (seen < rank) seen += serialized[(place += 2) + 1] ?? 0;
    return latencyOf(serialized[place] ?? 0);
  });
};
