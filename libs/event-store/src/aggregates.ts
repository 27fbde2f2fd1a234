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
import { Turns } from './turns.js';

export interface AggregateOptions {
  /** How many folded streams are kept. */
  readonly cached?: number;
  /** Where the states of long streams are kept; absent: nowhere. */
  readonly snapshots?: Snapshots;
  /** How long (ms) a command tries. */
  readonly patience?: number;
  /** Waits for so long (ms) at most. */
  readonly wait?: (milliseconds: number) => Promise<unknown>;
}

/** The only writer of the log (rules 12 to 16). Commands of one stream that wait are decided and appended together. */
export class Aggregates {
  private readonly streams: FoldedStreams;
  /** By stream, while one of its commands is under way: those that wait for the next append. */
  private readonly waiting = new Map<string, unknown[]>();
  private readonly turns: Turns;
  private readonly patience: number;
  private readonly wait: (milliseconds: number) => Promise<unknown>;

  constructor(
    private readonly store: EventStore,
    readonly clock: Clock,
    readonly ids: Ids,
    {
      cached = 10_000,
      snapshots,
      patience = 5_000,
      wait = (milliseconds) => clock.pause(milliseconds),
    }: AggregateOptions = {},
  ) {
    this.streams = new FoldedStreams(store, { kept: cached, clock, snapshots });
    this.turns = new Turns(clock, patience);
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
      const rest = this.turns.restIn(stream);
      if (rest > 0) await this.wait(rest);
      const commands = waiting.splice(0);
      try {
        waiting.unshift(...(await this.answer(type, stream, commands, waiting)));
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
    commands: PendingCommand<State, Command, Event>[],
    waiting: PendingCommand<State, Command, Event>[],
  ): Promise<readonly PendingCommand<State, Command, Event>[]> {
    let known = this.streams.known<State>(stream);
    // A refusal or "already so" counts only on a state that was read just now, or that took an append (rule 13).
    for (let isRead = !known || this.turns.isShared(stream); ; isRead = true) {
      const patient = this.dismissImpatient(stream, commands);
      if (patient.length === 0) return [];
      const began = this.clock.monotonic();
      const folded = known && !isRead ? known : await this.streams.current(stream, type, known);
      if (known && folded.revision > known.revision) this.turns.othersAppended(stream);
      const batch = decideTogether(type, stream, folded, patient, this);
      const { events, decided } = batch;
      const appended = events.length > 0 ? await this.append(stream, folded.revision, batch, patient) : null;
      if (appended === 'failed') return patient.slice(decided.length);
      if (appended !== 'conflict' && (appended || isRead)) {
        this.streams.appended(stream, type, folded.revision, batch.folded);
        // Where the store knows by itself how a stream ends, nobody else appends.
        const hasRivals = appended && !this.store.endsAt(stream, batch.folded.revision);
        if (hasRivals) this.turns.appended(stream, began, isRead);
        answerAll(batch, patient, appended?.position ?? null);
        return patient.slice(decided.length);
      }
      known = folded;
      commands.push(...waiting.splice(0)); // all that wait by now have this turn together
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
        await this.wait(20);
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
