import { setTimeout as sleep } from 'node:timers/promises';
import type { Leases, ReadModelStore } from '#documents';
import type { EventStore } from '#event-store';
import type { BatchInstrumentation } from './batch-instrumentation.js';
import { collectionName, generationsOf } from './generations.js';
import type { Projection } from './projection.js';
import { type OnProjectionError, Projector } from './projector.js';

/** How long (ms) a projection that met an event it cannot read is left to processes that may know it. */
const STOPPED_FOR = 30_000;

/** What projectors that share their work by leases stand on. */
export interface SharedProjecting {
  readonly events: EventStore;
  readonly store: ReadModelStore;
  readonly leases: Leases;
  /** How long (ms) a lease lasts; it is prolonged three times as often. */
  readonly lease: number;
  readonly onError: OnProjectionError;
  /** Absent: nobody. */
  readonly watch?: BatchInstrumentation | undefined;
}

/** The lease of who keeps a collection up with the log, or builds it. */
export const leaseOf = (collection: string): string => `projection-${collection}`;

/**
 * Keeps the live generation of a projection up with the log while it holds the lease, and stands by while another
 * process does: after a crash the next one goes on within a lease and a third. The lease only saves work. Who goes on
 * past its end, because it was paused, does no harm: the guards of every write see to that (rule 24).
 */
export class LeasedProjector {
  private projector: Projector | null = null;
  private restsUntil = 0;
  private readonly stopping = new AbortController();
  private running: Promise<void> | null = null;

  constructor(
    private readonly projection: Projection<object>,
    private readonly parts: SharedProjecting,
  ) {}

  /** Whether it projects now. */
  get isActive(): boolean {
    return this.projector !== null;
  }

  start(): void {
    this.running ??= this.run();
  }

  /** Finishes the batch under way and gives the lease back, for another process to go on at once. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
    await this.yield();
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        await this.round();
      } catch (error) {
        this.parts.onError(this.projection.name, error); // who projects goes on: nobody said that another does
      }
      await sleep(this.parts.lease / 3, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Takes or prolongs the lease of the live generation, and projects it or not. */
  private async round(): Promise<void> {
    const { store, leases, lease } = this.parts;
    const collection = collectionName(this.projection, (await generationsOf(store, this.projection)).live);
    if (this.projector?.stoppedFor) this.restsUntil = performance.now() + STOPPED_FOR;
    if (this.projector?.stoppedFor || this.projector?.collection !== collection) await this.yield();
    if (performance.now() < this.restsUntil) return;
    if (await leases.hold(leaseOf(collection), lease)) await this.project(collection);
    else await this.standBy();
  }

  private async project(name: string): Promise<void> {
    if (this.projector) return;
    const { events, store, onError, watch } = this.parts;
    await store.prepare({ name, indexes: this.projection.indexes });
    this.projector = new Projector(this.projection, name, events, store, onError, watch);
    this.projector.start();
  }

  private async standBy(): Promise<void> {
    await this.projector?.stop();
    this.projector = null;
  }

  private async yield(): Promise<void> {
    if (!this.projector) return;
    const { collection } = this.projector;
    await this.standBy();
    await this.parts.leases.release(leaseOf(collection));
  }
}
