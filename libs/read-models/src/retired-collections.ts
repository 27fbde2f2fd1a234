import type { Leases, ReadModelStore } from '#documents';
import { type Clock, type Instant, plus } from '#kernel';
import { CHECKPOINTS, dropCollection } from './checkpoints.js';
import { beginGeneration, GENERATIONS, generationsOf, partsOfName, switchTo } from './generations.js';
import { leaseOf } from './leased-projector.js';
import type { Projection } from './projection.js';

export interface Retiring {
  readonly store: ReadModelStore;
  readonly leases: Leases;
  readonly clock: Clock;
  readonly projections: readonly Projection<object>[];
  /** How long (ms) a collection was without use, at every look, before it is dropped. */
  readonly after: number;
}

/** Collections of earlier versions and of interrupted rebuilds: not dropped on sight, since another process may use them. */
export class RetiredCollections {
  private readonly unusedSince = new Map<string, Instant>();

  constructor(private readonly parts: Retiring) {}

  /** Looks once, and drops what was without use for long enough; returns what it dropped. */
  async look(): Promise<readonly string[]> {
    const { store, projections } = this.parts;
    await store.prepare(CHECKPOINTS);
    await store.prepare(GENERATIONS);
    const dropped: string[] = [];
    for (const projection of projections) {
      for (const collection of await store.collections(`${projection.name}-v`))
        if (await this.retire(projection, collection)) dropped.push(collection);
    }
    return dropped;
  }

  private async retire({ name, version }: Projection<object>, collection: string): Promise<boolean> {
    const { store, leases, clock, after } = this.parts;
    const parts = partsOfName(name, collection);
    if (!parts || parts.version > version) return false;
    const versioned = { name, version: parts.version };
    const { live, building } = await generationsOf(store, versioned);
    const isRead = parts.version === version && parts.generation === live;
    if (isRead || (await leases.isHeld(leaseOf(collection)))) {
      this.unusedSince.delete(collection);
      return false;
    }
    const since = this.unusedSince.get(collection) ?? clock.now();
    this.unusedSince.set(collection, since);
    if (clock.now() < plus(since, after)) return false;
    // A rebuild that was paused can no longer switch to it, and the program of before begins with an empty generation.
    if (parts.generation === building) await beginGeneration(store, versioned);
    if (parts.generation === live) await switchTo(store, versioned, await beginGeneration(store, versioned));
    await dropCollection(store, collection);
    this.unusedSince.delete(collection);
    return true;
  }
}
