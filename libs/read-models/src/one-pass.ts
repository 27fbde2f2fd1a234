import type { GuardedDocument, GuardedWrite, ReadModelStore } from '#documents';
import { BEGINNING, type Checkpoint, type EventStore, type Position, type StoredEvent } from '#event-store';
import { type AnyEvent, categoryOf, type EventReader, UnreadableEvent } from '#events';
import { loadCheckpoints, saveCheckpoint, type StoredCheckpoint } from './checkpoints.js';
import { recorded, type RecordedEvent } from './projection.js';
import type { Projector } from './projector.js';

/** After how many events documents are loaded and the events folded into them, and after how many they are written. */
const [CHUNK, WINDOW] = [512, 8_192];
/** How many bytes of JSON, roughly, wait to be folded, and to be written: an event of traffic may have 64 KB. */
const [CHUNK_SIZE, WINDOW_SIZE] = [2 * 1024 * 1024, 8 * 1024 * 1024];

/** A collection, and who keeps it up with the log otherwise. */
type Target = Pick<Projector, 'projection' | 'collection' | 'reach'>;

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
  const behind = targets.map((target) => new Behind(target, stored.get(target.collection) ?? null, end, store));
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
  return targets.filter((_, place) => behind[place]?.isAtEnd);
};

/** The first of some places in the log; null: its beginning. */
const firstOf = (checkpoints: readonly (Checkpoint | null)[]): Checkpoint | null =>
  checkpoints.reduce((first, one) => (first && one ? (one.position < first.position ? one : first) : null));

/** A collection on its way, with the documents that are changed and not written yet. */
class Behind {
  private touches: (readonly [event: RecordedEvent, ids: readonly string[]])[] = [];
  private readonly documents = new Map<string, GuardedDocument>();
  /** The ids of those that the store has, and of those that are no longer as it has them. */
  private readonly stored = new Set<string>();
  private readonly changed = new Set<string>();
  private lastEvent: Position;

  constructor(
    private readonly target: Target,
    private saved: StoredCheckpoint | null,
    private readonly end: Position,
    private readonly store: ReadModelStore,
  ) {
    this.lastEvent = saved?.lastEvent ?? BEGINNING;
    if (saved) target.reach(saved);
  }

  get isAtEnd(): boolean {
    return this.saved !== null && this.saved.position >= this.end;
  }

  get from(): readonly EventReader<AnyEvent>[] {
    return this.target.projection.from;
  }

  add(event: RecordedEvent): void {
    if (this.saved && event.position <= this.saved.position) return;
    this.lastEvent = event.position;
    const ids = this.target.projection.documentsOf(event);
    if (ids.length > 0) this.touches.push([event, ids]);
  }

  /** Folds what was added into the documents; answers how large those are that it had to load. */
  async fold(): Promise<number> {
    const { touches, documents } = this;
    this.touches = [];
    const missing = new Set<string>();
    for (const [, ids] of touches) for (const id of ids) if (!documents.has(id)) missing.add(id);
    const loaded = missing.size === 0 ? [] : await this.store.getGuarded(this.target.collection, [...missing]);
    for (const document of loaded) {
      documents.set(document.id, document);
      this.stored.add(document.id);
    }
    for (const [event, ids] of touches) for (const id of ids) this.evolve(id, event);
    return loaded.reduce((size, { body }) => size + sizeOf(body), 0);
  }

  private evolve(id: string, event: RecordedEvent): void {
    const document = this.documents.get(id);
    if (document && event.position <= document.position) return;
    const body = this.target.projection.evolve(document?.body ?? null, event, id);
    this.documents.set(id, { id, body, position: event.position });
    this.changed.add(id);
  }

  /** Writes the documents; answers false where another projector is ahead. */
  async write(): Promise<boolean> {
    const writes: GuardedWrite[] = [];
    for (const id of this.changed) {
      const document = this.documents.get(id);
      if (document) writes.push({ ...document, isNew: !this.stored.has(id) });
    }
    for (const known of [this.documents, this.stored, this.changed]) known.clear();
    return writes.length === 0 || (await this.store.putGuarded(this.target.collection, writes)).length === 0;
  }

  /** Stores how far the documents are; answers false where another projector is ahead. */
  async reach(checkpoint: Checkpoint): Promise<boolean> {
    const { saved, lastEvent, end, target } = this;
    if (saved && saved.position >= checkpoint.position) return true;
    const reached = { ...checkpoint, lastEvent, goal: saved?.goal ?? end };
    if (!(await saveCheckpoint(this.store, target.collection, saved, reached))) return false;
    this.saved = reached;
    target.reach(reached);
    return true;
  }
}

/** The collections that are still in the pass, and the events on their way into them. */
class Pass {
  /** Who reads the events of a category, each kind of reader once. */
  private readonly readers = new Map<string, Map<EventReader<AnyEvent>, Behind[]>>();
  private chunk: StoredEvent[] = [];
  private chunkSize = 0;
  private window = { events: 0, size: 0 };

  constructor(private behind: readonly Behind[]) {
    for (const one of behind)
      for (const reader of one.from) {
        const readers = this.readers.get(reader.category) ?? new Map<EventReader<AnyEvent>, Behind[]>();
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

  /**
   * The documents first, and the checkpoints once they are written; one after the other, so that nothing goes on after a
   * failure.
   */
  async write(checkpoint: Checkpoint): Promise<void> {
    this.window = { events: 0, size: 0 };
    for (const step of [(one: Behind) => one.write(), (one: Behind) => one.reach(checkpoint)]) {
      const overtaken: Behind[] = [];
      for (const one of this.behind) if (!(await step(one))) overtaken.push(one);
      this.leave(overtaken);
    }
  }

  private leave(leaving: readonly Behind[]): void {
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

/** How many bytes of JSON a value has, roughly: without the names of its members. */
const sizeOf = (value: unknown): number => {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let size = 8;
  for (const member of Object.values(value)) size += sizeOf(member);
  return size;
};
