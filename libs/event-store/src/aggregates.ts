import type { AnyEvent, StreamType } from '#events';
import { type Clock, type Context, DomainError, type Ids, type Instant, latest, type Stamped } from '#kernel';
import { LRUCache } from 'lru-cache';
import { CHAIN_START, encodeEvents } from './encode.js';
import { AppendOutcomeUnknown, RevisionConflict, StoreUnavailable, StreamBusy } from './event-store.errors.js';
import { type Appended, type EventStore, type EventToAppend, NO_STREAM } from './event-store.port.js';
import type { Position } from './position.js';
import { KeyedMutex } from './keyed-mutex.js';

/** A stream folded up to `revision`. */
export interface Folded<State> {
  readonly state: State;
  readonly revision: number;
  readonly hash: string;
  readonly occurredAt: Instant;
}

/** What came of a command: the events it led to (none: "already so") and the state after them. */
export interface Handled<State, Event> {
  readonly state: State;
  readonly events: readonly Event[];
  readonly revision: number;
  /** Position of the last event appended; null where none was, or the store does not tell. */
  readonly position: Position | null;
}

export interface AggregateOptions {
  /** How many folded streams are kept. */
  readonly cached?: number;
  /** How long (ms) a command tries. */
  readonly patience?: number;
  /** Waits before another try; by default up to 20 ms. */
  readonly wait?: () => Promise<unknown>;
}

/**
 * The only writer of the log: load, decide, append at the revision read, retry on conflict
 * (docs/consistency.md, rules 12 to 16). One stream is handled by one command at a time inside the process, so that writers
 * of one process do not conflict with each other.
 */
