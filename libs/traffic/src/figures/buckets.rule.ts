import { type Instant, instantOf, millisecondsOf } from '#kernel';

/** Spans of time that figures are kept by, in UTC, the shortest first. */
export const BUCKETS = ['minute', 'hour', 'day'] as const;
export type Bucket = (typeof BUCKETS)[number];

const HOUR = 3_600_000;

/** Milliseconds of each. */
export const LENGTH: Readonly<Record<Bucket, number>> = { minute: 60_000, hour: HOUR, day: 24 * HOUR };

/** How long (ms) each is kept. */
export const KEPT: Readonly<Record<Bucket, number>> = { minute: 48 * HOUR, hour: 90 * 24 * HOUR, day: Infinity };

/**
 * Minutes and hours lie in rings, so that what is too old makes room by itself and nothing has to be deleted: one more
 * hour, one more day than is kept, for the bucket that has begun.
 */
const SLOTS: Readonly<Record<Bucket, number>> = {
  minute: (KEPT.minute + HOUR) / LENGTH.minute,
  hour: KEPT.hour / LENGTH.hour + 24,
  day: Infinity,
};

/** When the bucket began that holds an instant. */
export const startOf = (bucket: Bucket, instant: Instant): Instant => {
  const milliseconds = millisecondsOf(instant);
  return instantOf(milliseconds - (milliseconds % LENGTH[bucket]));
};

/** Where the figures lie of the bucket that began at `start`. */
export const slotOf = (bucket: Bucket, start: Instant): string =>
  bucket === 'day' ? start.slice(0, 10) : String((millisecondsOf(start) / LENGTH[bucket]) % SLOTS[bucket]);
