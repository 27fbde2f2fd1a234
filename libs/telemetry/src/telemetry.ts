import { setTimeout as sleep } from 'node:timers/promises';
import type { EventStore } from '#event-store';
import type { RequestInstrumentation } from '#http';
import type { RecoveryInstrumentation } from '#order';
import type { PaymentProcessor } from '#payment';
import type { BatchInstrumentation, Lag } from '#read-models';
import type { Metrics } from './metrics.js';
import { MetricsServer } from './metrics-server.js';
import { reportLag } from './projection-lag.js';
import type { MetricsSettings } from './start-telemetry.js';
import type { Tracing } from './tracing.js';
import { instrumentedBatches } from './instrumented-batches.js';
import { instrumentedCommands } from './instrumented-commands.js';
import { InstrumentedEventStore } from './instrumented-event-store.js';
import { InstrumentedProcessor } from './instrumented-processor.js';
import { instrumentedRequests } from './instrumented-requests.js';
import { instrumentedRecovery } from './instrumented-recovery.js';

/** How long (ms) the end of a process waits for a collector. */
const FAREWELL = 1_000;

/** What watches a process: it stands around ports and hooks, and the rooms behind them do not know of it. */
export class Telemetry {
  readonly requests: RequestInstrumentation;
  readonly batches: BatchInstrumentation;
  readonly settler: RecoveryInstrumentation;
  /** For Nest's `instrument.instanceDecorator`: watches the commands. */
  readonly decorate: (instance: unknown) => unknown;
  private server: MetricsServer | null = null;

  constructor(
    private readonly tracing: Tracing | null,
    private readonly metrics: Metrics | null,
  ) {
    this.requests = instrumentedRequests(tracing, metrics);
    this.batches = instrumentedBatches(tracing, metrics);
    this.settler = instrumentedRecovery(tracing, metrics);
    this.decorate = instrumentedCommands(tracing, metrics);
  }

  /** Serves the metrics, if there are any. @throws Error of the system, `syscall` listen */
  async serveMetrics(settings: MetricsSettings): Promise<void> {
    if (this.metrics) this.server = await MetricsServer.open(this.metrics.registry, settings);
  }

  /** The port that metrics are served on; null: none. */
  get metricsPort(): number | null {
    return this.server?.port ?? null;
  }

  eventStore(store: EventStore): EventStore {
    return new InstrumentedEventStore(store, this.tracing, this.metrics);
  }

  processor(processor: PaymentProcessor): PaymentProcessor {
    return new InstrumentedProcessor(processor, this.tracing, this.metrics);
  }

  /** Has the lag of read models among the metrics. */
  reportLag(lag: () => Promise<ReadonlyMap<string, Lag>>): void {
    if (this.metrics) reportLag(this.metrics, lag);
  }

  /** Sends what is left, within a second, and stops serving. What a collector does not take by then is lost. */
  async stop(): Promise<void> {
    await Promise.race([this.tracing?.stop().catch(() => undefined), sleep(FAREWELL, undefined, { ref: false })]);
    await this.server?.close();
  }
}
