import type { Leases } from '#documents';
import { collectionName, generationsOf } from './generations.js';
import { Projected } from './projected.js';
import type { Projection } from './projection.js';
import { Projector, type ProjectorParts } from './projector.js';

/** How long (ms) a projection that met an event it cannot read is left to processes that may know it. */
const STOPPED_FOR = 30_000;
/** At what pace (ms) batches are folded: each costs three questions to the store, and followers look no more often. */
const PACE = 20;

/** The dependencies of projectors that share their work by leases. */
export interface SharedProjecting extends ProjectorParts {
  readonly leases: Leases;
  /** How long (ms) a lease lasts; it is prolonged three times as often. */
  readonly lease: number;
}

/** The lease of who keeps a collection up with the log, or builds it. */
export const leaseOf = (collection: string): string => `projection-${collection}`;

/**
 * Keeps the live generation of a projection up with the log while it holds the lease, and stands by while another
 * process does: after a crash the next one goes on within a lease and a third. The lease only saves work. A process that
 * goes on past its end, because it was paused, does no harm: every write is guarded (rule 24).
 */
export class LeasedProjector {
  private active: { readonly model: Projected; readonly projector: Projector } | null = null;
  private restsUntil = 0;
  private readonly stopping = new AbortController();
  private running: Promise<void> | null = null;

  constructor(
    private readonly projection: Projection<object>,
    private readonly dependencies: SharedProjecting,
  ) {}

  /** Whether it projects now. */
  get isActive(): boolean {
    return this.active !== null;
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
        this.dependencies.onError(this.projection.name, error); // whoever projects goes on: no other process is known to
      }
      await this.dependencies.clock.sleep(this.dependencies.lease / 3, signal);
    }
  }

  /** Takes or prolongs the lease of the live generation, and projects it or not. */
  private async round(): Promise<void> {
    const { store, leases, lease, clock } = this.dependencies;
    const collection = collectionName(this.projection, (await generationsOf(store, this.projection)).live);
    const { model } = this.active ?? {};
    if (model?.failure) this.restsUntil = clock.monotonic() + STOPPED_FOR;
    if (model?.failure || model?.collection !== collection) await this.yield();
    if (clock.monotonic() < this.restsUntil) return;
    if (await leases.hold(leaseOf(collection), lease)) await this.project(collection);
    else await this.standBy();
  }

  private async project(name: string): Promise<void> {
    if (this.active) return;
    const { store, clock } = this.dependencies;
    await store.prepare({ name, indexes: this.projection.indexes });
    const model = new Projected(this.projection, name, clock);
    const projector = new Projector([model], { pace: PACE, ...this.dependencies });
    this.active = { model, projector };
    projector.start();
  }

  private async standBy(): Promise<void> {
    await this.active?.projector.stop();
    this.active = null;
  }

  private async yield(): Promise<void> {
    if (!this.active) return;
    const { collection } = this.active.model;
    await this.standBy();
    await this.dependencies.leases.release(leaseOf(collection));
  }
}
