import type { Leases } from '#documents';
import { collectionName, generationsOf } from './generations.js';
import { type ProjectedCollection, projectHere } from './projecting.js';
import { ProjectionStopped } from './projected.js';
import type { Projection } from './projection.js';
import type { ProjectorObserver, ProjectorParts } from './projector-parts.js';

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
 * Keeps the live generations of projections up with the log, together, as far as it holds their leases, and stands by for
 * the others while another process does: after a crash the next one goes on within a lease and a third. A lease only saves
 * work. A process that goes on past its end, because it was paused, does no harm: every write is guarded (rule 24).
 */
export class LeasedProjector {
  private projected: readonly ProjectedCollection[] = [];
  private stopProjecting: () => Promise<void> = () => Promise.resolve();
  /** By projection, until when (ms, monotonic) it is left to others. */
  private readonly rests = new Map<string, number>();
  private readonly stopping = new AbortController();
  private running: Promise<void> | null = null;

  constructor(
    private readonly projections: readonly Projection<object>[],
    private readonly dependencies: SharedProjecting,
  ) {}

  /** Whether it projects any of them now. */
  get isActive(): boolean {
    return this.projected.length > 0;
  }

  start(): void {
    this.running ??= this.run();
  }

  /** Finishes the batches under way and gives the leases back, for another process to go on at once. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
    await this.project([]);
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    const { clock, lease, onError } = this.dependencies;
    while (!signal.aborted) {
      const held: ProjectedCollection[] = [];
      for (const projection of this.projections)
        try {
          const collection = await this.held(projection);
          if (collection !== null) held.push({ projection, collection });
        } catch (error) {
          onError(projection.name, error); // whoever projects goes on: no other process is known to
          held.push(...this.projected.filter((one) => one.projection === projection));
        }
      await this.project(held).catch((error: unknown) => onError('read models', error));
      await clock.sleep(lease / 3, signal);
    }
  }

  /** The live collection of a projection, if its lease can be had or prolonged. */
  private async held(projection: Projection<object>): Promise<string | null> {
    const { store, leases, lease, clock } = this.dependencies;
    if (clock.monotonic() < (this.rests.get(projection.name) ?? -Infinity)) return null;
    const collection = collectionName(projection, (await generationsOf(store, projection)).live);
    if (!(await leases.hold(leaseOf(collection), lease))) return null;
    await store.prepare({ name: collection, indexes: projection.indexes });
    return collection;
  }

  /** Projects these and no others. The leases of those that it projected are given back. */
  private async project(held: readonly ProjectedCollection[]): Promise<void> {
    const isHeld = (one: ProjectedCollection) => held.some(({ collection }) => collection === one.collection);
    if (held.length === this.projected.length && this.projected.every(isHeld)) return;
    const before = this.projected;
    await this.stopProjecting();
    this.projected = held;
    const { events, store, leases, clock, onError, onBatch } = this.dependencies;
    const observer: ProjectorObserver = {
      onBatch,
      onError: (projection, error) => {
        if (error instanceof ProjectionStopped) this.rests.set(projection, clock.monotonic() + STOPPED_FOR);
        onError(projection, error);
      },
    };
    const projecting = projectHere(events, store, clock, PACE);
    // Nothing is begun for none: the stores may be closed next.
    this.stopProjecting = held.length > 0 ? projecting(held, observer) : () => Promise.resolve();
    for (const one of before) if (!isHeld(one)) await leases.release(leaseOf(one.collection));
  }
}
