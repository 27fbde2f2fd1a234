import type { Instant } from '#kernel';

/** What an index orders and a condition compares. null sorts before everything. */
export type Value = string | number | boolean | null;

/** A declared index over top-level fields of a body. `unique`: no two live documents share the values. */
export interface Index {
  readonly fields: readonly string[];
  /** The (one) field holds an array of strings; each element is indexed by itself. */
  readonly multiValued?: boolean;
  readonly unique?: boolean;
}

/** A collection and what it can be searched by. */
export interface CollectionSpec {
  readonly name: string;
  readonly indexes: readonly Index[];
}

/** A stored document. `version` starts at 1 and grows by one with every write. */
export interface Document<Body> {
  readonly id: string;
  readonly version: number;
  readonly body: Body;
}

/** One condition on a field; `startsWithAny` matches a string, or any element of a multi-valued field. */
export type Condition =
  | { readonly field: string; readonly equals: Value }
  | { readonly field: string; readonly atLeast?: Value; readonly below?: Value }
  | { readonly field: string; readonly startsWithAny: readonly string[] };

/** All of `where` hold and, if given, all conditions of at least one of the lists of `anyOf`. */
export interface Filter {
  readonly where: readonly Condition[];
  readonly anyOf?: readonly (readonly Condition[])[];
}

/** Where a page ended: the sort field's value and the id of its last document. */
export interface PageEnd {
  readonly value: Value;
  readonly id: string;
}

/** A page of documents, sorted by one field and, among equals, by id in the same direction. */
export interface Query extends Filter {
  readonly sort: { readonly field: string; readonly direction: 'ascending' | 'descending' };
  /** At most this many documents. */
  readonly limit: number;
  /** Only what comes after this end of a page. */
  readonly after?: PageEnd;
}

/** A projection's write of one document, guarded by the position of the last event folded into it (rule 24). */
export interface GuardedWrite {
  readonly id: string;
  /** null: a tombstone, which reads as absent and keeps its position for a day. */
  readonly body: object | null;
  readonly position: string;
  /** Whether the projection found no document (nor tombstone): insert. Otherwise update where the stored position is smaller. */
  readonly isNew: boolean;
}

/** A document of a read model with the position it stands at; body null for a tombstone. */
export interface GuardedDocument {
  readonly id: string;
  readonly body: object | null;
  readonly position: string;
}

/** Insert found a live document with this id, or with the values of a unique index. */
export class DuplicateDocument extends Error {
  override readonly name = 'DuplicateDocument';
}

/** The store refused or cannot be reached. */
export class DocumentsUnavailable extends Error {
  override readonly name = 'DocumentsUnavailable';
}

/**
 * Documents by id, with compare-and-set on a single one as the only atomicity (conventions.md, MongoDB). An expired
 * document reads as absent everywhere, is inserted over freely, and is deleted some time later (rule 21).
 */
export abstract class DocumentStore {
  /** Declares a collection and its indexes; idempotent. */
  abstract prepare(spec: CollectionSpec): Promise<void>;

  /** @throws DuplicateDocument */
  abstract insert(
    collection: string,
    id: string,
    body: object,
    options?: { readonly expiresAt?: Instant },
  ): Promise<void>;

  /** The live document with this id, or null. */
  abstract get<Body>(collection: string, id: string): Promise<Document<Body> | null>;

  /**
   * Replaces the body if the document still has this version; answers whether it did. `expiresAt` absent keeps the
   * expiry, null takes it away.
   */
  abstract replace(
    collection: string,
    id: string,
    version: number,
    body: object,
    options?: { readonly expiresAt?: Instant | null },
  ): Promise<boolean>;

  /** Removes the document (if `version` is given, only while it has that one); answers whether there was one. */
  abstract delete(collection: string, id: string, version?: number): Promise<boolean>;

  abstract find<Body>(collection: string, query: Query): Promise<readonly Document<Body>[]>;

  abstract count(collection: string, filter: Filter): Promise<number>;

  /** The documents and tombstones of a read model that exist among `ids`. */
  abstract getGuarded(collection: string, ids: readonly string[]): Promise<readonly GuardedDocument[]>;

  /**
   * Writes each document by insert or guarded update, never an upsert, each by itself; answers the ids another
   * projector was ahead with (a miss or a duplicate). Any other error rejects, with any part of the batch written.
   */
  abstract putGuarded(collection: string, writes: readonly GuardedWrite[]): Promise<readonly string[]>;

  /** Drops a collection with everything in it; no error if it does not exist. */
  abstract drop(collection: string): Promise<void>;

  /** Names of all collections that start with `prefix`. */
  abstract collections(prefix: string): Promise<readonly string[]>;

  /** Deletes what has expired; answers how many documents. */
  abstract deleteExpired(): Promise<number>;

  abstract close(): Promise<void>;
}

/** Documents that cannot be rebuilt: tokens, accounts, keys, ledger, buyers. Durable on every write. */
export abstract class Documents extends DocumentStore {}

/** Read models and their checkpoints: can be dropped and rebuilt from the log. */
export abstract class ReadModelStore extends DocumentStore {}
