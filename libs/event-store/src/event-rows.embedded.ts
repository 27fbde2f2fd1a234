import type { EventData } from '#events';
import type { Database } from '#sqlite';
import type { EventMetadata, StoredEvent } from './event-store.port.js';
import { StoreUnavailable, StreamDamaged } from './event-store.errors.js';
import type { RawEvent } from './log-scan.port.js';
import { positionOf } from './stored-event.js';

/** How many events one query reads, or how many places of the log it goes through. */
export const PAGE = 256;

/** An event as it lies in the file; data and metadata are JSON. */
export interface Row extends Omit<RawEvent, 'position'> {
  readonly position: number;
}

type HashRow = readonly [position: number, stream: string, revision: number, hash: string];

/** Queries on the event log's file. @throws StoreUnavailable */
export interface EventRows {
  /** The first events of a stream from a revision on, at most a page. */
  readonly ofStream: (name: string, fromRevision: number) => readonly Row[];
  /** Everything in (from, to], or only what belongs to some categories. */
  readonly between: (from: number, to: number, categories?: readonly string[] | null) => readonly Row[];
  /** Position, stream, revision and hash of everything in (from, to] but a category. */
  readonly hashesBetween: (from: number, to: number, except: string) => readonly HashRow[];
  readonly newest: () => Row | undefined;
  /** Place of the last event; 0 for an empty log. */
  readonly end: () => number;
}

export const eventRows = (reader: Database): EventRows => {
  // As the bytes of one JSON: text that is no UTF-8 would end the process in the driver. It takes no longer than rows do.
  const prepared = (columns: string, from: string) =>
    reader.prepare(`SELECT CAST(json_group_array(json_array(${columns})) AS BLOB) FROM (${from})`).raw();
  const page = (where: string) =>
    prepared('position, stream, revision, type, data, metadata', `SELECT * FROM events WHERE ${where}`);
  const stream = page(`stream = ? AND revision >= ? ORDER BY revision LIMIT ${PAGE}`);
  const places = page('position > ? AND position <= ? ORDER BY position');
  const placesOf = page(
    'position > ? AND position <= ? AND category IN (SELECT value FROM json_each(?)) ORDER BY position',
  );
  // The member `hash` stands nowhere else, since in a string its quotes are escaped. Parsing all would take longer.
  const hashes = prepared(
    'position, stream, revision, hash',
    `SELECT position, stream, revision, substr(metadata, instr(metadata, '"hash":"') + 8, 64) AS hash FROM events
      WHERE position > ? AND position <= ? AND category <> ? ORDER BY position`,
  );
  const newest = page('TRUE ORDER BY position DESC LIMIT 1');
  const end = reader.prepare('SELECT max(position) FROM events').pluck();
  const first = (row: unknown): string => (row as readonly [Buffer])[0].toString();
  const rowsOf = (statement: ReturnType<Database['prepare']>, ...values: readonly (string | number)[]) =>
    read(() => (JSON.parse(first(statement.get(values))) as RowList[]).map(rowOf));
  return {
    ofStream: (name, fromRevision) => rowsOf(stream, name, fromRevision),
    between: (from, to, categories) =>
      categories ? rowsOf(placesOf, from, to, JSON.stringify(categories)) : rowsOf(places, from, to),
    hashesBetween: (from, to, except) => read(() => JSON.parse(first(hashes.get([from, to, except]))) as HashRow[]),
    newest: () => rowsOf(newest)[0],
    end: () => read(() => Number(end.all()[0] ?? 0)),
  };
};

/** The columns of a row, which may be of any type and missing where the disk changed them. */
type RowList = readonly [position: number, ...columns: (string | number | null)[]];

const rowOf = ([position, stream, revision, type, data, metadata]: RowList): Row => ({
  position,
  stream: String(stream ?? ''),
  revision: Number(revision ?? -1),
  type: String(type ?? ''),
  data: String(data ?? ''),
  metadata: String(metadata ?? ''),
});

const read = <Result>(query: () => Result): Result => {
  try {
    return query();
  } catch (error) {
    throw new StoreUnavailable('the event log cannot be read', { cause: error });
  }
};

/** The event of a row, as it was sent. @throws StreamDamaged where it is no JSON any more */
export const eventOf = ({ position, stream, revision, type, data, metadata }: Row): StoredEvent => {
  try {
    return {
      stream,
      revision,
      position: positionOf(position),
      type,
      data: JSON.parse(data) as EventData,
      metadata: JSON.parse(metadata) as EventMetadata,
    };
  } catch {
    throw new StreamDamaged(stream, revision, 'it is no JSON');
  }
};
