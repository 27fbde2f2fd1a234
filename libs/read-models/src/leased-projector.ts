import type { Leases } from '#documents';
import { collectionName, generationsOf } from './generations.js';
import { type ProjectedCollection, projectHere } from './start-projecting.js';
import { ProjectionStopped, type ProjectorObserver, type ProjectorParts } from './projected.js';
import type { Projection } from './projection.js';

/** How long (ms) a projection that met an event it cannot read is left to processes that may know it. */
const STOPPED_FOR = 30_000;
/** Each batch costs some ten questions to the store, and followers look no more often than at the shortest of these times. */
const [SHORTEST, LONGEST, OF_EACH] = [5, 80, 3] as const;
/** A busy log is folded in larger batches: a list has to wait for many orders then anyway. */
const pace = (deliveries: number): number => Math.min(Math.max(SHORTEST, OF_EACH * deliveries), LONGEST);

export interface SharedProjecting extends ProjectorParts {
  readonly leases: Leases;
  /** How long (ms) a lease lasts; it is prolonged three times as often. */
  readonly lease: number;
}

interface Reading {
  readonly of: readonly ProjectedCollection[];
  /** Those of them that an event has stopped: the others go on. */
  readonly stopped: Set<ProjectedCollection>;
  readonly stop: () => Promise<void>;
}

const going = ({ of, stopped }: Reading): readonly ProjectedCollection[] => of.filter((one) => !stopped.has(one));

const areSame = (some: readonly ProjectedCollection[], others: readonly ProjectedCollection[]): boolean =>
  some.length === others.length && some.every(({ collection }) => others.some((one) => one.collection === collection));

/** The lease of who keeps a collection up with the log, or builds it. */
export const leaseOf = (collection: string): string => `projection-${collection}`;

/** Keeps projections up with the log under leases, which only save work: every write is guarded (rule 24). */
export class LeasedProjector {
  private readings: readonly Reading[] = [];
  /** Of which it had the leases when it looked last. */
  private had: readonly ProjectedCollection[] = [];
  /** By projection that an event has stopped, until when (ms, monotonic) it is left to others; then it is tried by itself. */
  private readonly rests = new Map<string, number>();
  private readonly stopping = new AbortController();
  private running: Promise<void> | null = null;

  constructor(
    private readonly projections: readonly Projection<object>[],
    private readonly dependencies: SharedProjecting,
  ) {}

  get isActive(): boolean {
    return this.projected.length > 0;
  }

  private get projected(): readonly ProjectedCollection[] {
    return this.readings.flatMap(going);
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
    const isPrepared = this.had.some((one) => one.collection === collection);
    if (!isPrepared) await store.prepare({ name: collection, indexes: projection.indexes });
    return collection;
  }

  /** Projects these and no others, in as few readings as go on undisturbed. The leases of those that it had are given back. */
  private async project(held: readonly ProjectedCollection[]): Promise<void> {
    const isTried = ({ projection }: ProjectedCollection) => this.rests.has(projection.name);
    const together = held.filter((one) => !isTried(one));
    const wanted = [together, ...held.filter(isTried).map((one) => [one])].filter((some) => some.length > 0);
    const kept = this.readings.filter((reading) => wanted.some((some) => areSame(some, going(reading))));
    for (const reading of this.readings) if (!kept.includes(reading)) await reading.stop();
    const begun = wanted.filter((some) => !kept.some((reading) => areSame(some, going(reading))));
    this.readings = [...kept, ...begun.map((some) => this.begin(some))];
    const before = this.had;
    this.had = held;
    const isHeld = (one: ProjectedCollection) => held.some(({ collection }) => collection === one.collection);
    for (const one of before) if (!isHeld(one)) await this.dependencies.leases.release(leaseOf(one.collection));
  }

  private begin(of: readonly ProjectedCollection[]): Reading {
    const { events, store, clock, onError, onBatch } = this.dependencies;
    const stopped = new Set<ProjectedCollection>();
    const observer: ProjectorObserver = {
      onBatch,
      onError: (name, error) => {
        if (error instanceof ProjectionStopped) {
          this.rests.set(name, clock.monotonic() + STOPPED_FOR);
          for (const one of of) if (one.projection.name === name) stopped.add(one);
        }
        onError(name, error);
      },
    };
    return { of, stopped, stop: projectHere(events, store, clock, pace)(of, observer) };
  }
}