export class Aggregates {
  private readonly cache: LRUCache<string, Folded<unknown>>;
  private readonly turns = new KeyedMutex();
  /** By stream, the reading of a whole stream that is under way. */
  private readonly firstReads = new Map<string, Promise<unknown>>();
  private readonly patience: number;
  private readonly wait: () => Promise<unknown>;

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly ids: Ids,
    { cached = 10_000, patience = 5_000, wait = () => clock.pause(20) }: AggregateOptions = {},
  ) {
    this.cache = new LRUCache({ max: cached });
    this.patience = patience;
    this.wait = wait;
  }

  /**
   * The present state of a stream: what is cached, and its tail.
   *
   * @throws StoreUnavailable
   */
  async load<Id, State, Event>(type: StreamType<Id, State, never, Event>, id: Id): Promise<Folded<State>> {
    return this.current(type.streamOf(id), type);
  }

  /**
   * Decides `command` and appends what follows from it.
   *
   * @throws DomainError the decider's; StoreUnavailable or StreamBusy where nothing was written; AppendOutcomeUnknown where
   * the events may be in the log
   */
  async handle<Id, State, Command, Event extends AnyEvent>(
    type: StreamType<Id, State, Command, Event>,
    id: Id,
    command: Command,
    context: Context,
  ): Promise<Handled<State, Event>> {
    const stream = type.streamOf(id);
    const { decider } = type;
    const deadline = this.clock.monotonic() + this.patience; // waiting for one's turn counts
    return this.turns.take(stream, async () => {
      this.checkPatience(stream, deadline);
      const cached = this.cached<State>(stream);
      // A refusal or "already so" counts only on a state that the stream itself vouches for (rule 13).
      let vouched = cached === undefined;
      let folded = cached ?? (await this.current(stream, type));
      for (;;) {
        const now = latest(this.clock.now(), folded.occurredAt);
        const events = this.decide(type, { ...command, now }, folded.state, vouched);
        if (events !== 'uncertain' && events.length === 0 && vouched) {
          return { state: folded.state, events, revision: folded.revision, position: null };
        }
        if (events !== 'uncertain' && events.length > 0) {
          const encoded = encodeEvents(type, stream, folded, events, { now, context, ids: this.ids });
          const appended = await this.append(stream, folded.revision, encoded.events, deadline);
          if (appended !== 'conflict') {
            const state = events.reduce(decider.evolve, folded.state);
            this.remember(stream, { state, revision: appended.revision, hash: encoded.hash, occurredAt: now });
            return { state, events, ...appended };
          }
          await this.pause(stream, deadline);
        }
        folded = await this.readTail(stream, type, folded);
        vouched = true;
      }
    });
  }

  /** The decider's answer; 'uncertain' for a refusal on a state nobody vouches for. */
  private decide<State, Command, Event>(
    type: StreamType<never, State, Command, Event>,
    command: Stamped<Command>,
    state: State,
    vouched: boolean,
  ): readonly Event[] | 'uncertain' {
    try {
      return type.decider.decide(command, state).map((event) => type.check(event));
    } catch (error) {
      if (error instanceof DomainError && !vouched) return 'uncertain';
      throw error;
    }
  }

  /**
   * Sends the same bytes until the outcome is known (rule 12). A store that refuses them says nothing of what became of
   * those sent before.
   */
  private async append(
    stream: string,
    expectedRevision: number,
    events: readonly EventToAppend[],
    deadline: number,
  ): Promise<Appended | 'conflict'> {
    let unknown: AppendOutcomeUnknown | undefined;
    for (;;) {
      try {
        return await this.store.append(stream, expectedRevision, events);
      } catch (error) {
        if (error instanceof RevisionConflict) return 'conflict';
        this.cache.delete(stream);
        if (error instanceof StoreUnavailable) throw unknown ?? error;
        if (!(error instanceof AppendOutcomeUnknown)) throw error;
        unknown = error;
        await this.pause(stream, deadline, unknown);
      }
    }
  }

  /**
   * What is cached, and the stream's tail. Of all who find nothing cached at once, one reads the whole stream. The others
   * wait and then read what came after: what that one read may be older than what they may rely on.
   */
  private async current<State, Event>(
    stream: string,
    type: StreamType<never, State, never, Event>,
  ): Promise<Folded<State>> {
    await this.firstReads.get(stream);
    const cached = this.cached<State>(stream);
    const current = this.readTail(stream, type, cached ?? beginningOf(type.decider));
    if (!cached) {
      const ended = current.then(nothing, nothing);
      this.firstReads.set(stream, ended);
      await ended;
      if (this.firstReads.get(stream) === ended) this.firstReads.delete(stream);
    }
    return current;
  }

  private async readTail<State, Event>(
    stream: string,
    streamType: StreamType<never, State, never, Event>,
    folded: Folded<State>,
  ): Promise<Folded<State>> {
    let { state, revision, hash, occurredAt } = folded;
    for await (const stored of this.store.readStream(stream, revision + 1)) {
      state = streamType.decider.evolve(state, streamType.decode(stored));
      ({ revision } = stored);
      ({ hash, occurredAt } = stored.metadata);
    }
    const current = { state, revision, hash, occurredAt };
    if (revision > NO_STREAM) this.remember(stream, current);
    return current;
  }

  private cached<State>(stream: string): Folded<State> | undefined {
    // A stream is only ever folded by the decider of its own type.
    return this.cache.get(stream) as Folded<State> | undefined;
  }

  private remember(stream: string, folded: Folded<unknown>): void {
    const known = this.cache.get(stream);
    if (!known || known.revision < folded.revision) this.cache.set(stream, folded);
  }

  /** A short, jittered wait before another try. @throws past the deadline, `unknown` where it is given */
  private async pause(stream: string, deadline: number, unknown?: AppendOutcomeUnknown): Promise<void> {
    this.checkPatience(stream, deadline, unknown);
    await this.wait();
  }

  private checkPatience(stream: string, deadline: number, unknown?: AppendOutcomeUnknown): void {
    if (this.clock.monotonic() < deadline) return;
    throw unknown ?? new StreamBusy(`${stream} was busy for ${this.patience} ms`);
  }
}

const nothing = (): void => undefined;

const beginningOf = <State>(decider: { initialState: () => State }): Folded<State> => ({
  state: decider.initialState(),
  revision: NO_STREAM,
  hash: CHAIN_START,
  occurredAt: '',
});
