import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Upper ends (s) of what a person or an agent waits for. */
const ANSWERS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Upper ends (s) of what a store or a processor takes. */
const CALLS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/**
 * The metrics of a process (docs/observability.md says what each is good for). Every label takes its values from a list
 * in the program: nothing that a caller sends makes a new series.
 */
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
  readonly settler = this.counter(
    'alcada_settler_work_total',
    'Pieces of work the settler took up, by list and outcome: "settled", "nothing_to_do" or "failed" (tried again later).',
    ['list', 'outcome'],
  );
  readonly rounds = new Gauge({
    name: 'alcada_settler_last_round_timestamp_seconds',
    help: 'When this process last finished a round as the settler, in seconds since 1970; 0: never.',
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
