import type { ReadModelStore } from '#documents';
import type { EventStore, Position } from '#event-store';
import type { Cause, Clock } from '#kernel';
import type { StoredCheckpoint } from './checkpoints.js';
import type { Pace } from './consumer.js';
import { Progress } from './progress.js';
import type { Projection } from './projection.js';

/** Receives every error of a projection, or of all that are projected together. */
export type OnProjectionError = (projection: string, error: unknown) => void;

export interface FoldedBatch {
  readonly projection: string;
  readonly events: number;
  /** What wrote them, each once. */
  readonly causes: readonly Cause[];
  readonly outcome: 'folded' | 'overtaken' | 'failed';
  readonly seconds: number;
}

/** Receives every batch of what is new in the log after its end, for traces and metrics. */
export type OnBatch = (batch: FoldedBatch) => void;

export interface ProjectorObserver {
  readonly onError: OnProjectionError;
  readonly onBatch?: OnBatch | undefined;
  /** The documents of a projection have got further. */
  readonly onReached?: (projection: string, checkpoint: StoredCheckpoint) => void;
}

export interface ProjectorParts extends ProjectorObserver {
  readonly events: EventStore;
  readonly store: ReadModelStore;
  readonly clock: Clock;
  readonly pace?: Pace;
  /** Where the log ends, for one that grows no more. */
  readonly end?: Position;
}

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
