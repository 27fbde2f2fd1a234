import type { GuardedDocument, GuardedWrite, ReadModelStore } from '#documents';
import { BEGINNING, type Checkpoint, type Position } from '#event-store';
import type { Clock } from '#kernel';
import type { ReachedCheckpoint, StoredCheckpoint } from './checkpoints.js';
import type { Projection, RecordedEvent } from './projection.js';

/** How many documents that were written are known without loading them: those of the orders under way. */
const KNOWN = 250;
/** How often (ms) a checkpoint is stored that was reached without an event: the last one of the log may be of no collection. */
const SILENCE_SAVED_EVERY = 100;

export interface Target {
  readonly projection: Projection<object>;
  readonly collection: string;
  readonly reach: (checkpoint: StoredCheckpoint) => void;
}

/** Documents kept up with the log by one worker, each written once (rule 24). What ends as null stays a tombstone. */
export class FoldedCollection {
  private touches: (readonly [event: RecordedEvent, ids: readonly string[]])[] = [];
  private readonly documents = new Map<string, GuardedDocument>();
  /** The ids of those that the store has, and of those that are no longer as it has them. */
  private readonly stored = new Set<string>();
  private readonly changed = new Set<string>();
  private lastEvent: Position;
  /** When the checkpoint was stored (ms, monotonic). */
  private savedAt = -Infinity;

  constructor(
    readonly target: Target,
    private saved: StoredCheckpoint | null,
    /** Where the log ended when the collection was begun. */
    private readonly end: Position,
    private readonly store: ReadModelStore,
    private readonly clock: Clock,
  ) {
    this.lastEvent = saved?.lastEvent ?? BEGINNING;
    if (saved) target.reach(saved);
  }

  /** The stored checkpoint; null: there is none. */
  get checkpoint(): Checkpoint | null {
    return this.saved;
  }

  holds(position: Position): boolean {
    return this.saved !== null && position <= this.saved.position;
  }

  add(event: RecordedEvent): void {
    if (this.holds(event.position)) return;
    this.lastEvent = event.position;
    const ids = this.target.projection.documentsOf(event);
    if (ids.length > 0) this.touches.push([event, ids]);
  }

  /** Folds what was added into the documents; returns how large those are that it had to load. */
  async fold(): Promise<number> {
    const { touches, documents } = this;
    this.touches = [];
    const missing = new Set<string>();
    for (const [event, ids] of touches)
      for (const id of ids) if (!documents.has(id) && !this.isNew(event, id)) missing.add(id);
    const loaded = missing.size === 0 ? [] : await this.store.getGuarded(this.target.collection, [...missing]);
    for (const document of loaded) {
      documents.set(document.id, document);
      this.stored.add(document.id);
    }
    for (const [event, ids] of touches) for (const id of ids) this.evolve(id, event);
    return loaded.reduce((size, { body }) => size + sizeOf(body), 0);
  }

  /** Whether a document begins with its stream, after this worker did. Where another was faster its insert says so. */
  private isNew({ id, revision, position }: RecordedEvent, document: string): boolean {
    const isOfOneKind = this.target.projection.from.length === 1;
    return isOfOneKind && id === document && revision === 0 && position > this.end;
  }

  private evolve(id: string, event: RecordedEvent): void {
    const document = this.documents.get(id);
    if (document && event.position <= document.position) return;
    const body = this.target.projection.evolve(document?.body ?? null, event, id);
    this.documents.delete(id); // it is put at the end, with those that were written last
    this.documents.set(id, { id, body, position: event.position });
    this.changed.add(id);
  }

  /** Writes the documents; answers false where another worker is ahead. */
  async write(): Promise<boolean> {
    const writes: GuardedWrite[] = [];
    for (const id of this.changed) {
      const document = this.documents.get(id);
      if (document) writes.push({ ...document, isNew: !this.stored.has(id) });
    }
    this.changed.clear();
    const ahead = writes.length === 0 ? [] : await this.store.putGuarded(this.target.collection, writes);
    for (const { id } of writes) this.stored.add(id);
    for (const id of this.documents.keys()) {
      if (this.documents.size <= KNOWN) break;
      this.documents.delete(id);
      this.stored.delete(id);
    }
    return ahead.length === 0;
  }

  /** The documents hold all up to `checkpoint`: wakes who waits. Returns what to store of that; null: nothing. */
  reach(checkpoint: Checkpoint, isDue: boolean): ReachedCheckpoint | null {
    if (this.holds(checkpoint.position)) return null;
    const reached = { ...checkpoint, lastEvent: this.lastEvent, goal: this.saved?.goal ?? this.end };
    this.target.reach(reached);
    const isLate = this.clock.monotonic() - this.savedAt >= SILENCE_SAVED_EVERY;
    return isDue || isLate ? { collection: this.target.collection, reached, isNew: this.saved === null } : null;
  }

  /** A checkpoint is stored. */
  stands(reached: StoredCheckpoint): void {
    [this.saved, this.savedAt] = [reached, this.clock.monotonic()];
  }
}

/** How many bytes of JSON a value has, roughly: without the names of its members. */
export const sizeOf = (value: unknown): number => {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let size = 8;
  for (const member of Object.values(value)) size += sizeOf(member);
  return size;
};
