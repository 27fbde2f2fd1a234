import { Documents } from './documents.port.js';

/** How long a tombstone is kept, in milliseconds: a day (rule 24). */
export const TOMBSTONE_LIFETIME = 86_400_000;

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

/** Read models and their checkpoints, which the log can rebuild. A collection is written by `putGuarded`, or by the others. */
export abstract class ReadModelStore extends Documents {
  /** The documents and tombstones of a read model that exist among `ids`. */
  abstract getGuarded(collection: string, ids: readonly string[]): Promise<readonly GuardedDocument[]>;

  /** Inserts or updates, never upserts, each by itself; returns the ids that another projector was ahead with. */
  abstract putGuarded(collection: string, writes: readonly GuardedWrite[]): Promise<readonly string[]>;

  /** Drops a collection with everything in it; no error if it does not exist. */
  abstract drop(collection: string): Promise<void>;

  /** Deletes everything in a prepared collection, which exists all the while, so that no reader fails. */
  abstract clear(collection: string): Promise<void>;

  /** Names of all stored collections that start with `prefix`, prepared by this process or not. */
  abstract collections(prefix: string): Promise<readonly string[]>;
}
