import type { ReadModelStore } from '#documents';
import { BEGINNING, type Checkpoint, type EventStore, type Position, type StoredEvent } from '#event-store';
import { type AnyEvent, UnreadableEvent } from '#events';
import type { Cause, Clock } from '#kernel';
import { batches, type Content, contentOf, withIdleness } from './batches.js';
import { loadCheckpoint, type StoredCheckpoint } from './checkpoints.js';
import { FoldedCollection } from './folded-collection.js';
import { Progress } from './progress.js';
import { type Projection, recorded } from './projection.js';

/** At most this many deliveries are handled together. */
const BATCH = 500;
/** How many documents that were written are known without loading them: those of the orders under way. */
const KNOWN = 250;
/** How often (ms) a checkpoint is stored that was reached without an event, and how soon where nothing more comes. */
const [SILENCE_SAVED_EVERY, SILENCE_SAVED_AFTER] = [5_000, 500];
/** The first and the longest wait (ms) before another try. */
const [FIRST_PAUSE, LONGEST_PAUSE] = [50, 10_000];

/** A projection met an event that it cannot read. It does not go on: an event is never skipped. */
export class ProjectionStopped extends Error {
  override readonly name = 'ProjectionStopped';
}

/** Receives every error of a projection. */
export type OnProjectionError = (projection: string, error: unknown) => void;

/** A batch of events that a projection folded, or tried to. */
export interface FoldedBatch {
  readonly projection: string;
  /** How many events it had. */
  readonly events: number;
  /** What wrote them, each once. */
  readonly causes: readonly Cause[];
  readonly outcome: 'folded' | 'overtaken' | 'failed';
  /** How long it took. */
  readonly seconds: number;
}

/** Receives every batch after its end, for traces and metrics. */
export type OnBatch = (batch: FoldedBatch) => void;

/** Hears how projectors get on. */
export interface ProjectorObserver {
  readonly onError: OnProjectionError;
  readonly onBatch?: OnBatch | undefined;
  /** The documents of a projection have got further. */
  readonly onReached?: (projection: string, checkpoint: StoredCheckpoint) => void;
}

/** What projectors work with. */
export interface ProjectorParts extends ProjectorObserver {
  readonly events: EventStore;
  readonly store: ReadModelStore;
  readonly clock: Clock;
  /** How long (ms) after a batch began the next may begin, unless it is full: what comes meanwhile is folded together. */
  readonly pace?: number;
  /** How an event is decoded: by default for this projector alone. */
  readonly read?: typeof recorded<AnyEvent>;
}

/** A sequential consumer: keeps one collection up with the log (rule 24). Any number may work on it side by side. */
export class Projector {
  /** How far the documents stand, as this projector knows. */
  readonly progress: Progress;
  private failure: ProjectionStopped | null = null;
  private readonly stopping = new AbortController();
  private running: Promise<void> | null = null;
  private failures = 0;

  constructor(
    readonly projection: Projection<object>,
    readonly collection: string,
    private readonly parts: ProjectorParts,
  ) {
    this.progress = new Progress(parts.clock);
  }

  /** Why it stopped for good; null: it did not. */
  get stoppedFor(): ProjectionStopped | null {
    return this.failure;
  }

  /** Begins to follow the log. */
  start(): void {
    this.running ??= this.run();
  }

  /** Resolves when the documents hold everything up to `position`. @throws ProjectionStopped */
  async caughtUp(position: Position): Promise<void> {
    if (await this.progress.waitFor(position, null)) return;
    throw this.failure ?? new ProjectionStopped(`projection ${this.projection.name} was stopped`);
  }

