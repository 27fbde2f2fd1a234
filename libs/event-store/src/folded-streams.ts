import type { StreamType } from '#events';
import type { Instant } from '#kernel';
import { LRUCache } from 'lru-cache';
import { CHAIN_START } from './encode.js';
import { type EventStore, NO_STREAM } from './event-store.port.js';

/** A stream folded up to `revision`. */
export interface Folded<State> {
  readonly state: State;
  readonly revision: number;
  readonly hash: string;
  readonly occurredAt: Instant;
}

/** Streams as they were folded last. A stream is only ever folded by the decider of its own type. */
export class FoldedStreams {
  private readonly cache: LRUCache<string, Folded<unknown>>;
  /** By stream, the reading of a whole stream that is under way. */
  private readonly firstReads = new Map<string, Promise<unknown>>();

  /** `kept`: how many streams are kept, the ones used last. */
  constructor(
    private readonly store: EventStore,
    kept: number,
  ) {
    this.cache = new LRUCache({ max: kept });
  }

  /** A stream as it was when it was folded last; undefined where it is not kept. */
  known<State>(stream: string): Folded<State> | undefined {
    return this.cache.get(stream) as Folded<State> | undefined;
  }

  /**
   * What is kept, and the stream's tail. Of all who find nothing kept at once, one reads the whole stream. The others
   * wait and then read what came after: what that one read may be older than what they may rely on.
   *
   * @throws StoreUnavailable
   */
  async current<State, Event>(stream: string, type: StreamType<never, State, never, Event>): Promise<Folded<State>> {
    await this.firstReads.get(stream);
    const known = this.known<State>(stream);
    const current = this.readOn(stream, type, known ?? beginningOf(type.decider));
    if (!known) {
      const ended = current.then(nothing, nothing);
      this.firstReads.set(stream, ended);
      await ended;
      if (this.firstReads.get(stream) === ended) this.firstReads.delete(stream);
    }
    return current;
  }

  /** A stream with what was appended since it was folded. @throws StoreUnavailable */
  async readOn<State, Event>(
    stream: string,
    type: StreamType<never, State, never, Event>,
    folded: Folded<State>,
  ): Promise<Folded<State>> {
    let { state, revision, hash, occurredAt } = folded;
    for await (const stored of this.store.readStream(stream, revision + 1)) {
      state = type.decider.evolve(state, type.decode(stored));
      ({ revision } = stored);
      ({ hash, occurredAt } = stored.metadata);
    }
    const current = { state, revision, hash, occurredAt };
    if (revision > NO_STREAM) this.keep(stream, current);
    return current;
  }

  /** Keeps a stream, unless a later state of it is kept already. */
  keep(stream: string, folded: Folded<unknown>): void {
    const known = this.cache.get(stream);
    if (!known || known.revision < folded.revision) this.cache.set(stream, folded);
  }

  /** Forgets a stream of which it is unknown how it goes on. */
  forget(stream: string): void {
    this.cache.delete(stream);
  }
}

const nothing = (): void => undefined;

const beginningOf = <State>(decider: { initialState: () => State }): Folded<State> => ({
  state: decider.initialState(),
  revision: NO_STREAM,
  hash: CHAIN_START,
  occurredAt: '',
});
