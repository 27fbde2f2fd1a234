import { preferredType } from '#http';
import type { FastifyRequest } from 'fastify';
import { Gauge, Registry } from 'prom-client';
import { ENDINGS } from '../figures/endings.rule.js';
import type { AgentTraffic } from './agent-traffic.reader.js';

export const FORMATS = ['json', 'csv', 'prometheus'] as const;
export type Format = (typeof FORMATS)[number];

/** The formats of an answer: the media type of each, and its text. */
export const WRITERS: Readonly<
  Record<Format, { readonly type: string; readonly write: (traffic: AgentTraffic) => string | Promise<string> }>
> = {
  json: { type: 'application/json; charset=utf-8', write: (traffic) => JSON.stringify(traffic) },
  csv: { type: 'text/csv; charset=utf-8; header=present', write: (traffic) => csvOf(traffic) },
  prometheus: { type: Registry.PROMETHEUS_CONTENT_TYPE, write: (traffic) => prometheusOf(traffic) },
};

const MEDIA_TYPES: Readonly<Record<string, Format>> = {
  'application/json': 'json',
  'text/csv': 'csv',
  'text/plain': 'prometheus',
  'application/openmetrics-text': 'prometheus',
};

/** The format that a request prefers; JSON if it names none. */
export const formatFor = (request: Pick<FastifyRequest, 'raw'>): Format =>
  MEDIA_TYPES[preferredType(request, Object.keys(MEDIA_TYPES)) ?? ''] ?? 'json';

type Cell = string | number | null;

/** One line a figure (RFC 4180). All names come from closed lists, so nothing is quoted or read as a formula. */
const csvOf = ({ generatedAt, window, series, ...report }: AgentTraffic): string => {
  const {
    totals,
    byChannel,
    byOperation,
    byStatus,
    byErrorCode,
    byAgentFamily,
    familiesBelowMinimum,
    funnel,
    agentFunnel,
    signatures,
    payments,
    security,
  } = report;
  const { chargesRefusedByReason, ...mandates } = report.mandates;
  const rows: readonly (readonly Cell[])[] = [
    ['section', 'name', 'measure', 'value'],
    ['generatedAt', '', '', generatedAt],
    ...rowsOf('window', '', window),
    ...rowsOf('totals', '', totals),
    ...byChannel.flatMap(({ channel, ...figures }) => rowsOf('byChannel', channel, figures)),
    ...byOperation.flatMap(({ operation, ...figures }) => rowsOf('byOperation', operation, figures)),
    ...byStatus.flatMap(({ status, ...figures }) => rowsOf('byStatus', status, figures)),
    ...byErrorCode.flatMap(({ error, ...figures }) => rowsOf('byErrorCode', error, figures)),
    ...byAgentFamily.flatMap(({ family, ...figures }) => rowsOf('byAgentFamily', family, figures)),
    ['familiesBelowMinimum', '', '', familiesBelowMinimum],
    ...rowsOf('funnel', '', funnel),
    ...agentFunnel.steps.flatMap(({ step, ...figures }) => rowsOf('agentFunnel', step, figures)),
    ['agentFunnel', '', 'notFollowed', agentFunnel.notFollowed],
    ...rowsOf('signatures', '', signatures),
    ...rowsOf('mandates', '', mandates),
    ...Object.entries(chargesRefusedByReason).map(([reason, count]) => ['mandates', reason, 'chargesRefused', count]),
    ...rowsOf('payments', '', payments),
    ...rowsOf('security', '', security),
    ...series.flatMap(({ start, ...figures }) => rowsOf('series', start, figures)),
  ];
  return rows.map((row) => `${row.map((cell) => cell ?? '').join(',')}\r\n`).join('');
};

const rowsOf = (section: string, name: Cell, figures: Readonly<Record<string, Cell>>): readonly (readonly Cell[])[] =>
  Object.entries(figures).map(([measure, value]) => [section, name, measure, value]);

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