  /** Finishes the batch under way. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
    this.progress.end();
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted && !this.failure) {
      try {
        await this.follow();
        await this.parts.clock.pause(FIRST_PAUSE, this.stopping.signal); // the other projector is at work: no race
      } catch (error) {
        await this.recover(error);
      }
    }
    this.progress.end();
  }

  /** Follows the log from the stored checkpoint, until another projector turns out to be ahead of it. */
  private async follow(): Promise<void> {
    const { events: log, store, clock, pace = 0 } = this.parts;
    const leaving = new AbortController();
    const signal = AbortSignal.any([this.stopping.signal, leaving.signal]);
    const categories = this.projection.from.map(({ category }) => category);
    try {
      const saved = await loadCheckpoint(store, this.collection);
      const goal = saved?.goal ?? (await log.head())?.position ?? BEGINNING;
      this.progress.aimAt(goal);
      const folded = new FoldedCollection(this, saved, goal, store, KNOWN);
      let silence: StoredCheckpoint | null = null; // how far one reaches that is not stored yet
      let savedAt = -Infinity;
      const source = batches(log.subscribe({ after: saved, categories, signal }), BATCH);
      for await (const batch of withIdleness(source, SILENCE_SAVED_AFTER, clock)) {
        const content: Content<Checkpoint | null> = batch ? contentOf(batch) : { checkpoint: silence, events: [] };
        const { checkpoint, events } = content;
        if (!checkpoint) continue;
        const began = clock.monotonic();
        if (!(await this.project(events, folded))) return;
        const reached = folded.reached(checkpoint);
        this.reach(reached);
        const isDue = batch === null || events.length > 0 || clock.monotonic() - savedAt >= SILENCE_SAVED_EVERY;
        if (isDue && !(await folded.save(reached))) return;
        if (isDue) savedAt = clock.monotonic();
        silence = isDue ? null : reached;
        this.failures = 0;
        const early = began + pace - clock.monotonic();
        if (early > 0 && events.length > 0 && events.length < BATCH) await clock.sleep(early, this.stopping.signal);
      }
    } finally {
      leaving.abort();
    }
  }

  /** The documents hold everything up to a checkpoint: tells those who wait. */
  reach(checkpoint: StoredCheckpoint): void {
    this.progress.reach(checkpoint);
    this.parts.onReached?.(this.projection.name, checkpoint);
  }

  /** Folds events into the documents; answers false where another projector is ahead. */
  private async project(stored: readonly StoredEvent[], folded: FoldedCollection): Promise<boolean> {
    if (stored.length === 0) return true;
    const { clock, onBatch, read = recorded } = this.parts;
    const { name } = this.projection;
    const began = clock.monotonic();
    let outcome: FoldedBatch['outcome'] = 'failed';
    try {
      const events = stored.map((event) => read(this.projection, event));
      for (const event of events) folded.add(event);
      await folded.fold();
      const isFolded = await folded.write();
      outcome = isFolded ? 'folded' : 'overtaken';
      return isFolded;
    } finally {
      const seconds = (clock.monotonic() - began) / 1_000;
      onBatch?.({ projection: name, events: stored.length, causes: causesOf(stored), outcome, seconds });
    }
  }

  /** Waits before another try, ever longer; an event that cannot be read ends the projection. */
  private async recover(error: unknown): Promise<void> {
    if (this.stopping.signal.aborted) return;
    if (error instanceof UnreadableEvent) {
      const { name } = this.projection;
      const message = `projection ${name} stopped, at position ${this.progress.position}: ${error.message}`;
      this.failure = new ProjectionStopped(message, { cause: error });
    }
    this.parts.onError(this.projection.name, this.failure ?? error);
    const pause = Math.min(FIRST_PAUSE * 2 ** this.failures, LONGEST_PAUSE);
    if (!this.failure) await this.parts.clock.pause(pause, this.stopping.signal);
    this.failures += 1;
  }
}

const causesOf = (events: readonly StoredEvent[]): readonly Cause[] => {
  const causes = new Map<string, Cause>();
  for (const { metadata } of events) {
    const { $correlationId: correlationId, $causationId: causationId } = metadata;
    if (typeof correlationId !== 'string') continue; // written by another program
    causes.set(`${correlationId} ${causationId}`, { correlationId, causationId });
  }
  return [...causes.values()];
};
