import type { StreamType } from '#events';
import { type Clock, type Decider, TimeSlices, upTo } from '#kernel';
import { LRUCache } from 'lru-cache';
import type { Folded } from './command-batch.js';
import { CHAIN_START, checkChained } from './stored-event.js';
import { type EventStore, NO_STREAM, type StoredEvent } from './event-store.port.js';
import { SNAPSHOT_EVERY, type Snapshots } from './snapshots.js';

const beginningOf = <State>(decider: Pick<Decider<State, never, never>, 'initialState'>): Folded<State> => ({
  state: decider.initialState(),
  revision: NO_STREAM,
  hash: CHAIN_START,
  occurredAt: '',
});

const later = <State>(one?: Folded<State>, other?: Folded<State>): Folded<State> | undefined =>
  one && other ? (one.revision < other.revision ? other : one) : (one ?? other);

/** A reading of a stream that is under way, and the next one, for those who came too late to rely on the first. */
interface Reading {
  readonly folded: Promise<Folded<unknown>>;
  next: Promise<Folded<unknown>> | null;
}

export interface FoldedStreamsOptions {
  /** How many streams are kept, the ones used last. */
  readonly kept: number;
  readonly clock: Clock;
  /** Absent: every stream that is not kept is folded from its beginning. */
  readonly snapshots?: Snapshots | undefined;
}

/** Streams as they were folded last. A stream is only ever folded by the decider of its own type: hence the casts. */
export class FoldedStreams {
  private readonly cache: LRUCache<string, Folded<unknown>>;
  private readonly readings = new Map<string, Reading>();
  private readonly snapshots: Snapshots | undefined;
  /** Of all that is folded here: long streams must not stop the loop. */
  private readonly slices: TimeSlices;

  constructor(
    private readonly store: EventStore,
    { kept, clock, snapshots }: FoldedStreamsOptions,
  ) {
    this.cache = new LRUCache(upTo(kept));
    this.snapshots = snapshots;
    this.slices = new TimeSlices(clock);
  }

  /** A stream as it was when it was folded last; undefined where it is not kept. */
  known<State>(stream: string): Folded<State> | undefined {
    return this.cache.get(stream) as Folded<State> | undefined;
  }

  /**
   * What is kept, or where that is later `from`, and the stream's tail. Calls during a reading share the next,
   * since what is being read may be older than what they may rely on. @throws StoreUnavailable, StreamDamaged
   */
  async current<State, Event>(
    stream: string,
    type: StreamType<never, State, never, Event>,
    from?: Folded<State>,
  ): Promise<Folded<State>> {
    const known = later(this.known<State>(stream), from);
    if (known && this.store.endsAt(stream, known.revision)) return known;
    const reading = this.readings.get(stream);
    if (!reading) return this.read(stream, type, known);
    reading.next ??= reading.folded.then(
      (folded) => this.read(stream, type, later(this.known<State>(stream), folded as Folded<State>)),
      () => this.read(stream, type, this.known(stream)),
    );
    return reading.next as Promise<Folded<State>>;
  }

  private async read<State, Event>(
    stream: string,
    type: StreamType<never, State, never, Event>,
    known?: Folded<State>,
  ): Promise<Folded<State>> {
    const folded = this.fold(stream, type, known);
    const reading: Reading = { folded, next: null };
    this.readings.set(stream, reading);
    try {
      return await folded;
    } finally {
      if (!reading.next) this.readings.delete(stream);
    }
  }

  /** Keeps a stream as an append of this process left it, which began after `revision`. */
  appended<State, Event>(
    stream: string,
    type: StreamType<never, State, never, Event>,
    revision: number,
    folded: Folded<State>,
  ): void {
    this.keep(stream, folded);
    const passed = Math.floor((folded.revision + 1) / SNAPSHOT_EVERY) - Math.floor((revision + 1) / SNAPSHOT_EVERY);
    if (passed > 0) this.leaveSnapshot(stream, type, folded);
  }

  /** Takes a stream of which nothing is known for one without events. */
  expectNew(stream: string, { decider }: { readonly decider: { initialState: () => unknown } }): void {
    if (!this.cache.has(stream)) this.cache.set(stream, beginningOf(decider));
  }

  /** Forgets a stream of which it is unknown how it goes on. */
  forget(stream: string): void {
    this.cache.delete(stream);
  }

  /** Keeps a stream, unless a later state of it is kept already. */
  private keep(stream: string, folded: Folded<unknown>): void {
    const known = this.cache.get(stream);
    if (!known || known.revision < folded.revision) this.cache.set(stream, folded);
  }

  /** The whole stream: from where it is known, from its snapshot, or from its beginning. */
  private async fold<State, Event>(
    stream: string,
    type: StreamType<never, State, never, Event>,
    known?: Folded<State>,
  ): Promise<Folded<State>> {
    const snapshot = known ? null : await this.fromSnapshot(stream, type);
    const start = known ?? snapshot?.start ?? beginningOf(type.decider);
    const current = await this.foldOn(
      stream,
      type,
      start,
      snapshot?.events ?? this.store.readStream(stream, start.revision + 1),
    );
    if (current.revision > NO_STREAM) this.keep(stream, current);
    const isFar = current.revision - start.revision >= SNAPSHOT_EVERY;
    if (isFar) this.leaveSnapshot(stream, type, current);
    return current;
  }

  private leaveSnapshot(
    stream: string,
    { snapshotVersion }: { readonly snapshotVersion: number | null },
    folded: Folded<unknown>,
  ): void {
    if (snapshotVersion !== null) this.snapshots?.write(stream, snapshotVersion, folded);
  }

  /** The last snapshot and what came after it; null where there is none of the stream as it is in this log. */
  private async fromSnapshot<State, Event>(
    stream: string,
    { snapshotVersion }: StreamType<never, State, never, Event>,
  ): Promise<{ readonly start: Folded<State>; readonly events: AsyncIterable<StoredEvent> } | null> {
    const start = snapshotVersion === null ? null : await this.snapshots?.find<State>(stream, snapshotVersion);
    if (!start) return null;
    const events = this.store.readStream(stream, start.revision)[Symbol.asyncIterator]();
    const last = await events.next();
    if (!last.done && last.value.metadata.hash === start.hash) {
      return { start, events: { [Symbol.asyncIterator]: () => events } };
    }
    await events.return?.();
    return null;
  }

  /** Nothing is folded that is not the next event of the chain. */
  private async foldOn<State, Event>(
    stream: string,
    type: StreamType<never, State, never, Event>,
    start: Folded<State>,
    events: AsyncIterable<StoredEvent>,
  ): Promise<Folded<State>> {
    let { state, revision, hash, occurredAt } = start;
    for await (const stored of events) {
      while (this.slices.isOver()) await this.slices.next();
      checkChained(stream, { revision, hash }, stored);
      state = type.decider.evolve(state, type.decode(stored));
      ({ revision } = stored);
      ({ hash, occurredAt } = stored.metadata);
    }
    return { state, revision, hash, occurredAt };
  }
}
