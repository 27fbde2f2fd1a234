import { setTimeout as sleep } from 'node:timers/promises';
import type { EventStore } from '#event-store';
import type { RequestWatch } from '#http';
import type { SettlerWatch } from '#order';
import type { PaymentProcessor } from '#payment';
import type { BatchWatch, Lag } from '#read-models';
import type { Metrics } from './metrics.js';
import { MetricsServer } from './metrics-server.js';
import { tellLag } from './projection-lag.js';
import type { MetricsSettings } from './settings.js';
import type { Tracing } from './tracing.js';
import { watchedBatches } from './watched-batches.js';
import { watchedCommands } from './watched-commands.js';
import { WatchedEventStore } from './watched-event-store.js';
import { WatchedProcessor } from './watched-processor.js';
import { watchedRequests } from './watched-requests.js';
import { watchedSettler } from './watched-settler.js';

/** How long (ms) the end of a process waits for a collector. */
const FAREWELL = 1_000;

/** What watches a process: it stands around ports and hooks, and the rooms behind them do not know of it. */
export class Telemetry {
  readonly requests: RequestWatch;
  readonly batches: BatchWatch;
  readonly settler: SettlerWatch;
  /** For Nest's `instrument.instanceDecorator`: watches the commands. */
  readonly decorate: (instance: unknown) => unknown;
  private server: MetricsServer | null = null;

  constructor(
    private readonly tracing: Tracing | null,
    private readonly metrics: Metrics | null,
  ) {
    this.requests = watchedRequests(tracing, metrics);
    this.batches = watchedBatches(tracing, metrics);
    this.settler = watchedSettler(tracing, metrics);
    this.decorate = watchedCommands(tracing, metrics);
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
    return new WatchedEventStore(store, this.tracing, this.metrics);
  }

  processor(processor: PaymentProcessor): PaymentProcessor {
    return new WatchedProcessor(processor, this.tracing, this.metrics);
  }

  /** Has the lag of read models among the metrics. */
  tellLag(lag: () => Promise<ReadonlyMap<string, Lag>>): void {
    if (this.metrics) tellLag(this.metrics, lag);
  }

  /** Sends what is left, within a second, and stops serving. What a collector does not take by then is lost. */
  async stop(): Promise<void> {
    await Promise.race([this.tracing?.stop().catch(() => undefined), sleep(FAREWELL, undefined, { ref: false })]);
    await this.server?.close();
  }
}
