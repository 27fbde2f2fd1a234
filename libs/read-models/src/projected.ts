import type { Position } from '#event-store';
import type { Clock } from '#kernel';
import { Progress } from './progress.js';
import type { Projection } from './projection.js';

/** A projection met an event that it cannot read. It does not go on: an event is never skipped. */
export class ProjectionStopped extends Error {
  override readonly name = 'ProjectionStopped';
}

/** A read model that this process keeps up with the log, in this thread or another. */
export class Projected {
  /** How far the documents stand, as far as is known here. */
  readonly progress: Progress;
  /** Why it gets no further, for good; null: it does. */
  failure: ProjectionStopped | null = null;

  constructor(
    readonly projection: Projection<object>,
    readonly collection: string,
    clock: Clock,
  ) {
    this.progress = new Progress(clock);
  }

  /** Nobody projects it any more. */
  end(failure: ProjectionStopped | null): void {
    this.failure ??= failure;
    this.progress.end();
  }

  /** Resolves when the documents hold everything up to `position`. @throws ProjectionStopped */
  async caughtUp(position: Position): Promise<void> {
    if (await this.progress.waitFor(position, null)) return;
    throw this.failure ?? new ProjectionStopped(`projection ${this.projection.name} was stopped`);
  }
}
