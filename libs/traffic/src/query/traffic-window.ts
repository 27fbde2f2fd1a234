import { DomainError, earliest, type Instant, instantOf, millisecondsOf, plus } from '#kernel';
import { type Bucket, BUCKETS, RETENTION, LENGTH, startOf } from '../figures/buckets.rule.js';

/** A span of whole buckets: from the beginning of the first to the end of the last. */
export interface TrafficWindow {
  readonly from: Instant;
  readonly to: Instant;
  readonly bucket: Bucket;
}

/** A window as it was asked for. */
export interface WindowAsked {
  readonly from?: Instant | undefined;
  readonly to?: Instant | undefined;
  readonly bucket?: Bucket | undefined;
}

const [HOUR, DAY] = [LENGTH.hour, LENGTH.day];
/** How long (ms) a window is at most, by its buckets: so that an answer has some thousand points and not more. */
const LONGEST: Readonly<Record<Bucket, number>> = { minute: 48 * HOUR, hour: 90 * DAY, day: 3_660 * DAY };
/** Up to this long (ms) a window has buckets of this kind where none was asked for. */
const FINE: readonly (readonly [Bucket, number])[] = [
  ['minute', 6 * HOUR],
  ['hour', 31 * DAY],
];

/**
 * The window asked for at the instant `now`, widened to whole buckets; by default the last 24 hours, in buckets as its
 * length asks for.
 *
 * @throws DomainError `invalid_window` where it ends before it begins, is too wide for its buckets, or begins before they are kept
 */
export const trafficWindow = (asked: WindowAsked, now: Instant): TrafficWindow => {
  const end = asked.to !== undefined && asked.to < now ? asked.to : now;
  const begin = asked.from ?? plus(end, -DAY);
  if (begin >= end) throw refused('from', 'deve ser anterior a to');
  const bucket = asked.bucket ?? bucketFor(begin, end, now);
  const from = startOf(bucket, begin);
  const to = endOf(bucket, end);
  if (!isKept(bucket, begin, now)) throw refused('from', `${KEPT_TEXTS[bucket]}; peça um bucket maior`);
  // One bucket more: neither end need lie on a border.
  if (span(from, to) > LONGEST[bucket] + LENGTH[bucket])
    throw refused('from', 'o período é longo demais; peça um bucket maior');
  return { from, to, bucket };
};

/**
 * What a window is compared with: the one of its length right before it, up to where the window itself stands at the
 * instant `now`, as finely as that is kept. Null where it is not kept any more.
 */
export const windowBefore = ({ from, to, bucket }: TrafficWindow, now: Instant): TrafficWindow | null => {
  const length = span(from, to);
  const [begin, end] = [plus(from, -length), plus(earliest(to, now), -length)];
  if (!isKept(bucket, begin, now)) return null;
  const finest = BUCKETS.find((one) => isKept(one, end, now)) ?? bucket;
  return { from: begin, to: startOf(finest, end), bucket: finest };
};

/** The starts of a window's buckets that have begun at the instant `now`. */
export const startsIn = ({ from, to, bucket }: TrafficWindow, now: Instant): readonly Instant[] => {
  const starts: Instant[] = [];
  const end = Math.min(millisecondsOf(to), millisecondsOf(now) + 1);
  for (let start = millisecondsOf(from); start < end; start += LENGTH[bucket]) starts.push(instantOf(start));
  return starts;
};

/** A window as spans of the longest buckets that fill it: what a month adds up to is read from its days. */
export const spansOf = ({ from, to, bucket }: TrafficWindow): readonly TrafficWindow[] => {
  const longer = ({ minute: 'hour', hour: 'day', day: null } as const)[bucket];
  if (longer === null) return from < to ? [{ from, to, bucket }] : [];
  const inner = { from: endOf(longer, from), to: startOf(longer, to), bucket: longer };
  if (inner.from >= inner.to) return from < to ? [{ from, to, bucket }] : [];
  const edges = [
    { from, to: inner.from, bucket },
    { from: inner.to, to, bucket },
  ];
  return [...spansOf(inner), ...edges.filter((edge) => edge.from < edge.to)];
};

const KEPT_TEXTS: Readonly<Record<Bucket, string>> = {
  minute: 'minutos são guardados por 48 horas',
  hour: 'horas são guardadas por 90 dias',
  day: 'dias são guardados para sempre',
};

const refused = (field: string, message: string): DomainError =>
  new DomainError('invalid_window', [{ field, message }]);

const span = (from: Instant, to: Instant): number => millisecondsOf(to) - millisecondsOf(from);

/** The whole UTC days that a window touches. */
export const daysOf = ({ from, to }: TrafficWindow): TrafficWindow => ({
  from: startOf('day', from),
  to: endOf('day', to),
  bucket: 'day',
});

/** The first border of buckets that is not before an instant. */
const endOf = (bucket: Bucket, instant: Instant): Instant => {
  const start = startOf(bucket, instant);
  return start === instant ? start : plus(start, LENGTH[bucket]);
};

const isKept = (bucket: Bucket, from: Instant, now: Instant): boolean =>
  RETENTION[bucket] === Infinity || from >= startOf(bucket, plus(now, -RETENTION[bucket]));

const bucketFor = (from: Instant, to: Instant, now: Instant): Bucket =>
  FINE.find(([bucket, longest]) => span(from, to) <= longest && isKept(bucket, from, now))?.[0] ?? 'day';
