import { crc32 } from 'node:zlib';
import { CorruptDocument } from './documents.port.js';

/** A document as an adapter stores it: `body` is JSON text, null for a tombstone; `position` is null outside read models. */
export interface StoredRow {
  readonly id: string;
  readonly version: number;
  readonly position: string | null;
  readonly body: string | null;
}

/**
 * The checksum that is stored beside a document: of its id, its body, and what a write is compared by, which is the
 * position in a read model and the version everywhere else. It finds damage and bodies under the wrong id, not forgeries.
 */
export const checksumOf = ({ id, version, position, body }: StoredRow): number =>
  crc32(`${id}\0${position ?? version}\0${body ?? ''}`);

/** The body of a row, checked; null for a tombstone. @throws CorruptDocument */
export const intactBody = (collection: string, row: StoredRow, checksum: number): unknown => {
  if (checksumOf(row) !== checksum) throw new CorruptDocument(`${collection}: the document ${row.id} is damaged`);
  return row.body === null ? null : JSON.parse(row.body);
};
