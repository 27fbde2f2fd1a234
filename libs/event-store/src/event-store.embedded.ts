import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { categoryOf } from '#events';
import { SystemClock, TimeSlices, within, upTo } from '#kernel';
import { type CommitListener, OutcomeUnknown, SqliteFile } from '#sqlite';
import type { EventLogWrites, Written } from './event-log.program.embedded.js';
import { eventOf, type EventRows, eventRows, PAGE } from './event-rows.embedded.js';
import { AppendOutcomeUnknown, RevisionConflict, StoreUnavailable } from './event-store.errors.js';
import {
  type Appended,
  type Delivery,
  EventStore,
  type EventToAppend,
  type StoredEvent,
  type SubscriptionOptions,
} from './event-store.port.js';
import type { HashedPlaces, RawEvent } from './log-scan.port.js';
import { follow, LogTail, placeOf } from './log-tail.embedded.js';
import { type Checkpoint, positionOf } from './stored-event.js';

/** Of how many streams the end is known: as many as are kept folded. */
const STREAMS = 10_000;

/** The ends of the streams that this process appended to or read last: nobody else appends, so the file need not be asked. */
export class StreamEnds {
  /** The last revision, by stream; `NO_STREAM`: there is none. */
  private readonly ends = new LRUCache<string, number>(upTo(STREAMS));
  /** How many appends to a stream are on their way, or of unknown outcome, which may be written at any time. */
  private readonly unanswered = new Map<string, number>();
  /** Position of the last append that was answered. */
  private last = 0;

  /** Whether it is known that the stream has nothing from this revision on. */
  isBeyond(stream: string, revision: number): boolean {
    const end = this.unanswered.has(stream) ? undefined : this.ends.get(stream);
    return end !== undefined && revision > end;
  }

  /** Notes that events are on their way to the stream: until they are answered, only the file knows where it ends. */
  sending(stream: string): void {
    this.unanswered.set(stream, (this.unanswered.get(stream) ?? 0) + 1);
  }

  /** Notes where the stream ended as the file was read, in this turn. */
  read(stream: string, revision: number): void {
    if (!this.unanswered.has(stream)) this.ends.set(stream, revision);
  }

  /** Notes where the last event of an append is, unless it was sent again: others may follow it then (rule 12). Null: a conflict. */
  answered(stream: string, written: Written): void {
    const others = (this.unanswered.get(stream) ?? 1) - 1;
    if (others > 0) this.unanswered.set(stream, others);
    else this.unanswered.delete(stream);
    const isNew = written !== null && written.position > this.last;
    if (isNew) this.last = written.position;
    if (isNew && others === 0) this.ends.set(stream, written.revision);
    else this.ends.delete(stream);
  }
}

const CLOCK = new SystemClock();
const PROGRAM = new URL('./event-log.program.embedded.js', import.meta.url);
/** How long (ms) an append waits for its answer if nothing else is said. */
const APPEND_TIMEOUT = 2_000;

/** How many places of the log `readPages` and `readPlaces` read at a time: few enough for other work of the loop. */
const RAW_PAGE = 1_024;

export interface EmbeddedEventStoreOptions {
  readonly file: string;
  /** How long (ms) an append waits for its answer before its outcome counts as unknown. */
  readonly appendTimeout?: number;
  /** See `SqliteFileOptions`. */
  readonly onFatal?: (error: Error) => void;
}

/** The event log in one SQLite file, durable on every append. A position is a rowid, and a checkpoint's token too. */
export class EmbeddedEventStore extends EventStore {
  private readonly rows: EventRows;
  private readonly tail: LogTail;
  private readonly ends = new StreamEnds();
  private readonly news = new EventEmitter().setMaxListeners(0);
  private readonly closing = new AbortController();
  /** Of all who read long streams: they must not stop the loop. */
  private readonly slices = new TimeSlices(CLOCK);

  private constructor(
    private readonly log: SqliteFile<EventLogWrites>,
    private readonly appendTimeout: number,
    /** Whether nobody but this process appends. */
    private readonly isWriter: boolean,
  ) {
    super();
    this.rows = eventRows(log.reader);
    this.tail = new LogTail(this.rows);
  }

  /** @throws UnusableFile with a message for the operator. */
  static async open({
    file,
    appendTimeout = APPEND_TIMEOUT,
    onFatal,
  }: EmbeddedEventStoreOptions): Promise<EmbeddedEventStore> {
    const log = await SqliteFile.open<EventLogWrites>({ file, program: PROGRAM, durability: 'full', onFatal });
    try {
      return new EmbeddedEventStore(log, appendTimeout, true);
    } catch (error) {
      await log.close();
      throw error;
    }
  }

