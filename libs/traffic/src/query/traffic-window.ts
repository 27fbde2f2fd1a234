import { DomainError, earliest, type Instant, instantOf, millisecondsOf, plus } from '#kernel';
import { type Bucket, BUCKETS, RETENTION, LENGTH, startOf } from '../figures/buckets.rule.js';

/** A span of whole buckets: from the beginning of the first to the end of the last. */
export interface TrafficWindow {
  readonly from: Instant;
  readonly to: Instant;
  readonly bucket: Bucket;
}

export interface WindowRequest {
  readonly from?: Instant | undefined;
  readonly to?: Instant | undefined;
  readonly bucket?: Bucket | undefined;
}

const [HOUR, DAY] = [LENGTH.hour, LENGTH.day];
/** The longest window (ms) by its buckets, so that an answer has no more than some thousand points. */
const LONGEST: Readonly<Record<Bucket, number>> = { minute: 48 * HOUR, hour: 90 * DAY, day: 366 * DAY };
/** The same with a filter: its chart reads the figures of every bucket and not their points, which are much smaller. */
const LONGEST_FILTERED: Readonly<Record<Bucket, number>> = { minute: 6 * HOUR, hour: 7 * DAY, day: 366 * DAY };
/** A window up to this long (ms) has these buckets if the request names none. */
const FINE: readonly (readonly [Bucket, number])[] = [
  ['minute', 6 * HOUR],
  ['hour', 31 * DAY],
];

/** The window in whole buckets, by default 24 hours. `isFiltered`: of some calls. @throws DomainError `invalid_window` */
export const trafficWindow = (request: WindowRequest, now: Instant, isFiltered = false): TrafficWindow => {
  const longest = isFiltered ? LONGEST_FILTERED : LONGEST;
  const end = request.to !== undefined && request.to < now ? request.to : now;
  const begin = request.from ?? plus(end, -DAY);
  if (begin >= end) throw refused('from', 'deve ser anterior a to');
  const bucket = request.bucket ?? bucketFor(begin, end, now, longest);
  const from = startOf(bucket, begin);
  const to = endOf(bucket, end);
  if (!isKept(bucket, begin, now)) throw refused('from', `${KEPT_TEXTS[bucket]}; peça um bucket maior`);
  // One bucket more, because neither end has to lie on the border of a bucket.
  if (span(from, to) > longest[bucket] + LENGTH[bucket])
    throw refused('from', `o período é longo demais: ${isFiltered ? FILTERED_TEXTS[bucket] : LONGEST_TEXTS[bucket]}`);
  return { from, to, bucket };
};

/** The window right before, as long as the given one has lasted until `now`; null where it is no longer kept. */
export const previousWindow = ({ from, to, bucket }: TrafficWindow, now: Instant): TrafficWindow | null => {
  const length = span(from, to);
  const [begin, end] = [plus(from, -length), plus(earliest(to, now), -length)];
  if (!isKept(bucket, begin, now)) return null;
  const finest = BUCKETS.find((one) => isKept(one, end, now)) ?? bucket;
  return { from: begin, to: startOf(finest, end), bucket: finest };
};

/** The starts of the window's buckets that have begun by the instant `now`. */
export const bucketStarts = ({ from, to, bucket }: TrafficWindow, now: Instant): readonly Instant[] => {
  const starts: Instant[] = [];
  const end = Math.min(millisecondsOf(to), millisecondsOf(now) + 1);
  for (let start = millisecondsOf(from); start < end; start += LENGTH[bucket]) starts.push(instantOf(start));
  return starts;
};

/** A window as spans of the longest buckets that fill it: the sum of a month is read from its days. */
export const longestSpans = ({ from, to, bucket }: TrafficWindow): readonly TrafficWindow[] => {
  const longer = ({ minute: 'hour', hour: 'day', day: null } as const)[bucket];
  if (longer === null) return from < to ? [{ from, to, bucket }] : [];
  const inner = { from: endOf(longer, from), to: startOf(longer, to), bucket: longer };
  if (inner.from >= inner.to) return from < to ? [{ from, to, bucket }] : [];
  const edges = [
    { from, to: inner.from, bucket },
    { from: inner.to, to, bucket },
  ];
  return [...longestSpans(inner), ...edges.filter((edge) => edge.from < edge.to)];
};

const KEPT_TEXTS: Readonly<Record<Bucket, string>> = {
  minute: 'minutos são guardados por 48 horas',
  hour: 'horas são guardadas por 90 dias',
  day: 'dias são guardados para sempre',
};

const LONGEST_TEXTS: Readonly<Record<Bucket, string>> = {
  minute: 'por minuto, até 48 horas; peça um bucket maior',
  hour: 'por hora, até 90 dias; peça um bucket maior',
  day: 'por dia, até 366 dias; peça um ano de cada vez',
};

const FILTERED_TEXTS: Readonly<Record<Bucket, string>> = {
  minute: 'com operation ou agent, por minuto, até 6 horas; peça um bucket maior',
  hour: 'com operation ou agent, por hora, até 7 dias; peça um bucket maior',
  day: LONGEST_TEXTS.day,
};

const refused = (field: string, message: string): DomainError =>
  new DomainError('invalid_window', [{ field, message }]);

const span = (from: Instant, to: Instant): number => millisecondsOf(to) - millisecondsOf(from);

/** The whole UTC days that a window touches. */
export const wholeDays = ({ from, to }: TrafficWindow): TrafficWindow => ({
  from: startOf('day', from),
  to: endOf('day', to),
  bucket: 'day',
});

/** The first border between buckets that is not before an instant. */
const endOf = (bucket: Bucket, instant: Instant): Instant => {
  const start = startOf(bucket, instant);
  return start === instant ? start : plus(start, LENGTH[bucket]);
};

const isKept = (bucket: Bucket, from: Instant, now: Instant): boolean =>
  RETENTION[bucket] === Infinity || from >= startOf(bucket, plus(now, -RETENTION[bucket]));

const bucketFor = (from: Instant, to: Instant, now: Instant, longest: Readonly<Record<Bucket, number>>): Bucket =>
  FINE.find(([bucket, fine]) => span(from, to) <= Math.min(fine, longest[bucket]) && isKept(bucket, from, now))?.[0] ??
  'day';
