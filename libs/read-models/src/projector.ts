import { BEGINNING } from '#event-store';
import { loadCheckpoints, type StoredCheckpoint } from './checkpoints.js';
import { consume, type Consumption } from './consumer.js';
import { FoldedCollection } from './folded-collection.js';
import { Member, OneReading } from './one-reading.js';
import type { Projected, ProjectorParts } from './projected.js';

/** Keeps collections up with one reading of the log (rule 24); one that fails goes on by itself. Any number may work side by side. */
export class Projector {
  private readonly stopping = new AbortController();
  private readonly runs: Promise<void>[] = [];

  constructor(
    private readonly models: readonly Projected[],
    private readonly parts: ProjectorParts,
  ) {}

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
