import { type Instant, millisecondsOf } from '#kernel';

/** Spans of time that figures are kept by, in UTC, the shortest first. */
export const BUCKETS = ['minute', 'hour', 'day'] as const;
export type Bucket = (typeof BUCKETS)[number];

const HOUR = 3_600_000;

/** The length (ms) of each bucket. */
export const LENGTH: Readonly<Record<Bucket, number>> = { minute: 60_000, hour: HOUR, day: 24 * HOUR };

/** How long (ms) each kind of bucket is kept. */
export const RETENTION: Readonly<Record<Bucket, number>> = { minute: 48 * HOUR, hour: 90 * 24 * HOUR, day: Infinity };

/** The places of a ring: one hour or day more than what is kept, since the current bucket has only begun. */
const SLOTS: Readonly<Record<Bucket, number>> = {
  minute: (RETENTION.minute + HOUR) / LENGTH.minute,
  hour: RETENTION.hour / LENGTH.hour + 24,
  day: Infinity,
};

/** What an instant's text keeps of it in each bucket, and how that goes on: buckets are in UTC, as instants are. */
const START: Readonly<Record<Bucket, readonly [kept: number, rest: string]>> = {
  minute: [16, ':00.000Z'],
  hour: [13, ':00:00.000Z'],
  day: [10, 'T00:00:00.000Z'],
};

export const startOf = (bucket: Bucket, instant: Instant): Instant => {
  const [kept, rest] = START[bucket];
  return instant.slice(0, kept) + rest;
};

export const slotOf = (bucket: Bucket, start: Instant): string =>
  bucket === 'day' ? start.slice(0, 10) : String((millisecondsOf(start) / LENGTH[bucket]) % SLOTS[bucket]);
