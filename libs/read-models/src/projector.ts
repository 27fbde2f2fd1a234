import type { ReadModelStore } from '#documents';
import { BEGINNING, type EventStore, type Position } from '#event-store';
import type { Cause, Clock } from '#kernel';
import { loadCheckpoints, type StoredCheckpoint } from './checkpoints.js';
import { consume, type Consumption } from './consumer.js';
import { FoldedCollection } from './folded-collection.js';
import { Member, OneReading } from './one-reading.js';
import type { Projected } from './projected.js';

/** Receives every error of a projection, or of all that are projected together. */
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

/** Receives every batch of what is new in the log after its end, for traces and metrics. */
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
  /** Where the log ends, for one that grows no more. */
  readonly end?: Position;
}

/**
 * Keeps collections up with the log (rule 24): an event is read and decoded once for all of them. One that fails, or where
 * another projector is ahead, goes on by itself. Any number of projectors may work on a collection side by side.
 */
export class Projector {
  private readonly stopping = new AbortController();
  private readonly runs: Promise<void>[] = [];

  constructor(
    private readonly models: readonly Projected[],
    private readonly parts: ProjectorParts,
  ) {}

  /** Begins to follow the log. */
  start(): void {
    if (this.runs.length === 0) this.run(this.models);
  }

  /** Finishes the batches under way. */
  async stop(): Promise<void> {
    this.stopping.abort();
    for (const run of this.runs) await run;
    for (const model of this.models) model.end(null);
  }

  private run(models: readonly Projected[]): void {
    const [first] = models;
    const name = first && models.length === 1 ? first.projection.name : 'read models';
    const consumer = { begin: () => this.begin(models), onError: (error: unknown) => this.parts.onError(name, error) };
    // A signal of its own: each that pauses listens to it.
    const signal = AbortSignal.any([this.stopping.signal]);
    this.runs.push(consume(consumer, { ...this.parts, signal }));
  }

  private async begin(models: readonly Projected[]): Promise<Consumption | null> {
    const { events, store, clock, onReached } = this.parts;
    const active = models.filter(({ failure }) => failure === null);
    if (active.length === 0) return null;
    const names = active.map(({ collection }) => collection);
    const stored = await loadCheckpoints(store, names);
    const end = this.parts.end ?? (await events.head())?.position ?? BEGINNING;
    const members = active.map((model) => {
      const { projection, collection, progress } = model;
      const reach = (checkpoint: StoredCheckpoint): void => {
        progress.reach(checkpoint);
        onReached?.(projection.name, checkpoint);
      };
      const saved = stored.get(collection) ?? null;
      progress.aimAt(saved?.goal ?? end);
      const target = { projection, collection, reach };
      return new Member(model, new FoldedCollection(target, saved, end, store, clock), this.parts);
    });
    return new OneReading(members, end, this.parts, (model) => this.run([model]));
  }
}
