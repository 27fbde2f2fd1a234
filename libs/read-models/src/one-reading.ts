import { type Checkpoint, type Delivery, type Position, type StoredEvent } from '#event-store';
import { type AnyEvent, categoryOf, type EventReader, UnreadableEvent } from '#events';
import type { Cause } from '#kernel';
import type { Batch } from './batches.js';
import type { Consumption, Taken } from './consumer.js';
import { type ReachedCheckpoint, saveCheckpoints } from './checkpoints.js';
import { type FoldedCollection, sizeOf } from './folded-collection.js';
import { type FoldedBatch, type Projected, ProjectionStopped, type ProjectorParts } from './projected.js';
import { recorded, type RecordedEvent } from './projection.js';

/** Of what the log held before, documents are written after so many events, or so many bytes of JSON, roughly. */
const [WINDOW, WINDOW_SIZE] = [8_192, 8 * 1024 * 1024];

/** A collection that is projected with others, in one reading of the log. */
export class Member {
  /** What came for it and is not written, where somebody hears of that. */
  private events: StoredEvent[] = [];
  /** Why it takes no further event, and up to where it took all. */
  private broken: { readonly error: unknown; readonly upTo: Checkpoint | null } | null = null;

  constructor(
    readonly model: Projected,
    readonly folded: FoldedCollection,
    private readonly parts: ProjectorParts,
  ) {}

  get name(): string {
    return this.model.projection.name;
  }

  /** `upTo`: where the log was read up to before this event. */
  add(stored: StoredEvent, event: RecordedEvent | Error, upTo: Checkpoint | null): void {
    if (this.broken || this.folded.holds(stored.position)) return;
    try {
      if (event instanceof Error) throw event;
      this.folded.add(event);
      if (this.parts.onBatch) this.events.push(stored);
    } catch (error) {
      this.broken = { error, upTo };
    }
  }

  /** Folds what was added; returns how large the documents are that were loaded for it. */
  async fold(): Promise<number> {
    this.events = [];
    try {
      return await this.folded.fold();
    } catch (error) {
      this.broken = { error, upTo: null };
      return 0;
    }
  }

  /** Reports its position, now that its documents are written; returns what is to be stored of that, null: nothing. */
  reach(checkpoint: Checkpoint | null, isDue: boolean): ReachedCheckpoint | null {
    const { folded, broken } = this;
    const upTo = broken ? broken.upTo : checkpoint;
    return upTo && folded.reach(upTo, isDue || broken !== null);
  }

  /** Why it goes no further, at an event that it cannot read; null: it goes on. */
  ending(): ProjectionStopped | null {
    return this.broken && this.stop(this.broken.error);
  }

  /** Writes what was added; answers false where another projector is ahead. */
  async write(): Promise<boolean> {
    const { events, folded, broken } = this;
    const { clock, onBatch } = this.parts;
    this.events = [];
    const began = clock.monotonic();
    let outcome: FoldedBatch['outcome'] = 'failed';
    try {
      if (broken && !(broken.error instanceof UnreadableEvent)) throw broken.error;
      await folded.fold();
      const isWritten = await folded.write();
      outcome = isWritten ? 'folded' : 'overtaken';
      return isWritten;
    } finally {
      const seconds = (clock.monotonic() - began) / 1_000;
      if (events.length > 0)
        onBatch?.({ projection: this.name, events: events.length, causes: causesOf(events), outcome, seconds });
    }
  }

  private stop(error: unknown): ProjectionStopped {
    const { name, model } = this;
    const { message } = error as UnreadableEvent;
    const at = `projection ${name} stopped, at position ${model.progress.position}`;
    const failure = new ProjectionStopped(`${at}: ${message}`, { cause: error });
    model.end(failure);
    return failure;
  }
}

/** Reads the log once for some collections, from where the first of them stands. */
export class OneReading implements Consumption {
  readonly after: Checkpoint | null;
  readonly categories: readonly string[];
  /** Who reads the events of a category, each kind of reader once. */
  private readonly readers = new Map<string, Map<EventReader<AnyEvent>, Member[]>>();
  /** Up to where everything was added. */
  private checkpoint: Checkpoint | null = null;
  private window = { events: 0, size: 0 };
  /** Whether it read an event since it was stored how far all are. */
  private hasEvents = false;

