import type { Position } from '#event-store';
import { DomainError } from '#kernel';
import { Progress } from './progress.js';
import type { Projection } from './projection.js';

/**
 * How long (ms) an answer of the store, which collection is read, may be relied on. A rebuild waits longer than that
 * before it drops the collection of before (`REBUILD_GRACE`), so that nobody reads one that is no more.
 */
export const RELIED_ON = 5_000;

/** A read model that other processes keep up with the log, as this one knows it. */
export class Followed {
  readonly progress = new Progress();
  private askedAt = performance.now();

  constructor(
    readonly projection: Projection<object>,
    /** The collection last heard of, however long ago. */
    public heardOf: string,
  ) {}

  /** @throws DomainError `service_unavailable` where the store has not answered for too long. */
  get collection(): string {
    if (performance.now() - this.askedAt > RELIED_ON) throw new DomainError('service_unavailable');
    return this.heardOf;
  }

  /** Takes the store's word for it; `askedAt`: when it was asked, by `performance.now()`. */
  hear(collection: string, askedAt: number): void {
    [this.heardOf, this.askedAt] = [collection, askedAt];
  }

  /** Resolves when the documents hold everything up to `position`. */
  async caughtUp(position: Position): Promise<void> {
    if (await this.progress.waitFor(position, null)) return;
    throw new Error(`the read model ${this.projection.name} is no longer followed`);
  }
}
