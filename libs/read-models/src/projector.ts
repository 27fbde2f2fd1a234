import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadModelStore } from '#documents';
import { BEGINNING, type Checkpoint, type EventStore, type Position, type StoredEvent } from '#event-store';
import { UnreadableEvent } from '#events';
import { type BatchInstrumentation, UNINSTRUMENTED } from './batch-instrumentation.js';
import { batches } from './batches.js';
import { loadCheckpoint, saveCheckpoint, type StoredCheckpoint } from './checkpoints.js';
import { type Content, contentOf } from './content-of.js';
import { Progress } from './progress.js';
import { projectEvents } from './project-events.js';
import { type Projection, recorded } from './projection.js';
import { withIdleness } from './with-idleness.js';

/** At most this many deliveries are handled together. */
const BATCH = 500;
/** How often (ms) a checkpoint is stored that was reached without an event, and how soon where nothing more comes. */
const [SILENCE_SAVED_EVERY, SILENCE_SAVED_AFTER] = [5_000, 500];
/** The first and the longest wait (ms) before another try. */
const [FIRST_PAUSE, LONGEST_PAUSE] = [50, 10_000];

/** A projection met an event that it cannot read. It does not go on: an event is never skipped. */
export class ProjectionStopped extends Error {
  override readonly name = 'ProjectionStopped';
}

/** Told of everything that went wrong in a projection. */
export type OnProjectionError = (projection: string, error: unknown) => void;

/**
 * One sequential consumer: keeps the documents of one collection up with the log (rule 24). Any number may work on one
 * collection side by side; what one of them does not manage, a later try does.
 */
export class Projector {
  /** How far the documents stand, as this projector knows. */
  readonly progress = new Progress();
  private failure: ProjectionStopped | null = null;
  private readonly stopping = new AbortController();
  private running: Promise<void> | null = null;
  private failures = 0;

  constructor(
    readonly projection: Projection<object>,
    readonly collection: string,
    private readonly events: EventStore,
    private readonly store: ReadModelStore,
    private readonly onError: OnProjectionError,
    private readonly watch: BatchInstrumentation = UNINSTRUMENTED,
  ) {}

  /** Why it stopped for good; null: it did not. */
  get stoppedFor(): ProjectionStopped | null {
    return this.failure;
  }

  /** Begins to follow the log. */
  start(): void {
    this.running ??= this.run();
  }

  /**
   * Resolves when the documents hold everything up to `position`.
   *
   * @throws ProjectionStopped
   */
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
        await this.pause(FIRST_PAUSE); // the other one is at work: no race
      } catch (error) {
        await this.recover(error);
      }
    }
    this.progress.end();
  }

  /** Follows the log from the stored checkpoint, until another projector turns out to be ahead of it. */
  private async follow(): Promise<void> {
    const leaving = new AbortController();
    const signal = AbortSignal.any([this.stopping.signal, leaving.signal]);
    const categories = this.projection.from.map(({ category }) => category);
    try {
      let saved = await loadCheckpoint(this.store, this.collection);
      if (saved) this.progress.reach(saved);
      let silence: StoredCheckpoint | null = null; // how far one reaches that is not stored yet
      let savedAt = -Infinity;
      const source = batches(this.events.subscribe({ after: saved, categories, signal }), BATCH);
      for await (const batch of withIdleness(source, SILENCE_SAVED_AFTER)) {
        const content: Content<Checkpoint | null> = batch ? contentOf(batch) : { checkpoint: silence, events: [] };
        const { checkpoint, events } = content;
        if (!checkpoint) continue;
        if (!(await this.project(events))) return;
        this.progress.reach(checkpoint);
        const lastEvent: Position = events.at(-1)?.position ?? saved?.lastEvent ?? BEGINNING;
        const reached: StoredCheckpoint = { ...checkpoint, lastEvent };
        const isDue = batch === null || events.length > 0 || performance.now() - savedAt >= SILENCE_SAVED_EVERY;
        if (isDue && !(await saveCheckpoint(this.store, this.collection, saved, reached))) return;
        if (isDue) [saved, savedAt] = [reached, performance.now()];
        silence = isDue ? null : reached;
        this.failures = 0;
      }
    } finally {
      leaving.abort();
    }
  }

  /** Folds events into the documents; answers false where another projector is ahead. */
  private async project(stored: readonly StoredEvent[]): Promise<boolean> {
    if (stored.length === 0) return true;
    const fold = () =>
      projectEvents(
        this.store,
        this.collection,
        this.projection,
        stored.map((event) => recorded(this.projection, event)),
      );
    return this.watch(this.projection.name, stored, fold);
  }

  /** Waits before another try, ever longer; an event that cannot be read ends the projection. */
  private async recover(error: unknown): Promise<void> {
    if (this.stopping.signal.aborted) return;
    if (error instanceof UnreadableEvent) {
      const { name } = this.projection;
      const message = `projection ${name} stopped, at position ${this.progress.position}: ${error.message}`;
      this.failure = new ProjectionStopped(message, { cause: error });
    }
    this.onError(this.projection.name, this.failure ?? error);
    if (!this.failure) await this.pause(Math.min(FIRST_PAUSE * 2 ** this.failures, LONGEST_PAUSE));
    this.failures += 1;
  }

  /** Waits half of `milliseconds` to all of it; not at all once it is to stop. */
  private async pause(milliseconds: number): Promise<void> {
    const jittered = milliseconds * (0.5 + Math.random() / 2);
    await sleep(jittered, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }
}
