import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandBus } from '@nestjs/cqrs';
import type { EventStore } from '#event-store';
import type { RequestInstrumentation } from '#http';
import type { RecoveryInstrumentation } from '#order';
import type { PaymentProcessor } from '#payment';
import type { BatchInstrumentation, Lag } from '#read-models';
import { type Metrics, reportLag } from './metrics.js';
import { MetricsServer } from './metrics-server.js';
import type { MetricsSettings } from './start-telemetry.js';
import type { Tracing } from './tracing.js';
import { instrumentedBatches } from './instrumented-batches.js';
import { instrumentCommands } from './instrumented-commands.js';
import { InstrumentedEventStore } from './instrumented-event-store.js';
import { InstrumentedProcessor } from './instrumented-processor.js';
import { instrumentedRequests } from './instrumented-requests.js';
import { instrumentedRecovery } from './instrumented-recovery.js';

/** How long (ms) a process that stops waits for the collector. */
const LAST_EXPORT = 1_000;

/** The instrumentation of a process. It wraps ports and fills hooks; the modules behind them do not know of it. */
export class Telemetry {
  readonly requests: RequestInstrumentation;
  readonly batches: BatchInstrumentation;
  readonly recovery: RecoveryInstrumentation;
  private server: MetricsServer | null = null;

  constructor(
    private readonly tracing: Tracing | null,
    private readonly metrics: Metrics | null,
  ) {
    this.requests = instrumentedRequests(tracing, metrics);
    this.batches = instrumentedBatches(tracing, metrics);
    this.recovery = instrumentedRecovery(tracing, metrics);
  }

  /** Serves the metrics, if there are any. @throws Error of the system, `syscall` listen */
  async serveMetrics(settings: MetricsSettings): Promise<void> {
    if (this.metrics) this.server = await MetricsServer.open(this.metrics.registry, settings);
  }

  /** The port that serves the metrics; null: none. */
  get metricsPort(): number | null {
    return this.server?.port ?? null;
  }

  eventStore(store: EventStore): EventStore {
    return new InstrumentedEventStore(store, this.tracing, this.metrics);
  }

  processor(processor: PaymentProcessor): PaymentProcessor {
    return new InstrumentedProcessor(processor, this.tracing, this.metrics);
  }

  instrumentCommands(bus: CommandBus): void {
    instrumentCommands(bus, this.tracing, this.metrics);
  }

  /** Exports the lag of the read models as metrics. */
  reportLag(lag: () => Promise<ReadonlyMap<string, Lag>>): void {
    if (this.metrics) reportLag(this.metrics, lag);
  }

  /** Sends what is left, within a second, and stops serving. What the collector has not taken by then is lost. */
  async stop(): Promise<void> {
    await Promise.race([this.tracing?.stop().catch(() => undefined), sleep(LAST_EXPORT, undefined, { ref: false })]);
    await this.server?.close();
  }
}
