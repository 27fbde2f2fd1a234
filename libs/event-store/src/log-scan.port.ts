import { categoryOf } from '#events';
import { canonicalJson } from '#kernel';
import type { Checkpoint, EventToAppend, Position, StoredEvent } from './stored-event.js';

/** An event as it is stored, for who checks the bytes or reads too much to parse what it does not need. */
export interface RawEvent
  extends Pick<StoredEvent, 'stream' | 'revision' | 'position'>, Pick<EventToAppend, 'type' | 'data' | 'metadata'> {}

/** Where an event stands, and the hash of its metadata. */
export interface HashedPlace extends Pick<StoredEvent, 'stream' | 'revision' | 'position'> {
  readonly hash: string;
}

/** Places of events that follow one another in the log, but for those of a category that is left out. */
export interface HashedPlaces {
  readonly places: readonly HashedPlace[];
  /** How far the log was read for them. */
  readonly upTo: Position;
}

/** How many events a page of `readPages` has, the last one aside. */
const RAW_PAGE = 256;

/** Reads the log as a whole, for who checks or seals it. */
export abstract class LogScan {
  /** All events in global order after a checkpoint (null: from the beginning), up to the end of the log. */
  abstract readAll(after: Checkpoint | null): AsyncIterable<StoredEvent>;

  /** As `readAll`, of these categories, and with what another program has written into streams that are named like theirs. */
  async *readCategories(after: Checkpoint | null, categories: readonly string[]): AsyncIterable<StoredEvent> {
    for await (const event of this.readAll(after)) if (categories.includes(categoryOf(event.stream))) yield event;
  }

  /** As `readAll`, with the stored bytes, in pages; of parsed JSON the canonical form, which is the same. */
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
}
