import { type Instant, plus } from '#kernel';
import type { Bucket } from '../figures/buckets.rule.js';
import type { WindowAsked } from '../query/traffic-window.js';

/** A stretch of time up to now that the page offers. */
interface Period {
  readonly name: string;
  readonly text: string;
  readonly hours: number;
  readonly bucket: Bucket;
}

const DAY: Period = { name: '24h', text: 'Últimas 24 horas', hours: 24, bucket: 'hour' };

/** The periods offered, the shortest first; each but the last can be compared with the one before it. */
export const PERIODS: readonly Period[] = [
  { name: '1h', text: 'Última hora', hours: 1, bucket: 'minute' },
  { name: '6h', text: 'Últimas 6 horas', hours: 6, bucket: 'minute' },
  DAY,
  { name: '7d', text: 'Últimos 7 dias', hours: 168, bucket: 'hour' },
  { name: '30d', text: 'Últimos 30 dias', hours: 720, bucket: 'hour' },
  { name: '90d', text: 'Últimos 90 dias', hours: 2_160, bucket: 'day' },
];

/** The period of a name; of any other, a day. */
export const periodNamed = (name: string | null): Period => PERIODS.find((one) => one.name === name) ?? DAY;

/** The window of a period that ends at the instant `now`. */
export const windowOf = ({ hours, bucket }: Period, now: Instant): WindowAsked => ({
  from: plus(now, -hours * 3_600_000),
  to: now,
  bucket,
});

export type { Period };
