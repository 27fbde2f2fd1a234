import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { type Clock, within } from '#kernel';
import type { MailFigures, SendingFigures } from '#outbox';
import type { Lag } from '#read-models';
import type { SealingFigures } from '#transparency';

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

/** How long (ms) a scrape waits for a store. */
const STORE_TIMEOUT = 1_000;

/** Reads what all gauges of a scrape are filled from, once; `unknown` where the store does not answer. */
const reader = <Read>(clock: Clock, readNow: () => Promise<Read>, unknown: Read): (() => Promise<Read>) => {
  let reading: Promise<Read> | null = null;
  return () =>
    (reading ??= within(clock, STORE_TIMEOUT, readNow(), () => unknown)
      .catch(() => unknown)
      .finally(() => (reading = null)));
};

type Lags = ReadonlyMap<string, Lag>;

/** Exports how far the read models and the outbox are behind the log, at each scrape. */
export const reportLag = ({ registry }: Metrics, clock: Clock, lagNow: () => Promise<Lags>): void => {
  const read = reader<Lags>(clock, lagNow, new Map());
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
  <Figures>(registry: Registry, figuresNow: () => Figures | null | Promise<Figures | null>) =>
  (name: string, help: string, figureOf: (figures: Figures) => number): void => {
    const gauge = new Gauge({
      name,
      help,
      registers: [registry],
      collect: async () => {
        const figures = await figuresNow();
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

/** Exports what waits for a mail to a traveller. */
export const reportMails = (
  { registry }: Metrics,
  clock: Clock,
  figuresNow: () => Promise<MailFigures | null>,
): void => {
  const addGauge = gaugesOf(registry, reader(clock, figuresNow, null));
  addGauge('alcada_mail_queue_entries', 'Notices that wait for a mail about them.', ({ waiting }) => waiting);
  addGauge(
    'alcada_mail_oldest_seconds',
    'For how long a mail to a traveller has been due; 0: none is.',
    ({ oldestSeconds }) => oldestSeconds,
  );
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
