import type { AgentTrafficView } from './agent-traffic.view.js';

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

/**
 * The answer in Prometheus' text format 0.0.4. All of it are gauges: figures of a window that moves with the time, which may
 * fall. The series is left out; Prometheus makes its own.
 */
export const trafficPrometheus = (view: AgentTrafficView): string => {
  const { totals, funnel, mandates, payments, security } = view;
  const { chargesRefusedByReason, ...counts } = mandates;
  return [
    gauge('requests', 'Calls answered in the window', [[{}, totals.requests]]),
    gauge('errors', 'Calls answered with a status of 400 or more', [[{}, totals.errors]]),
    gauge('agents', 'Distinct agents', [[{}, totals.agents]]),
    gauge(
      'channel_calls',
      'Calls by channel',
      view.byChannel.map(({ channel, calls }) => [{ channel }, calls]),
    ),
    gauge(
      'operation_calls',
      'Calls by operation',
      view.byOperation.map(({ operation, calls }) => [{ operation }, calls]),
    ),
    gauge(
      'operation_errors',
      'Errors by operation',
      view.byOperation.map(({ operation, errors }) => [{ operation }, errors]),
    ),
    gauge('operation_latency_seconds', 'Latency by operation and quantile', view.byOperation.flatMap(latencies)),
    gauge(
      'status_calls',
      'Calls by HTTP status',
      view.byStatus.map(({ status, calls }) => [{ status: String(status) }, calls]),
    ),
    gauge(
      'error_calls',
      'Refused calls by error code',
      view.byErrorCode.map(({ error, calls }) => [{ error }, calls]),
    ),
    gauge(
      'family_calls',
      'Calls by agent family',
      view.byAgentFamily.map(({ family, calls }) => [{ family }, calls]),
    ),
    gauge(
      'family_agents',
      'Distinct agents by family',
      view.byAgentFamily.map(({ family, agents }) => [{ family }, agents]),
    ),
    gauge('funnel_calls', 'Successful calls by step of the funnel', labelled('step', funnel)),
    gauge('mandates', 'Mandates and their charges', labelled('event', counts)),
    gauge('charges_refused', 'Charges refused by reason', labelled('reason', chargesRefusedByReason)),
    gauge('payments', 'Payments by outcome', labelled('outcome', payments)),
    gauge('security', 'Security events', labelled('event', security)),
  ].join('');
};

const gauge = (name: string, help: string, samples: readonly Sample[]): string => {
  const full = `alcada_agent_traffic_${name}`;
  const lines = samples.map(([labels, value]) => `${full}${labelsOf(labels)} ${value}`);
  return [`# HELP ${full} ${help}`, `# TYPE ${full} gauge`, ...lines, ''].join('\n');
};

/** No value of a label needs escaping: all names are ours. */
const labelsOf = (labels: Readonly<Record<string, string>>): string => {
  const written = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
  return written.length === 0 ? '' : `{${written.join(',')}}`;
};

const labelled = (label: string, counts: object): readonly Sample[] =>
  Object.entries(counts as Readonly<Record<string, number>>).map(([name, value]) => [{ [label]: name }, value]);

const latencies = ({ operation, p50Ms, p95Ms, p99Ms }: AgentTrafficView['byOperation'][number]): readonly Sample[] =>
  (
    [
      ['0.5', p50Ms],
      ['0.95', p95Ms],
      ['0.99', p99Ms],
    ] as const
  ).flatMap(([quantile, milliseconds]): readonly Sample[] =>
    milliseconds === null ? [] : [[{ operation, quantile }, Number((milliseconds / 1_000).toPrecision(4))]],
  );
