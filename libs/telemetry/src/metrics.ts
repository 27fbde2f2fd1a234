import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Config } from '#config';
import { type Clock, within } from '#kernel';
import type { Lag } from '#read-models';
import type { SealingFigures } from '#transparency';
import type { SendingFigures } from '#webhooks';

export type MetricsSettings = NonNullable<Config['telemetry']['metrics']>;

/** Bucket bounds (s) of what a person or an agent waits for. */
const ANSWERS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Bucket bounds (s) of calls to a store or the processor. */
const CALLS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** The metrics of a process (docs/observability.md). Labels take values from lists in the program: no caller makes a series. */
export class Metrics {
  readonly registry = new Registry();

  readonly requests = this.histogram(
    'alcada_http_request_duration_seconds',
    'Time from a request to the end of its answer, by route pattern ("unmatched": none), method and class of status ("aborted": the caller left first).',
    ['route', 'method', 'status_class'],
    ANSWERS,
  );
  readonly commands = this.histogram(
    'alcada_command_duration_seconds',
    'Time a command took, by its name and outcome: "ok", or the error code of the refusal.',
    ['command', 'outcome'],
    ANSWERS,
  );
  readonly appends = this.histogram(
    'alcada_append_duration_seconds',
    'Time an append to the event log took, by category of the stream and outcome: "appended", "conflict", "unknown", "unavailable" or "failed".',
    ['category', 'outcome'],
    CALLS,
  );
  readonly retries = this.counter(
    'alcada_append_retries_total',
    'Appends that called for another try, by category and reason: "conflict" (decided anew) or "unknown" (the same bytes again).',
    ['category', 'reason'],
  );
  readonly payments = this.histogram(
    'alcada_payment_duration_seconds',
    'Time a call of the payment processor took, by operation and outcome: the state of the charge, or "failed".',
    ['operation', 'outcome'],
    CALLS,
  );
  readonly batches = this.histogram(
    'alcada_projection_batch_duration_seconds',
    'Time a projection took to fold a batch of events, by outcome: "folded", "overtaken" (another projector is ahead) or "failed".',
    ['projection', 'outcome'],
    CALLS,
  );
  readonly folded = this.counter('alcada_projection_events_total', 'Events a projection folded.', ['projection']);
  readonly recovery = this.counter(
    'alcada_recovery_work_total',
    'Pieces of work recovery took up, by list and outcome: "finished", "nothing_to_do" or "failed" (tried again later).',
    ['list', 'outcome'],
  );
  readonly witnesses = this.counter(
    'alcada_tlog_witness_offers_total',
    'Offers of a tree to a witness, by its name in the policy and outcome: "cosigned", "refused" (it says no, as to a fork) or "failed".',
    ['witness', 'outcome'],
  );
  readonly mails = this.counter(
    'alcada_mails_total',
    'Mails to travellers, by outcome: "sent", "failed" (tried again), "refused" (for good) or "too_late" (given up).',
    ['outcome'],
  );
  readonly rounds = new Gauge({
    name: 'alcada_recovery_last_round_timestamp_seconds',
    help: 'When this process last finished a round of recovery, in seconds since 1970; 0: never.',
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  private histogram<Label extends string>(name: string, help: string, labelNames: Label[], buckets: number[]) {
    return new Histogram({ name, help, labelNames, buckets, registers: [this.registry] });
  }

  private counter<Label extends string>(name: string, help: string, labelNames: Label[]) {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }
}

/** How long (ms) a scrape waits for the event log. */
const LAG_TIMEOUT = 1_000;

type Lags = ReadonlyMap<string, Lag>;
const UNKNOWN: Lags = new Map();

/** Exports how far the read models are behind the log, at each scrape; no sample where the log does not answer. */
export const reportLag = ({ registry }: Metrics, clock: Clock, lagNow: () => Promise<Lags>): void => {
  let reading: Promise<Lags> | null = null;
  // Both gauges are filled from one reading.
  const read = (): Promise<Lags> =>
    (reading ??= within(clock, LAG_TIMEOUT, lagNow(), () => UNKNOWN)
      .catch(() => UNKNOWN)
      .finally(() => (reading = null)));
  const addGauge = (name: string, help: string, figureOf: (lag: Lag) => number) => {
    const gauge = new Gauge({
      name,
      help,
      labelNames: ['projection'] as const,
      registers: [registry],
      collect: async () => {
        const lags = await read();
        gauge.reset();
        for (const [projection, lag] of lags) gauge.set({ projection }, figureOf(lag));
      },
    });
  };
  addGauge(
    'alcada_projection_lag_positions',
    'Positions of the event log between a projection and the end of the log, in the log’s own unit.',
    ({ distance }) => distance,
  );
  addGauge(
    'alcada_projection_lag_seconds',
    'Age of the oldest event that a projection does not hold; 0: there is none.',
    ({ seconds }) => seconds,
  );
};

/** Exports by how much (ms) the process's clock is ahead of the machine's. */
export const reportClock = ({ registry }: Metrics, aheadNow: () => number): void => {
  const gauge = new Gauge({
    name: 'alcada_clock_ahead_seconds',
    help: 'How far the time of the process is ahead of the clock of its machine, which it does not follow back.',
    registers: [registry],
    collect: () => {
      gauge.set(aheadNow() / 1_000);
    },
  });
};

/** Adds gauges of work that one process at a time does; no sample where another does it. */
const gaugesOf =
  <Figures>(registry: Registry, figuresNow: () => Figures | null) =>
  (name: string, help: string, figureOf: (figures: Figures) => number): void => {
    const gauge = new Gauge({
      name,
      help,
      registers: [registry],
      collect: () => {
        const figures = figuresNow();
        if (figures) gauge.set(figureOf(figures));
        else gauge.remove();
      },
    });
  };

/** Exports what is there to be sent to webhooks. Returns the function that counts a try. */
export const reportSending = (
  { registry }: Metrics,
  figuresNow: () => SendingFigures | null,
): ((hasArrived: boolean) => void) => {
  const addGauge = gaugesOf(registry, figuresNow);
  addGauge(
    'alcada_webhook_queue_entries',
    'Deliveries that wait for another try or for the one before.',
    (one) => one.queued,
  );
  addGauge(
    'alcada_webhook_oldest_seconds',
    'For how long something has been there to be sent to an endpoint that takes what it is sent.',
    ({ oldestSeconds }) => oldestSeconds,
  );
  const tries = new Counter({
    name: 'alcada_webhook_tries_total',
    help: 'Deliveries to webhooks that were tried, by outcome: "sent" or "failed".',
    labelNames: ['outcome'] as const,
    registers: [registry],
  });
  return (hasArrived) => tries.inc({ outcome: hasArrived ? 'sent' : 'failed' });
};

/** Exports how far this process has sealed the log. Returns the function that counts a failed round. */
export const reportSealing = ({ registry }: Metrics, figuresNow: () => SealingFigures | null): (() => void) => {
  const addGauge = gaugesOf(registry, figuresNow);
  addGauge('alcada_tlog_entries', 'Entries of the transparency log that are sealed.', ({ size }) => size);
  addGauge(
    'alcada_tlog_behind_seconds',
    'Seconds since everything was sealed that the event log held.',
    ({ secondsBehind }) => secondsBehind,
  );
  const failures = new Counter({
    name: 'alcada_tlog_failures_total',
    help: 'Rounds of sealing that failed, and are tried again.',
    registers: [registry],
  });
  return () => failures.inc();
};

/** `/metrics` in Prometheus' text format, on a port of its own, so that nothing else of the service can be reached there. */
export class MetricsServer {
  private constructor(private readonly server: Server) {}

  /** @throws Error of the system, `syscall` listen */
  static async open(registry: Registry, { host, port }: MetricsSettings): Promise<MetricsServer> {
    const server = createServer((request, response) => {
      const isMetrics = request.method === 'GET' && request.url === '/metrics';
      if (!isMetrics) {
        response.writeHead(404).end();
        return;
      }
      registry.metrics().then(
        (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
        () => response.writeHead(500).end(),
      );
    });
    server.listen(port, host);
    await once(server, 'listening');
    return new MetricsServer(server);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}
