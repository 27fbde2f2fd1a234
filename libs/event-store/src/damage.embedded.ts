import { isUtf8 } from 'node:buffer';
import { categoryOf } from '#events';
import type { Database } from '#sqlite';
import { upTo } from '#kernel';
import { LRUCache } from 'lru-cache';
import { CHAIN_START, chainedHash, type ChainEnd, HASH_MEMBER, NO_STREAM } from './stored-event.js';
import type { Row } from './event-rows.embedded.js';

/** How many events are looked at at a time: some milliseconds. */
const PAGE = 512;

/** Of how many streams the end is kept while the log is read. Others are looked up. */
const STREAMS = 20_000;

/** As bytes: text that is no UTF-8 would end the process in the driver. */
type StoredRow = readonly [position: number, revision: number, ...texts: readonly Buffer[]];

interface WholeRow extends Row {
  readonly category: string;
}

/** Reads a whole event log by pages: null, or the first thing of a page that is not as it was written, and the end. */
export function* damageInLog(reader: Database): Generator<string | null, void, undefined> {
  const page = reader
    .prepare(
      `SELECT position, revision, CAST(stream AS BLOB), CAST(category AS BLOB), CAST(type AS BLOB), CAST(data AS BLOB),
        CAST(metadata AS BLOB) FROM events NOT INDEXED WHERE position > ? ORDER BY position LIMIT ${PAGE}`,
    )
    .raw();
  const found = reader
    .prepare('SELECT position, CAST(metadata AS BLOB) FROM events WHERE stream = ? AND revision = ?')
    .raw();
  const at = (stream: string, revision: number): readonly [position: number, metadata: Buffer] | undefined =>
    found.all(stream, revision)[0] as [number, Buffer] | undefined;
  const ends = new LRUCache<string, ChainEnd>(upTo(STREAMS));
  const endBefore = (stream: string, revision: number): ChainEnd => {
    const known = ends.get(stream);
    if (known || revision === 0) return known ?? { revision: NO_STREAM, hash: CHAIN_START };
    const before = at(stream, revision - 1)?.[1];
    return { revision: revision - 1, hash: hashIn(before?.toString() ?? '') };
  };
  const wrongWith = (row: WholeRow, last: number | null): string | null => {
    const { position, stream, revision } = row;
    if (last !== null && position !== last + 1) return `events are missing before position ${position}`;
    if (row.category !== categoryOf(stream)) return 'it has the category of another stream';
    const before = endBefore(stream, revision);
    if (revision !== before.revision + 1) return `the event after revision ${before.revision} is missing`;
    const metadata = row.metadata.replace(HASH_MEMBER, '');
    const isChained = chainedHash(before.hash, { ...row, metadata }) === hashIn(row.metadata);
    if (!isChained) return 'it is not what was written after the event before it';
    return at(stream, revision)?.[0] === position ? null : 'it is not found by its stream';
  };
  for (let last: number | null = null; ;) {
    const rows = page.all(last ?? 0) as StoredRow[];
    if (rows.length === 0) return;
    for (const stored of rows) {
      const row = rowOf(stored);
      if (!row) return yield `position ${stored[0]}: it is no text`;
      const wrong = wrongWith(row, last);
      if (wrong !== null) return yield `${row.stream}@${row.revision} (position ${row.position}): ${wrong}`;
      ends.set(row.stream, { revision: row.revision, hash: hashIn(row.metadata) });
      last = row.position;
    }
    yield null;
  }
}

const rowOf = ([position, revision, ...texts]: StoredRow): WholeRow | null => {
  if (!texts.every((text) => isUtf8(text))) return null;
  const [stream = '', category = '', type = '', data = '', metadata = ''] = texts.map((text) => text.toString());
  return { position, stream, revision, category, type, data, metadata };
};

const hashIn = (metadata: string): string => HASH_MEMBER.exec(metadata)?.[1] ?? '';