/** Prometheus' text format 0.0.4, all gauges: a moving window's figures may fall. It makes its own series. */
const prometheusOf = (traffic: AgentTraffic): Promise<string> => {
  const { totals, byOperation, funnel, signatures, payments, security } = traffic;
  const { chargesRefusedByReason, ...mandates } = traffic.mandates;
  const registry = new Registry();
  const gauge = (name: string, help: string, samples: readonly Sample[]): void => {
    const labelNames = Object.keys(samples[0]?.[0] ?? { none: '' });
    const metric = new Gauge({ name: `alcada_agent_traffic_${name}`, help, labelNames, registers: [registry] });
    for (const [labels, value] of samples) metric.set(labels, value);
  };
  gauge('requests', 'Calls answered in the window', [[{}, totals.requests]]);
  gauge('errors', 'Calls answered with a status of 400 or more', [[{}, totals.errors]]);
  gauge('endings', 'Calls that did not succeed, by what they came to', samplesOf('ending', endingsIn(totals)));
  gauge('agents', 'Distinct agents', [[{}, totals.agents]]);
  gauge(
    'channel_calls',
    'Calls by channel',
    traffic.byChannel.map(({ channel, calls }) => [{ channel }, calls]),
  );
  gauge(
    'operation_calls',
    'Calls by operation',
    byOperation.map(({ operation, calls }) => [{ operation }, calls]),
  );
  gauge(
    'operation_errors',
    'Errors by operation',
    byOperation.map(({ operation, errors }) => [{ operation }, errors]),
  );
  gauge('operation_latency_seconds', 'Latency by operation and quantile', byOperation.flatMap(latencySamples));
  gauge(
    'status_calls',
    'Calls by HTTP status',
    traffic.byStatus.map(({ status, calls }) => [{ status: String(status) }, calls]),
  );
  gauge(
    'error_calls',
    'Refused calls by error code',
    traffic.byErrorCode.map(({ error, calls }) => [{ error }, calls]),
  );
  gauge(
    'family_calls',
    'Calls by agent family',
    traffic.byAgentFamily.map(({ family, calls }) => [{ family }, calls]),
  );
  gauge(
    'family_agents',
    'Distinct agents by family',
    traffic.byAgentFamily.map(({ family, agents }) => [{ family }, agents]),
  );
  gauge('families_below_minimum', 'Families of too few agents to be named', [[{}, traffic.familiesBelowMinimum]]);
  gauge('funnel_calls', 'Successful calls by step of the funnel', samplesOf('step', funnel));
  gauge(
    'funnel_agents',
    'Distinct agents by step of the funnel',
    traffic.agentFunnel.steps.map(({ step, agents }) => [{ step }, agents]),
  );
  gauge(
    'funnel_agents_searched',
    'Distinct agents by step of the funnel that searched too',
    traffic.agentFunnel.steps.map(({ step, searched }) => [{ step }, searched]),
  );
  gauge('signatures', 'Signed calls by what their signatures came to', samplesOf('outcome', signatures));
  gauge('mandates', 'Mandates and their charges', samplesOf('event', mandates));
  gauge('charges_refused', 'Charges refused by reason', samplesOf('reason', chargesRefusedByReason));
  gauge('payments', 'Payments by outcome', samplesOf('outcome', payments));
  gauge('security', 'Security events', samplesOf('event', security));
  return registry.metrics();
};

const endingsIn = (totals: AgentTraffic['totals']) => Object.fromEntries(ENDINGS.map((one) => [one, totals[one]]));

const samplesOf = (label: string, counts: Readonly<Record<string, number>>): readonly Sample[] =>
  Object.entries(counts).map(([name, count]) => [{ [label]: name }, count]);

const latencySamples = ({ operation, p50Ms, p95Ms, p99Ms }: AgentTraffic['byOperation'][number]): readonly Sample[] =>
  Object.entries({ 0.5: p50Ms, 0.95: p95Ms, 0.99: p99Ms }).flatMap(([quantile, milliseconds]): readonly Sample[] =>
    milliseconds === null ? [] : [[{ operation, quantile }, Number((milliseconds / 1_000).toPrecision(4))]],
  );
