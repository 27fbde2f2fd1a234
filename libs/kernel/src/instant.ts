/** A point in time, RFC 3339 in UTC with milliseconds, always 24 characters: instants are ordered as their strings are. */
export type Instant = string;

/** The instant of a number of milliseconds since 1970. */
export const instantOf = (milliseconds: number): Instant => new Date(milliseconds).toISOString();

/** Milliseconds since 1970 of an instant. */
export const millisecondsOf = (instant: Instant): number => Date.parse(instant);

/** `instant` moved by a number of milliseconds (negative: into the past). */
export const plus = (instant: Instant, milliseconds: number): Instant =>
  instantOf(millisecondsOf(instant) + milliseconds);

/** The later of two instants. */
export const latest = (one: Instant, other: Instant): Instant => (one > other ? one : other);

/** The earlier of two instants. */
export const earliest = (one: Instant, other: Instant): Instant => (one < other ? one : other);

/** Whole seconds from `now` until `end`, at least one: how long to wait before another try. */
export const secondsUntil = (end: Instant, now: Instant): number =>
  Math.max(1, Math.ceil((millisecondsOf(end) - millisecondsOf(now)) / 1_000));
