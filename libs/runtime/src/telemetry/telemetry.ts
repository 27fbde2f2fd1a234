import type { CommandBus } from '@nestjs/cqrs';
import type { PaymentProcessor, RecoveryInstrumentation } from '#checkout';
import type { EventStore } from '#event-store';
import type { RequestInstrumentation } from '#http';
import { STOP_BUDGET, within } from '#kernel';
import type { MailFigures, MailOutcome, SendingFigures } from '#outbox';
import type { Lag, OnBatch } from '#read-models';
import type { Instruments } from './instrumentation.js';
import { instrumentedBatches, instrumentedRecovery } from './instrumented-background.js';
import { instrumentedEventStore, instrumentedProcessor } from './instrumented-ports.js';
import { instrumentCommands, instrumentedRequests } from './instrumented-requests.js';
import type { SealingFigures, WitnessObserver } from '#transparency';
import { reportClock, reportLag, reportMails, reportSealing, reportSending } from './metrics.js';
import { MetricsServer, type MetricsSettings } from './metrics-server.js';

/** How long (ms) a process that stops waits for the collector; then its own server is closed. */
const LAST_EXPORT = STOP_BUDGET.telemetry - 200;

/** The instrumentation of a process. It wraps ports and fills hooks; the modules behind them do not know of it. */
export class Telemetry {
  readonly requests: RequestInstrumentation;
  readonly batches: OnBatch;
  readonly recovery: RecoveryInstrumentation;
  private server: MetricsServer | null = null;

  constructor(private readonly instruments: Instruments) {
    this.requests = instrumentedRequests(instruments);
    this.batches = instrumentedBatches(instruments);
    this.recovery = instrumentedRecovery(instruments);
  }

  /** Serves the metrics, if there are any. @throws Error of the system, `syscall` listen */
  async serveMetrics(settings: MetricsSettings): Promise<void> {
    const { metrics } = this.instruments;
    if (metrics) this.server = await MetricsServer.open(metrics.registry, settings);
  }

  /** The port that serves the metrics; null: none. */
  get metricsPort(): number | null {
    return this.server?.port ?? null;
  }

  eventStore(store: EventStore): EventStore {
    return instrumentedEventStore(store, this.instruments);
  }

  processor(processor: PaymentProcessor): PaymentProcessor {
    return instrumentedProcessor(processor, this.instruments);
  }

  instrumentCommands(bus: CommandBus): void {
    instrumentCommands(bus, this.instruments);
  }

  reportLag(lag: () => Promise<ReadonlyMap<string, Lag>>): void {
    const { metrics, clock } = this.instruments;
    if (metrics) reportLag(metrics, clock, lag);
  }

  /** Exports by how much (ms) the process's clock is ahead of the machine's. */
  reportClock(ahead: () => number): void {
    const { metrics } = this.instruments;
    if (metrics) reportClock(metrics, ahead);
  }

  /** Exports how far the transparency log is sealed. Returns the function that counts a round that failed. */
  reportSealing(figures: () => SealingFigures | null): (() => void) | null {
    const { metrics } = this.instruments;
    return metrics && reportSealing(metrics, figures);
  }

  /** Exports what is there to be sent to webhooks. Returns the function that counts a try. */
  reportSending(figures: () => SendingFigures | null): ((hasArrived: boolean) => void) | null {
    const { metrics } = this.instruments;
    return metrics && reportSending(metrics, figures);
  }

  /** Exports what waits for a mail to a traveller. */
  reportMails(figures: () => Promise<MailFigures | null>): void {
    const { metrics, clock } = this.instruments;
    if (metrics) reportMails(metrics, clock, figures);
  }

  readonly witnesses: WitnessObserver['onOffer'] = (witness, outcome) =>
    this.instruments.metrics?.witnesses.inc({ witness, outcome });

  /** Counts what became of a mail to a traveller. */
  readonly mails = (outcome: MailOutcome): void => this.instruments.metrics?.mails.inc({ outcome });

  /** Sends what is left, within a second, and stops serving. What the collector has not taken by then is lost. */
  async stop(): Promise<void> {
    const { tracing, clock } = this.instruments;
    const sent = tracing?.stop().catch(() => undefined);
    if (sent) await within(clock, LAST_EXPORT, sent, () => undefined);
    await this.server?.close();
  }
}
