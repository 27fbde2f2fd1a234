import type { AnyEvent, StreamType } from '#events';
import type { Clock, Context, Ids } from '#kernel';
import {
  answerAll,
  type CommandBatch,
  decideTogether,
  giveUp,
  type Handled,
  type PendingCommand,
  type Folded,
} from './command-batch.js';
import { AppendOutcomeUnknown, RevisionConflict, StoreUnavailable, StreamBusy } from './event-store.errors.js';
import type { Appended, EventStore } from './event-store.port.js';
import { FoldedStreams } from './folded-streams.js';
import type { Snapshots } from './snapshots.js';

export interface AggregateOptions {
  /** How many folded streams are kept. */
  readonly cached?: number;
  /** Where the states of long streams are kept; absent: nowhere. */
  readonly snapshots?: Snapshots;
  /** How long (ms) a command tries. */
  readonly patience?: number;
  /** Waits before another try; by default up to 20 ms. */
  readonly wait?: () => Promise<unknown>;
}

/** The only writer of the log (rules 12 to 16). Commands of one stream that wait are decided and appended together. */
export class Aggregates {
  private readonly streams: FoldedStreams;
  /** By stream, while one of its commands is under way: those that wait for the next append. */
  private readonly waiting = new Map<string, unknown[]>();
  private readonly patience: number;
  private readonly wait: () => Promise<unknown>;

  constructor(
    private readonly store: EventStore,
    readonly clock: Clock,
    readonly ids: Ids,
    { cached = 10_000, snapshots, patience = 5_000, wait = () => clock.pause(20) }: AggregateOptions = {},
  ) {
    this.streams = new FoldedStreams(store, { kept: cached, clock, snapshots });
    this.patience = patience;
    this.wait = wait;
  }

  /** The present state of a stream: what is cached, and its tail. @throws StoreUnavailable, StreamDamaged */
  async load<Id, State, Event>(type: StreamType<Id, State, never, Event>, id: Id): Promise<Folded<State>> {
    return this.streams.current(type.streamOf(id), type);
  }

  /** A stream as this process knows it, where that is `enough`, else as it is now: for looks before commands (rule 13). */
  async known<Id, State, Event>(
    type: StreamType<Id, State, never, Event>,
    id: Id,
    isEnough: (state: State) => boolean,
  ): Promise<Folded<State>> {
    const known = this.streams.known<State>(type.streamOf(id));
    return known && isEnough(known.state) ? known : this.load(type, id);
  }

  /** A stream as this process knows it, however long ago that was; undefined: it does not. */
  lastKnown<Id, State, Event>(type: StreamType<Id, State, never, Event>, id: Id): State | undefined {
    return this.streams.known<State>(type.streamOf(id))?.state;
  }

  /**
   * Decides `command` and appends what follows from it.
   * @throws DomainError, StreamDamaged, AppendOutcomeUnknown; StoreUnavailable, StreamBusy: nothing was written
   */
  handle<Id, State, Command, Event extends AnyEvent>(
    type: StreamType<Id, State, Command, Event>,
    id: Id,
    command: Command,
    context: Context,
  ): Promise<Handled<State, Event>> {
    const stream = type.streamOf(id);
    const deadline = this.clock.monotonic() + this.patience; // waiting for one's turn counts
    return new Promise((resolve, reject) => {
      const one: PendingCommand<State, Command, Event> = { command, context, deadline, resolve, reject };
      const others = this.waiting.get(stream);
      if (others) others.push(one);
      else void this.work(type, stream, [one]);
    });
  }

  /** As `handle`, for a stream whose id was made for this command: its first append reads nothing before (rule 13). */
  begin<Id, State, Command, Event extends AnyEvent>(
    type: StreamType<Id, State, Command, Event>,
    id: Id,
    command: Command,
    context: Context,
  ): Promise<Handled<State, Event>> {
    this.expectNew(type, id);
    return this.handle(type, id, command, context);
  }