  constructor(
    private members: readonly Member[],
    /** Where the log ended at the beginning. */
    private readonly end: Position,
    private readonly parts: ProjectorParts,
    /** Lets a collection go on without the others. */
    private readonly goOnAlone: (model: Projected) => void,
  ) {
    this.after = members
      .map(({ folded }) => folded.checkpoint)
      .reduce((first, one) => (first && one ? (one.position < first.position ? one : first) : null));
    for (const member of members)
      for (const reader of member.model.projection.from) {
        const readers = this.readers.get(reader.category) ?? new Map<EventReader<AnyEvent>, Member[]>();
        readers.set(reader, [...(readers.get(reader) ?? []), member]);
        this.readers.set(reader.category, readers);
      }
    this.categories = [...this.readers.keys()];
  }

  async take(batch: Batch<Delivery> | null): Promise<Taken> {
    for (const delivery of batch ?? []) this.add(delivery);
    if (batch && this.isBehind && this.window.events < WINDOW && this.window.size < WINDOW_SIZE) {
      for (const one of this.members) this.window.size += await one.fold();
      return 'waits';
    }
    this.window = { events: 0, size: 0 };
    return (await this.settle(batch === null)) ? 'stored' : 'overtaken';
  }

  /** Whether the log held more when it was begun. */
  private get isBehind(): boolean {
    return this.checkpoint !== null && this.checkpoint.position < this.end;
  }

  private add({ event: stored, checkpoint }: Delivery): void {
    const readers = stored && this.readers.get(categoryOf(stored.stream));
    this.hasEvents ||= stored !== null;
    if (readers) {
      if (this.isBehind) {
        this.window.events += 1;
        this.window.size += sizeOf(stored.data);
      }
      for (const [reader, members] of readers) {
        const event = readBy(reader, stored);
        for (const member of members) member.add(stored, event, this.checkpoint);
      }
    }
    this.checkpoint = checkpoint;
  }

  /** What is to be stored of how far a collection is, once its documents are written; null: another projector is ahead. */
  private async written(
    member: Member,
    isDue: boolean,
  ): Promise<{ readonly checkpoint: ReachedCheckpoint | null } | null> {
    return (await member.write()) ? { checkpoint: member.reach(this.checkpoint, isDue) } : null;
  }

  /** Each by itself: one that fails stops no other. The documents of all are written before how far they are. */
  private async settle(isLast: boolean): Promise<boolean> {
    const isDue = isLast || this.hasEvents;
    this.hasEvents = false;
    const settled = await Promise.allSettled(this.members.map((member) => this.written(member, isDue)));
    const ahead = await saveCheckpoints(
      this.parts.store,
      settled.flatMap((one) => (one.status === 'fulfilled' && one.value?.checkpoint) || []),
    );
    const staying: Member[] = [];
    const leaving: { readonly member: Member; readonly error: unknown }[] = [];
    for (const [place, member] of this.members.entries()) {
      const one = settled[place];
      const written = one?.status === 'fulfilled' ? one.value : null;
      const { checkpoint = null } = written ?? {};
      const isFirst = written !== null && !ahead.includes(checkpoint?.collection ?? '');
      if (isFirst && checkpoint) member.folded.stands(checkpoint.reached);
      const error: unknown = one?.status === 'rejected' ? one.reason : isFirst ? member.ending() : null;
      if (isFirst && error === null) staying.push(member);
      else leaving.push({ member, error });
    }
    if (leaving.length === 0) return true;
    const trying = leaving.filter(({ member }) => member.model.failure === null);
    const [failed] = trying.filter(({ error }) => error !== null);
    if (failed && staying.length === 0 && trying.length === leaving.length) throw failed.error;
    for (const { member, error } of leaving) if (error !== null) this.parts.onError(member.name, error);
    if (staying.length === 0) return false;
    for (const { member } of trying) this.goOnAlone(member.model);
    this.members = staying;
    for (const readers of this.readers.values())
      for (const [reader, members] of readers)
        readers.set(
          reader,
          members.filter((one) => staying.includes(one)),
        );
    return true;
  }
}

const readBy = (reader: EventReader<AnyEvent>, stored: StoredEvent): RecordedEvent | Error => {
  try {
    return recorded({ from: [reader] }, stored);
  } catch (error) {
    return error instanceof Error ? error : new Error('an event was not read', { cause: error });
  }
};

const causesOf = (events: readonly StoredEvent[]): readonly Cause[] => {
  const causes = new Map<string, Cause>();
  for (const { metadata } of events) {
    const { $correlationId: correlationId, $causationId: causationId } = metadata;
    if (typeof correlationId !== 'string') continue; // written by another program
    causes.set(`${correlationId} ${causationId}`, { correlationId, causationId });
  }
  return [...causes.values()];
};