  /** Opens an existing log for reading alone, beside the process that writes to it. @throws UnusableFile */
  static async openToRead(file: string): Promise<EmbeddedEventStore> {
    return new EmbeddedEventStore(await SqliteFile.openToRead(file, PROGRAM), APPEND_TIMEOUT, false);
  }

  /** Takes in what another connection has appended, for who follows a log that is open for reading. */
  refresh(): void {
    this.tail.refresh();
    this.news.emit('appended');
  }

  /** Notifies another thread whenever the log has grown (see `SqliteFile.notifyOfCommits`). */
  notifyOfCommits(listener: CommitListener): void {
    this.log.notifyOfCommits(listener);
  }

  async append(stream: string, expectedRevision: number, events: readonly EventToAppend[]): Promise<Appended> {
    const written = await this.answered(this.write(stream, expectedRevision, events));
    if (!written) throw new RevisionConflict(`${stream} does not end at revision ${expectedRevision}`);
    return { revision: written.revision, position: positionOf(written.position) };
  }

  private async write(stream: string, expectedRevision: number, events: readonly EventToAppend[]): Promise<Written> {
    this.ends.sending(stream);
    const written = await this.log.write('append', stream, categoryOf(stream), expectedRevision, events);
    this.ends.answered(stream, written);
    if (written) this.tail.add(stream, events, written);
    return written;
  }

  override endsAt(stream: string, revision: number): boolean {
    return this.ends.isBeyond(stream, revision + 1);
  }

  async *readStream(stream: string, fromRevision = 0): AsyncGenerator<StoredEvent> {
    if (this.ends.isBeyond(stream, fromRevision)) return;
    for (let next = fromRevision; ;) {
      const page = this.rows.ofStream(stream, next);
      if (this.isWriter && page.length < PAGE) this.ends.read(stream, next + page.length - 1);
      for (const row of page) yield { ...eventOf(row), bytes: row };
      if (page.length < PAGE) return;
      next += PAGE;
      while (this.slices.isOver()) await this.slices.next();
    }
  }

  async *readAll(after: Checkpoint | null): AsyncGenerator<StoredEvent> {
    const end = this.rows.end();
    for (let from = placeOf(after); from < end; from += PAGE) {
      for (const row of this.rows.between(from, Math.min(from + PAGE, end))) yield eventOf(row);
      await nextTurn();
    }
  }

  override async *readPages(after: Checkpoint | null): AsyncGenerator<readonly RawEvent[]> {
    const end = this.rows.end();
    for (let from = placeOf(after); from < end; from += RAW_PAGE) {
      const rows = this.rows.between(from, Math.min(from + RAW_PAGE, end));
      yield rows.map((row) => ({ ...row, position: positionOf(row.position) }));
      await nextTurn();
    }
  }

  override async *readPlaces(after: Checkpoint | null, except: string): AsyncGenerator<HashedPlaces> {
    const end = this.rows.end();
    for (let from = placeOf(after); from < end; from += RAW_PAGE) {
      const last = Math.min(from + RAW_PAGE, end);
      const places = this.rows
        .hashesBetween(from, last, except)
        .map(([position, stream, revision, hash]) => ({ position: positionOf(position), stream, revision, hash }));
      yield { places, upTo: positionOf(last) };
      await nextTurn();
    }
  }

  head(): Promise<StoredEvent | null> {
    return Promise.resolve().then(() => {
      const newest = this.rows.newest();
      return newest ? eventOf(newest) : null;
    });
  }

  subscribe({ signal, ...options }: SubscriptionOptions): AsyncIterable<Delivery> {
    if (!this.isWriter) this.refresh(); // else what was appended since it was opened would come with what comes next
    return follow(this.tail, this.news, { ...options, signal: AbortSignal.any([signal, this.closing.signal]) });
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.log.close();
  }

  /** Waits for the writer within the time-out, and says what its failures mean to an append. */
  private async answered<Answer>(writing: Promise<Answer>): Promise<Answer> {
    const late = (): never => {
      throw new OutcomeUnknown(`no answer in ${this.appendTimeout} ms`);
    };
    const announced = writing.finally(() => this.news.emit('appended')); // late ones too
    try {
      return await within(CLOCK, this.appendTimeout, announced, late);
    } catch (error) {
      if (error instanceof OutcomeUnknown) throw new AppendOutcomeUnknown(error.message, { cause: error });
      throw new StoreUnavailable('the event log did not take the events', { cause: error });
    }
  }
}