  /** Keeps a stream that is known to be meant, but has no event yet, as others are kept: what comes is read as its tail. */
  expectNew<Id, State, Event extends AnyEvent>(type: StreamType<Id, State, never, Event>, id: Id): void {
    this.streams.expectNew(type.streamOf(id), type);
  }

  /** Answers the commands of a stream until none waits. It never throws. */
  private async work<State, Command, Event extends AnyEvent>(
    type: StreamType<never, State, Command, Event>,
    stream: string,
    waiting: PendingCommand<State, Command, Event>[],
  ): Promise<void> {
    this.waiting.set(stream, waiting);
    while (waiting.length > 0) {
      const commands = waiting.splice(0);
      try {
        waiting.unshift(...(await this.answer(type, stream, commands)));
      } catch (error) {
        for (const { reject } of commands) reject(error);
      }
    }
    this.waiting.delete(stream);
  }

  /** Decides and appends as many commands as fit into one append, and answers them. Returns the others. */
  private async answer<State, Command, Event extends AnyEvent>(
    type: StreamType<never, State, Command, Event>,
    stream: string,
    commands: readonly PendingCommand<State, Command, Event>[],
  ): Promise<readonly PendingCommand<State, Command, Event>[]> {
    let patient = this.dismissImpatient(stream, commands);
    if (patient.length === 0) return [];
    const known = this.streams.known<State>(stream);
    let folded = known ?? (await this.streams.current(stream, type));
    // A refusal or "already so" counts only on a state that was read just now, or that took an append (rule 13).
    let vouched = known === undefined;
    for (;;) {
      const batch = decideTogether(type, stream, folded, patient, this);
      const { events, decided } = batch;
      const appended = events.length > 0 ? await this.append(stream, folded.revision, batch, patient) : null;
      if (appended === 'failed') return patient.slice(decided.length);
      if (appended !== 'conflict' && (appended || vouched)) {
        this.streams.appended(stream, type, folded.revision, batch.folded);
        answerAll(batch, patient, appended?.position ?? null);
        return patient.slice(decided.length);
      }
      // What was known may long have been old: only writers that have just looked are in each other's way.
      if (appended === 'conflict' && vouched) await this.wait();
      patient = this.dismissImpatient(stream, patient);
      if (patient.length === 0) return [];
      folded = await this.streams.current(stream, type, folded);
      vouched = true;
    }
  }

  /** Sends the same bytes until the outcome is known (rule 12); 'failed': nobody has patience left, and all know. */
  private async append<State, Event>(
    stream: string,
    expectedRevision: number,
    batch: CommandBatch<State, Event>,
    commands: readonly PendingCommand<State, unknown, Event>[],
  ): Promise<Appended | 'conflict' | 'failed'> {
    let unknown: AppendOutcomeUnknown | null = null;
    for (;;) {
      try {
        return await this.store.append(stream, expectedRevision, batch.events);
      } catch (error) {
        if (error instanceof RevisionConflict) return 'conflict';
        this.streams.forget(stream);
        if (!(error instanceof AppendOutcomeUnknown)) {
          giveUp(batch, commands, error instanceof StoreUnavailable && unknown ? unknown : error, Infinity);
          return 'failed';
        }
        unknown = error;
        const now = this.clock.monotonic();
        if (giveUp(batch, commands, unknown, now)) return 'failed';
        await this.wait();
      }
    }
  }

  /** Refuses the commands that have been tried for too long, and returns the others. */
  private dismissImpatient<Command extends Pick<PendingCommand<never, never, never>, 'deadline' | 'reject'>>(
    stream: string,
    commands: readonly Command[],
  ): readonly Command[] {
    const now = this.clock.monotonic();
    return commands.filter(({ deadline, reject }) => {
      if (now < deadline) return true;
      reject(new StreamBusy(`${stream} was busy for ${this.patience} ms`));
      return false;
    });
  }
}
