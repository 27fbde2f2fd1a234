import { type Instant, Unavailable } from '#kernel';
import type { CollectionSpec, Filter, Query } from './query.js';

/** A stored document. `version` starts at 1 and grows by one with every write. */
export interface Document<Body> {
  readonly id: string;
  readonly version: number;
  readonly body: Body;
}

/** A write found another live document with this id, or with the values of a unique index. */
export class DuplicateDocument extends Error {
  override readonly name = 'DuplicateDocument';
}

/** The store refused or cannot be reached; a write under way may or may not have been done. */
export class DocumentsUnavailable extends Unavailable {
  override readonly name = 'DocumentsUnavailable';
}

/** A database server cannot be used; the message names it for an operator and says why, without the password. */
export class UnusableDatabase extends Error {
  override readonly name = 'UnusableDatabase';
}

/** A stored document does not match its checksum: it was damaged, and nothing of it can be trusted. */
export class CorruptDocument extends Error {
  override readonly name = 'CorruptDocument';
}

/** Durable documents by id, with compare-and-set on a single one. Expired ones are absent (rule 21). */
export abstract class Documents {
  /** Declares a collection and its indexes; idempotent. */
  abstract prepare(spec: CollectionSpec): Promise<void>;

  /** Stores a new document, which is live until `expiresAt`. @throws DuplicateDocument */
  abstract insert(
    collection: string,
    id: string,
    body: object,
    options?: { readonly expiresAt?: Instant },
  ): Promise<void>;

  /** The live document with this id, or null. */
  abstract get<Body>(collection: string, id: string): Promise<Document<Body> | null>;

  /** The live documents among these ids, in any order. */
  abstract getMany<Body>(collection: string, ids: readonly string[]): Promise<readonly Document<Body>[]>;

  /** Replaces the body of this version; returns whether it did. `expiresAt`: absent keeps it. @throws DuplicateDocument */
  abstract replace(
    collection: string,
    id: string,
    version: number,
    body: object,
    options?: { readonly expiresAt?: Instant | null },
  ): Promise<boolean>;

  /** Removes the document (if `version` is given, only while it has that one); returns whether there was one. */
  abstract delete(collection: string, id: string, version?: number): Promise<boolean>;

  /** The live documents a query asks for, in its order. */
  abstract find<Body>(collection: string, query: Query): Promise<readonly Document<Body>[]>;

  /** At most `limit` live documents by id, after `after` (null: from the first): for who looks at all, and may take long. */
  abstract scan<Body>(collection: string, after: string | null, limit: number): Promise<readonly Document<Body>[]>;

  /** How many live documents a filter matches. No more than `atMost` are looked at, where that is given. */
  abstract count(collection: string, filter: Filter, atMost?: number): Promise<number>;

  /** Deletes what has expired in the collections prepared; returns how many documents. */
  abstract deleteExpired(): Promise<number>;

  /** Finishes what is under way and lets go of the store. */
  abstract close(): Promise<void>;
}
