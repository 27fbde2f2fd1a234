import { isUtf8 } from 'node:buffer';
import type { Database } from '#sqlite';
import { checksumOf } from './checksum.js';
import { tableOf } from './collection-tables.js';

/** How many documents are looked at at a time: some milliseconds. */
const PAGE = 512;

/** Texts as bytes: what is no UTF-8 would end the process in the driver. */
type Row = readonly [
  rowid: number,
  version: number,
  checksum: number,
  id: Buffer,
  position: Buffer | null,
  body: Buffer | null,
];

/** Reads a store page by page: null, or the first damage of the page. Others may write meanwhile. */
export function* damageInDocuments(reader: Database): Generator<string | null, void, undefined> {
  // One statement, so that it is of one moment.
  const [[collections, tables] = []] = reader.prepare(NAMES).raw().all() as [Buffer, Buffer][];
  const names = namesIn(collections);
  const unknown = new Set(namesIn(tables));
  for (const name of names) if (!unknown.delete(`c_${name}`)) return yield `the collection ${name} has no table`;
  for (const table of unknown) return yield `the table ${table} belongs to no collection`;
  const isThere = reader.prepare('SELECT 1 FROM collections WHERE name = ?').raw();
  for (const name of names) {
    try {
      yield* damageInCollection(reader, name);
    } catch (error) {
      if (isThere.all(name).length > 0) throw error;
    }
  }
}

const NAMES = `SELECT CAST((SELECT json_group_array(name) FROM collections) AS BLOB), CAST((SELECT json_group_array(name)
  FROM sqlite_schema WHERE type = 'table' AND substr(name, 1, 2) = 'c_') AS BLOB)`;

const namesIn = (json: Buffer | undefined): readonly string[] => JSON.parse(json?.toString() ?? '[]') as string[];

function* damageInCollection(reader: Database, name: string): Generator<string | null, void, undefined> {
  const page = reader
    .prepare(
      `SELECT rowid, version, checksum, CAST(id AS BLOB), CAST(position AS BLOB), CAST(body AS BLOB)
      FROM ${tableOf(name).text} NOT INDEXED WHERE rowid > ? ORDER BY rowid LIMIT ${PAGE}`,
    )
    .raw();
  for (let last = 0; ;) {
    const rows = page.all(last) as Row[];
    for (const [rowid, version, checksum, ...texts] of rows) {
      const isText = texts.every((text) => text === null || isUtf8(text));
      const [id = '', position = null, body = null] = texts.map((text) => text?.toString() ?? null);
      const isIntact = isText && checksumOf({ id: id ?? '', version, position, body }) === checksum;
      if (!isIntact) return yield `${name}: the document ${id ?? ''} is not what was written`;
      last = rowid;
    }
    yield null;
    if (rows.length < PAGE) return;
  }
}
