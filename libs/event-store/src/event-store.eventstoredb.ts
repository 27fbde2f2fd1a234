import { categoryOf } from '#events';
import { AppendLine } from './append-line.eventstoredb.js';
import { Connection, namesCluster } from './connection.eventstoredb.js';
import { AppendOutcomeUnknown, RevisionConflict, StoreUnavailable } from './event-store.errors.js';
import {
  type Appended,
  type Delivery,
  EventStore,
  type EventToAppend,
  type StoredEvent,
  type SubscriptionOptions,
} from './event-store.port.js';
import { Leadership } from './leadership.eventstoredb.js';
import { BEFORE_ALL, checkpointAt, Namespace, ourEvent, storedEvent } from './names.eventstoredb.js';
import type { Checkpoint } from './stored-event.js';
import { Reads } from './reads.eventstoredb.js';
import { SharedSubscription } from './shared-subscription.js';
import { follow } from './subscription.eventstoredb.js';

export interface EventStoreDbOptions {
  /** `esdb://…` or `esdb+discover://…`; TLS, credentials and certificates as the client's documentation has them. */
  readonly url: string;
  /** What the names of all streams begin with, so that several may use one server; '' for nothing. */
  readonly namespace?: string;
}

/** How far the whole log was when it was looked at, and the last event of ours then. */
interface Look {
  readonly end: Checkpoint;
  readonly head: StoredEvent | null;
}

/** How long (ms) an append waits before its outcome counts as unknown, and the next event of a read may take to come. */
const PATIENCE = 2_000;

/** The event log in EventStoreDB (23.10 or later). A position is the commit position. */
export class EventStoreDb extends EventStore {
  private readonly closing = new AbortController();
  private readonly namespace: Namespace;
  private readonly connection: Connection;
  private readonly leadership: Leadership | null;
  private readonly reads: Reads;
  private readonly appends: AppendLine;
  private readonly subscription: SharedSubscription;
  /** What `head` found last: what comes before need not be looked through again. */
  private looked: Look | null = null;
  /** Nothing of ours is before it: it was the end of the log while there was nothing of ours at all. */
  private beginning: Checkpoint | null = null;

  private constructor({ url, namespace = '' }: EventStoreDbOptions) {
    super();
    this.namespace = new Namespace(namespace);
    this.connection = new Connection(url);
    this.leadership = namesCluster(url) ? new Leadership(this.connection) : null;
    this.reads = new Reads(this.connection, PATIENCE, this.leadership);
    this.appends = new AppendLine(this.connection, PATIENCE, this.leadership);
    const { connection, reads, namespace: names } = this;
    this.subscription = new SharedSubscription((options) =>
      follow({ connection, reads, namespace: names }, { ...options, after: options.after ?? this.beginning }),
    );
  }

  /** Opens it without waiting for the server, which may come later. @throws UnusableUrl */
  static open(options: EventStoreDbOptions): EventStoreDb {
    return new EventStoreDb(options);
  }

  async append(stream: string, expectedRevision: number, events: readonly EventToAppend[]): Promise<Appended> {
    this.checkOpen();
    const appended = await this.appends.send(this.namespace.onServer(stream), expectedRevision, events);
    const isAsExpected = appended !== 'unanswered' && appended.revision === expectedRevision + events.length;
    return isAsExpected ? appended : this.proven(stream, expectedRevision, events);
  }

  async *readStream(stream: string, fromRevision = 0): AsyncGenerator<StoredEvent> {
    this.checkOpen();
    for await (const event of this.reads.stream(this.namespace.onServer(stream), fromRevision)) {
      yield storedEvent(stream, event);
    }
  }

  async *readAll(after: Checkpoint | null): AsyncGenerator<StoredEvent> {
    this.checkOpen();
    for await (const event of this.reads.all(after ?? this.beginning, this.namespace.regex(null))) {
      const ours = ourEvent(this.namespace, event);
      if (ours) yield ours;
    }
  }

  override async *readCategories(after: Checkpoint | null, categories: readonly string[]): AsyncGenerator<StoredEvent> {
    this.checkOpen();
    for await (const event of this.reads.all(after ?? this.beginning, this.namespace.regex(categories))) {
      const stream = this.namespace.aboveThePort(event.streamId);
      if (stream !== null && categories.includes(categoryOf(stream))) yield storedEvent(stream, event);
    }
  }

  async head(): Promise<StoredEvent | null> {
    this.checkOpen();
    const last = await this.reads.last();
    const end = last?.position ? checkpointAt(last.position) : null;
    const isShorter = this.looked && this.looked.end.position > (end ?? BEFORE_ALL).position;
    if (isShorter) [this.looked, this.beginning] = [null, null]; // the log was replaced
    if (!last || !end) return null;
    const head = ourEvent(this.namespace, last) ?? (await this.lastSince(this.looked, end));
    if (!this.looked && !head) this.beginning = end;
    this.looked = { end, head };
    return head;
  }

  /** The last event of ours, which what came since a look can only replace. */
  private async lastSince(looked: Look | null, end: Checkpoint): Promise<StoredEvent | null> {
    if (looked && (looked.end.position === end.position || !(await this.hasMoreAfter(looked.end)))) return looked.head;
    for await (const event of this.reads.backwards(this.namespace.regex(null))) {
      const ours = ourEvent(this.namespace, event);
      if (ours) return ours;
    }
    return null;
  }

  private async hasMoreAfter(checkpoint: Checkpoint): Promise<boolean> {
    for await (const event of this.reads.all(checkpoint, this.namespace.regex(null)))
      if (ourEvent(this.namespace, event)) return true;
    return false;
  }

  subscribe({ signal, ...options }: SubscriptionOptions): AsyncIterable<Delivery> {
    return this.subscription.follow({ ...options, signal: AbortSignal.any([signal, this.closing.signal]) });
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.appends.idle();
    this.connection.close();
    this.leadership?.close();
  }

  private checkOpen(): void {
    if (this.closing.signal.aborted) throw new StoreUnavailable('the event log was closed');
  }

  /** What became of events that nobody answered for: a resend stays unanswered while the first is replicated, the stream does not. */
  private async proven(stream: string, expectedRevision: number, events: readonly EventToAppend[]): Promise<Appended> {
    const sent = events.map(({ id }) => id);
    try {
      for await (const { metadata, revision, position } of this.readStream(stream, expectedRevision + 1)) {
        if (metadata.eventId !== sent.shift()) throw new RevisionConflict(`${stream} has another event at ${revision}`);
        if (sent.length === 0) return { revision, position };
      }
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      throw new AppendOutcomeUnknown(`the event store answers nothing about an append to ${stream}`, { cause: error });
    }
    throw new AppendOutcomeUnknown(`the event store did not answer to an append to ${stream}`);
  }
}
