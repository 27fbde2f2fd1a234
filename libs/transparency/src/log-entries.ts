import { categoryOf } from '#events';
import { BEGINNING, checkpointAfter, type EventStore, type Position } from '#event-store';
import { entryBytes } from '#verifier';
import type { Pseudonyms } from './pseudonyms.js';

/** An event's place in the log, and its entry in the log of logs. */
export interface LogEntry {
  readonly position: Position;
  /** null: an event of agent traffic, which has none. */
  readonly bytes: Uint8Array | null;
}

/** The only category that is not sealed: agent traffic is measured and not agreed on, and there is most of it. */
const UNSEALED = 'traffic';

/** The entries of the events after a position, in the log's order, up to its end. */
export async function* entriesAfter(
  events: EventStore,
  pseudonyms: Pseudonyms,
  after: Position,
): AsyncGenerator<LogEntry> {
  for await (const { position, stream, revision, metadata } of events.readAll(
    after === BEGINNING ? null : checkpointAfter(after),
  )) {
    const isSealed = categoryOf(stream) !== UNSEALED;
    yield { position, bytes: isSealed ? entryBytes(pseudonyms.of(stream), revision, metadata.hash) : null };
  }
}
