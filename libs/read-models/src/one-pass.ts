import type { ReadModelStore } from '#documents';
import { BEGINNING, type Checkpoint, type EventStore, type Position, type StoredEvent } from '#event-store';
import { type AnyEvent, categoryOf, type EventReader, UnreadableEvent } from '#events';
import { FoldedCollection, sizeOf, type Target } from './folded-collection.js';
import { loadCheckpoints } from './checkpoints.js';
import { recorded } from './projection.js';

/** After how many events documents are loaded and the events folded into them, and after how many they are written. */
const [CHUNK, WINDOW] = [512, 8_192];
/** How many bytes of JSON, roughly, wait to be folded, and to be written: an event of traffic may have 64 KB. */
const [CHUNK_SIZE, WINDOW_SIZE] = [2 * 1024 * 1024, 8 * 1024 * 1024];

/** What the pass works with. */
export interface PassOver {
  readonly events: EventStore;
  readonly store: ReadModelStore;
  /** Ends the pass, which then leaves what it has not written. */
  readonly signal: AbortSignal;
}

/**
 * Brings collections that are far behind up to `end` together, in one pass over the log: an event is read and decoded
 * once for all of them, and a document is loaded and written once for thousands of events. Each takes part from where it
 * stands, and gets what its own projector would have written, under the same guards (rule 24). That one goes on from
 * wherever the pass leaves the collection: at `end`, before an event that cannot be read, or where somebody else is ahead.
 * Answers those that are at `end`.
 *
 * @throws what the stores throw; what was written until then stays
 */
export const passOverLog = async <One extends Target>(
  targets: readonly One[],
  end: Position,
  { events, store, signal }: PassOver,
): Promise<readonly One[]> => {
  const names = targets.map(({ collection }) => collection);
  const stored = await loadCheckpoints(store, names);
  const behind = targets.map(
    (target) => new FoldedCollection(target, stored.get(target.collection) ?? null, end, store),
  );
  const pass = new Pass(behind);
  const leaving = new AbortController();
  const options = { after: firstOf(names.map((name) => stored.get(name) ?? null)), categories: pass.categories };
  try {
    const subscribed = events.subscribe({ ...options, signal: AbortSignal.any([signal, leaving.signal]) });
    for await (const { event, checkpoint } of subscribed) {
      if (event) pass.add(event);
      const isOver = checkpoint.position >= end;
      if (pass.hasChunk || isOver) await pass.fold();
      if (pass.hasWindow || isOver) await pass.write(checkpoint);
      if (isOver || pass.isEmpty) break;
    }
  } finally {
    leaving.abort();
  }
  return targets.filter((_, place) => (behind[place]?.position ?? BEGINNING) >= end);
};

/** The first of some places in the log; null: its beginning. */
const firstOf = (checkpoints: readonly (Checkpoint | null)[]): Checkpoint | null =>
  checkpoints.reduce((first, one) => (first && one ? (one.position < first.position ? one : first) : null));

/** The collections that are still in the pass, and the events on their way into them. */
class Pass {
  /** Who reads the events of a category, each kind of reader once. */
  private readonly readers = new Map<string, Map<EventReader<AnyEvent>, FoldedCollection[]>>();
  private chunk: StoredEvent[] = [];
  private chunkSize = 0;
  private window = { events: 0, size: 0 };

  constructor(private behind: readonly FoldedCollection[]) {
    for (const one of behind)
      for (const reader of one.from) {
        const readers = this.readers.get(reader.category) ?? new Map<EventReader<AnyEvent>, FoldedCollection[]>();
        readers.set(reader, [...(readers.get(reader) ?? []), one]);
        this.readers.set(reader.category, readers);
      }
  }

  get categories(): readonly string[] {
    return [...this.readers.keys()];
  }

  get isEmpty(): boolean {
    return this.behind.length === 0;
  }

  get hasChunk(): boolean {
    return this.chunk.length >= CHUNK || this.chunkSize >= CHUNK_SIZE;
  }

  get hasWindow(): boolean {
    return this.window.events >= WINDOW || this.window.size >= WINDOW_SIZE;
  }

  add(event: StoredEvent): void {
    this.chunk.push(event);
    this.chunkSize += sizeOf(event.data);
  }

  async fold(): Promise<void> {
    for (const stored of this.chunk)
      for (const [reader, behind] of this.readers.get(categoryOf(stored.stream)) ?? [])
        try {
          const event = recorded({ from: [reader] }, stored);
          for (const one of behind) one.add(event);
        } catch (error) {
          if (!(error instanceof UnreadableEvent)) throw error;
          this.leave(behind); // their projectors come to it, and say so
        }
    this.window.events += this.chunk.length;
    this.window.size += this.chunkSize;
    for (const one of this.behind) this.window.size += await one.fold();
    [this.chunk, this.chunkSize] = [[], 0];
  }

  /** The documents first, then the checkpoints; one after the other, so that nothing goes on after a failure. */
  async write(checkpoint: Checkpoint): Promise<void> {
    this.window = { events: 0, size: 0 };
    for (const step of [
      (one: FoldedCollection) => one.write(),
      (one: FoldedCollection) => this.reach(one, checkpoint),
    ]) {
      const overtaken: FoldedCollection[] = [];
      for (const one of this.behind) if (!(await step(one))) overtaken.push(one);
      this.leave(overtaken);
    }
  }

  private async reach(one: FoldedCollection, checkpoint: Checkpoint): Promise<boolean> {
    if (one.position !== null && one.position >= checkpoint.position) return true;
    const reached = one.reached(checkpoint);
    if (!(await one.save(reached))) return false;
    one.target.reach(reached);
    return true;
  }

  private leave(leaving: readonly FoldedCollection[]): void {
    if (leaving.length === 0) return;
    this.behind = this.behind.filter((one) => !leaving.includes(one));
    for (const readers of this.readers.values())
      for (const [reader, behind] of readers) {
        const staying = behind.filter((one) => !leaving.includes(one));
        if (staying.length > 0) readers.set(reader, staying);
        else readers.delete(reader);
      }
  }
}
