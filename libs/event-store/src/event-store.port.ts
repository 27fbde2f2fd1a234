import { categoryOf, type EventData } from '#events';
import { type Actor, canonicalJson, type Instant } from '#kernel';
import type { Checkpoint, Position } from './position.js';

/** The envelope of an event (docs/decisions.md, Streams and events). `$correlationId` and `$causationId` are EventStoreDB's own names. */
export interface EventMetadata {
  readonly eventId: string;
  readonly occurredAt: Instant;
  readonly actor: Actor;
  readonly $correlationId: string;
  readonly $causationId: string;
  readonly schemaVersion: number;
  /** Hex SHA-256 that chains this event to the one before it in its stream (rule 27). */
  readonly hash: string;
}

/** An event ready to be sent, and sent again, byte for byte: the store keeps these bytes. */
export interface EventToAppend {
  /** The `eventId` of its metadata. */
  readonly id: string;
  readonly type: string;
  /** Canonical JSON (RFC 8785) of an object. */
  readonly data: string;
  /** Canonical JSON (RFC 8785) of `EventMetadata`. */
  readonly metadata: string;
}

/** An event as read back. */
export interface StoredEvent {
  readonly stream: string;
  readonly type: string;
  readonly data: EventData;
  readonly metadata: EventMetadata;
  /** Place in its stream; the first is 0. */
  readonly revision: number;
  readonly position: Position;
  /** Data and metadata as they are stored, where the store has them at hand: to check the hash without writing JSON anew. */
  readonly bytes?: Pick<EventToAppend, 'data' | 'metadata'>;
}

/** An event as it is stored, for who checks the bytes or reads too much to parse what it does not need. */
export interface RawEvent {
  readonly stream: string;
  readonly type: string;
  /** Canonical JSON (RFC 8785) of an object. */
  readonly data: string;
  /** Canonical JSON (RFC 8785) of `EventMetadata`. */
  readonly metadata: string;
  readonly revision: number;
  readonly position: Position;
}

/** Where an event stands, and its hash. */
export interface HashedPlace {
  readonly stream: string;
  readonly revision: number;
  /** Of its metadata. */
  readonly hash: string;
  readonly position: Position;
}

/** Places of events that follow one another in the log, but for those of a category that is left out. */
export interface HashedPlaces {
  readonly places: readonly HashedPlace[];
  /** How far the log was read for them. */
  readonly upTo: Position;
}

export { NO_STREAM } from './position.js';

/** What a subscription delivers: an event, or (event null) that the log is read up to a checkpoint without one. */
export interface Delivery {
  readonly event: StoredEvent | null;
  readonly checkpoint: Checkpoint;
}

/** What an append answers. */
export interface Appended {
  /** Revision of the last event appended. */
  readonly revision: number;
  /** Position of the last event appended; null where the store does not tell. */
  readonly position: Position | null;
}

/** What a subscription follows. */
export interface SubscriptionOptions {
  /** Where to go on; null: from the beginning. */
  readonly after: Checkpoint | null;
  /** Categories of streams to deliver (`order` for `order-…`). */
  readonly categories: readonly string[];
  /** Ends the subscription. */
  readonly signal: AbortSignal;
}

/** How many events a page of `readPages` has, the last one aside. */
const RAW_PAGE = 256;

/** The event log (docs/decisions.md, Stores). No transaction spans two streams. */
export abstract class EventStore {
  /**
   * Appends `events` to `stream` in one piece, if its last revision is `expectedRevision` (`NO_STREAM`: it has none).
   * Durable once answered. Sending the identical events again at the same revision answers success, also when the
   * stream has moved on since (rule 12).
   *
   * @throws RevisionConflict, AppendOutcomeUnknown, StoreUnavailable
   */
  abstract append(stream: string, expectedRevision: number, events: readonly EventToAppend[]): Promise<Appended>;

  /** The events of `stream` in order, from `fromRevision` on; none where the stream does not exist. */
  abstract readStream(stream: string, fromRevision?: number): AsyncIterable<StoredEvent>;

  /** All events in global order after a checkpoint (null: from the beginning), up to the end of the log. */
  abstract readAll(after: Checkpoint | null): AsyncIterable<StoredEvent>;

  /**
   * As `readAll`, with the stored bytes, in pages. A store that gives back JSON already parsed gives its canonical form: that
   * is what was stored, and an event of any other bytes has another hash or the same content.
   */
  async *readPages(after: Checkpoint | null): AsyncIterable<readonly RawEvent[]> {
    let page: RawEvent[] = [];
    for await (const event of this.readAll(after)) {
      page.push({ ...event, data: canonicalJson(event.data), metadata: canonicalJson(event.metadata) });
      if (page.length < RAW_PAGE) continue;
      yield page;
      page = [];
    }
    if (page.length > 0) yield page;
  }

  /** As `readAll`, but for a category, and no more of each event than where it stands and its hash; in pages. */
  async *readPlaces(after: Checkpoint | null, except: string): AsyncIterable<HashedPlaces> {
    let places: HashedPlace[] = [];
    let upTo: Position | null = null;
    for await (const { stream, revision, metadata, position } of this.readAll(after)) {
      upTo = position;
      if (categoryOf(stream) !== except) places.push({ stream, revision, hash: metadata.hash, position });
      if (places.length < RAW_PAGE) continue;
      yield { places, upTo };
      [places, upTo] = [[], null];
    }
    if (upTo !== null) yield { places, upTo };
  }

  /** The last event of the log: where it ends and when that happened; null while it is empty. */
  abstract head(): Promise<StoredEvent | null>;

  /**
   * The events after a checkpoint and then those to come, one at a time: the next is fetched when it is asked for. No
   * gap and no repeat across the seam of history and live. A delivery without an event tells how far silence reaches.
   */
  abstract subscribe(options: SubscriptionOptions): AsyncIterable<Delivery>;

  /** Finishes what is under way and lets go of the log. */
  abstract close(): Promise<void>;
}
