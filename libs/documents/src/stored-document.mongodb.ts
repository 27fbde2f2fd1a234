import { BSON } from 'mongodb';
import { type Instant, millisecondsOf } from '#kernel';
import { intactBody } from './checksum.js';
import type { Document } from './documents.port.js';
import { isName } from './query.js';

/** A stored document (docs/adr/0040): the body as exact JSON text, and its top-level values for indexes. */
export interface StoredDocument {
  readonly _id: string;
  readonly version: number;
  /** null: a tombstone. */
  readonly body: string | null;
  /** The strings, numbers and booleans of the body; null is left out, so that it collides with nothing. */
  readonly fields: Readonly<Record<string, string | number | boolean>>;
  readonly expiresAt: Date | null;
  /** Of a read model: that of the last event folded into it. */
  readonly position: string | null;
  readonly checksum: number;
  /** Of a read model: the batch that wrote it, by a random name. */
  readonly batch: string | null;
}

export type StoredBody = Pick<StoredDocument, 'body' | 'fields'>;

/** The largest document that MongoDB takes, less what an update's command adds. */
const MAX_BYTES = 16 * 1024 * 1024 - 16 * 1024;

/** A UTF-16 unit is at most three bytes, and a body lies there at most twice: below this nothing needs to be measured. */
const SURELY_FITS = Math.floor(MAX_BYTES / 8);

/** Reads of a body need nothing else. */
export const BODY_ONLY = { version: 1, position: 1, body: 1, checksum: 1 } as const;

/** What a body is stored as; null: a tombstone. @throws RangeError where MongoDB would not take it. */
export const storedBody = (body: object | null): StoredBody => {
  if (body === null) return { body: null, fields: {} };
  const json = JSON.stringify(body);
  // What can be searched is what was stored: undefined, dates and the like are what JSON makes of them.
  const entries = Object.entries(JSON.parse(json) as Record<string, unknown>).filter(([name]) => isName(name));
  const stored = { body: json, fields: fieldsOf(entries) };
  const bytes = json.length > SURELY_FITS ? BSON.calculateObjectSize(stored) : 0;
  if (bytes > MAX_BYTES) throw new RangeError(`a document of ${bytes} bytes: MongoDB takes ${MAX_BYTES}`);
  return stored;
};

type Entries = readonly (readonly [name: string, value: unknown])[];

const fieldsOf = (entries: Entries): StoredBody['fields'] =>
  Object.fromEntries(entries.filter((entry): entry is [string, string | number | boolean] => isScalar(entry[1])));

const isScalar = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** As the TTL index wants it. */
export const dateOf = (instant: Instant): Date => new Date(millisecondsOf(instant));

/** The port trusts the type that a body is read as. @throws CorruptDocument */
export const documentOf = <Body>(collection: string, readable: Readable): Document<Body> => {
  const { _id: id, version, position, body, checksum } = readable;
  return { id, version, body: intactBody(collection, { id, version, position, body }, checksum) as Body };
};

export type Readable = Pick<StoredDocument, '_id' | 'version' | 'position' | 'body' | 'checksum'>;
