import type { BaseUrls } from '#http';
import { type Instant, plus } from '#kernel';
import type { Bucket } from '../figures/buckets.rule.js';
import { FAMILIES, OPERATIONS } from '../figures/names.rule.js';
import { isFiltered, type TrafficFilter } from '../query/public-figures.js';
import type { WindowRequest } from '../query/traffic-window.js';

export interface Period {
  readonly name: string;
  readonly text: string;
  readonly hours: number;
  readonly bucket: Bucket;
  /** Its buckets with a filter, where those would be too many. */
  readonly filtered?: Bucket;
}

const DAY: Period = { name: '24h', text: 'Últimas 24 horas', hours: 24, bucket: 'hour' };

/** The shortest first; all but the last can be compared with the period before. */
export const PERIODS: readonly Period[] = [
  { name: '1h', text: 'Última hora', hours: 1, bucket: 'minute' },
  { name: '6h', text: 'Últimas 6 horas', hours: 6, bucket: 'minute' },
  DAY,
  { name: '7d', text: 'Últimos 7 dias', hours: 168, bucket: 'hour' },
  { name: '30d', text: 'Últimos 30 dias', hours: 720, bucket: 'hour', filtered: 'day' },
  { name: '90d', text: 'Últimos 90 dias', hours: 2_160, bucket: 'day' },
];

export interface Asked {
  readonly period: Period;
  readonly filter: TrafficFilter;
}

/** The names that the page's address has for what it is of, which are those of its form's fields. */
export const FIELDS = { period: 'periodo', operation: 'operacao', agent: 'agente' } as const;

/** The shortest period that reaches back to an instant; a day where there is nothing to reach. */
export const periodSince = (since: Instant | null, now: Instant): Period =>
  (since !== null && PERIODS.find(({ hours }) => plus(now, -hours * 3_600_000) <= since)) || DAY;

/** What an address asks for, read leniently: an odd or repeated parameter is no reason to show nothing. `fitting`: the period where it names none. */
export const askedIn = (address: string, { site }: BaseUrls, fitting = DAY): Asked => {
  const { searchParams } = new URL(address, site);
  const oneOf = (names: readonly string[], field: string) => names.find((name) => name === searchParams.get(field));
  return {
    period: PERIODS.find(({ name }) => name === searchParams.get(FIELDS.period)) ?? fitting,
    filter: { operation: oneOf(OPERATIONS, FIELDS.operation), agent: oneOf(FAMILIES, FIELDS.agent) },
  };
};

/** The fields of an address whose values name nothing, by their labels: the page must not look as if it were of them. */
export const unknownIn = (address: string, { site }: BaseUrls): readonly string[] => {
  const { searchParams } = new URL(address, site);
  const known: Readonly<Record<keyof typeof FIELDS, readonly string[]>> = {
    period: PERIODS.map(({ name }) => name),
    operation: OPERATIONS,
    agent: FAMILIES,
  };
  return (Object.keys(LABELS) as (keyof typeof FIELDS)[])
    .filter((field) =>
      searchParams.getAll(FIELDS[field]).some((value) => value !== '' && !known[field].includes(value)),
    )
    .map((field) => LABELS[field]);
};

export const LABELS = { period: 'Período', operation: 'Operação', agent: 'Agente' } as const;

/** The page's address for what is asked for, with another filter or the same. */
export const addressOf = ({ period, filter }: Asked, change: TrafficFilter = {}): string => {
  const { operation, agent } = { ...filter, ...change };
  const query = new URLSearchParams({ [FIELDS.period]: period.name });
  if (operation !== undefined) query.set(FIELDS.operation, operation);
  if (agent !== undefined) query.set(FIELDS.agent, agent);
  return `/observability?${query.toString()}`;
};

export const windowOf = (asked: Asked, now: Instant): WindowRequest => {
  const { hours, bucket, filtered = bucket } = asked.period;
  return { from: plus(now, -hours * 3_600_000), to: now, bucket: isFiltered(asked.filter) ? filtered : bucket };
};
