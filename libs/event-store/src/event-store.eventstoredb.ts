import { categoryOf } from '#events';
import { AppendLine } from './append-line.eventstoredb.js';
import { Connection } from './connection.eventstoredb.js';
import { AppendOutcomeUnknown, RevisionConflict, StoreUnavailable } from './event-store.errors.js';
import {
  type Appended,
  type Delivery,
  EventStore,
  type EventToAppend,
  type StoredEvent,
  type SubscriptionOptions,
} from './event-store.port.js';
import { Namespace, ourEvent, storedEvent } from './names.eventstoredb.js';
import { type Checkpoint, positionOf } from './stored-event.js';
import { Reads } from './reads.eventstoredb.js';
import { SharedSubscription } from './shared-subscription.js';
import { follow } from './subscription.eventstoredb.js';

export interface EventStoreDbOptions {
  /** `esdb://…` or `esdb+discover://…`; TLS, credentials and certificates as the client's documentation has them. */
  readonly url: string;
  /** What the names of all streams begin with, so that several may use one server; '' for nothing. */
  readonly namespace?: string;
}

/** How long (ms) an append waits before its outcome counts as unknown, and the next event of a read may take to come. */
const PATIENCE = 2_000;

/** The event log in EventStoreDB (23.10 or later). A position is the commit position. */
export class EventStoreDb extends EventStore {
  private readonly closing = new AbortController();
  private readonly namespace: Namespace;
  private readonly connection: Connection;
  private readonly reads: Reads;
  private readonly appends: AppendLine;
  private readonly subscription: SharedSubscription;
  /** The last event of ours that `head` found: what comes before it need not be looked through again. */
  private lastHead: StoredEvent | null = null;

  private constructor({ url, namespace = '' }: EventStoreDbOptions) {
    super();
    this.namespace = new Namespace(namespace);
    this.connection = new Connection(url);
    this.reads = new Reads(this.connection, PATIENCE);
    this.appends = new AppendLine(this.connection, PATIENCE);
    const { connection, reads, namespace: names } = this;
    this.subscription = new SharedSubscription((options) => follow({ connection, reads, namespace: names }, options));
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
    for await (const event of this.reads.all(after)) {
      const ours = ourEvent(this.namespace, event);
      if (ours) yield ours;
    }
  }

  override async *readCategories(after: Checkpoint | null, categories: readonly string[]): AsyncGenerator<StoredEvent> {
    this.checkOpen();
    for await (const event of this.reads.all(after)) {
      const stream = this.namespace.aboveThePort(event.streamId);
      if (stream !== null && categories.includes(categoryOf(stream))) yield storedEvent(stream, event);
    }
  }

  async head(): Promise<StoredEvent | null> {
    this.checkOpen();
    let known = this.lastHead;
    let isFirst = true;
    for await (const event of this.reads.backwards()) {
      const ours = ourEvent(this.namespace, event);
      if (ours) return (this.lastHead = ours);
      const isBefore = known && positionOf(event.position?.commit ?? 0n) < known.position;
      if (isBefore && isFirst)
        known = null; // the log was replaced by a shorter one
      else if (isBefore) return known; // the rest was looked through last time
      isFirst = false;
    }
    return null;
  }

  subscribe({ signal, ...options }: SubscriptionOptions): AsyncIterable<Delivery> {
    return this.subscription.follow({ ...options, signal: AbortSignal.any([signal, this.closing.signal]) });
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.appends.idle();
    this.connection.close();
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
