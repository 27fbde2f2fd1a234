import { crc32 } from 'node:zlib';
import { CorruptDocument } from './documents.port.js';

/** A document as an adapter stores it: `body` is JSON text, null for a tombstone; `position` is null outside read models. */
export interface StoredRow {
  readonly id: string;
  readonly version: number;
  readonly position: string | null;
  readonly body: string | null;
}

/** The checksum stored beside a document, of its id, body and version or position: it finds damage, not forgeries. */
export const checksumOf = ({ id, version, position, body }: StoredRow): number =>
  crc32(`${id}\0${position ?? version}\0${body ?? ''}`);

/** The body of a row, checked; null for a tombstone. @throws CorruptDocument */
export const intactBody = (collection: string, row: StoredRow, checksum: number): unknown => {
  if (checksumOf(row) !== checksum) throw new CorruptDocument(`${collection}: the document ${row.id} is damaged`);
  return row.body === null ? null : JSON.parse(row.body);
};
