import type { GuardedDocument, GuardedWrite, ReadModelStore } from '#documents';
import { BEGINNING, type Checkpoint, type Position } from '#event-store';
import type { AnyEvent, EventReader } from '#events';
import { saveCheckpoint, type StoredCheckpoint } from './checkpoints.js';
import type { RecordedEvent } from './projection.js';
import type { Projector } from './projector.js';

/** A collection, and who keeps it up with the log otherwise. */
export type Target = Pick<Projector, 'projection' | 'collection' | 'reach'>;

/** A collection on its way to `end`, with the documents that are changed and not written yet: its part of a pass (one-pass.ts). */
export class Behind {
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

/** How many bytes of JSON a value has, roughly: without the names of its members. */
export const sizeOf = (value: unknown): number => {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let size = 8;
  for (const member of Object.values(value)) size += sizeOf(member);
  return size;
};
