import { BEGINNING, type EventStore, type Position, type StoredEvent } from '#event-store';
import { type ByKey, type ByMark, type ByPseudonym, CHAIN_START, hex, type LoggedEvent } from '#verifier';
import { sha256Of } from './node-crypto.js';
import type { Pseudonyms } from './pseudonyms.js';

/** An event's place in the log, and its entry in the log of logs. */
export interface LogEntry {
  readonly position: Position;
  readonly text: string;
}

export interface LogEntries {
  readonly entries: readonly LogEntry[];
  /** How far the log was read for them. */
  readonly upTo: Position;
}

/** The only category that is not sealed: agent traffic is measured and not agreed on, and there is most of it. */
const UNSEALED = 'traffic';

export interface EntryParts {
  readonly events: Pick<EventStore, 'readPlaces'>;
  readonly pseudonyms: Pseudonyms;
  /** After which place in the log events have marks. */
  readonly markedAfter: Position;
}

/** The entries of the events after a position, in the log's order, up to its end; in pages. */
export async function* entriesAfter(
  { events, pseudonyms, markedAfter }: EntryParts,
  after: Position,
): AsyncGenerator<LogEntries> {
  const checkpoint = after === BEGINNING ? null : { position: after };
  for await (const { places, upTo } of events.readPlaces(checkpoint, UNSEALED)) {
    const entries = places.map((place) => ({
      position: place.position,
      text: pseudonyms.entryOf(place, markedAfter),
    }));
    yield { entries, upTo };
  }
}

/** `leafHash` of an entry, without its bytes: the prefix 0x00 is a character of its own. */
export const leafOf = ({ text }: LogEntry): Uint8Array => sha256Of(`\0${text}`);

export const FIRST_HASH = hex(CHAIN_START);

/** A stored event as bundles and proofs carry it: all that its hash and its entry in the log are made of. */
export const loggedEvent = <Naming extends ByPseudonym | ByKey | ByMark>(
  { stream, revision, type, data, metadata }: StoredEvent,
  previousHash: string,
  naming: Naming,
): LoggedEvent<Naming> => ({ stream, revision, type, data, metadata: { ...metadata }, previousHash, ...naming });
