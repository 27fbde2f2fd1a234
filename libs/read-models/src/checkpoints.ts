import type { CollectionSpec, ReadModelStore } from '#documents';
import { BEGINNING, type Checkpoint, type EventStore, type Position } from '#event-store';
import { z } from 'zod';

/** Where the checkpoints are kept, each under the name of the collection it belongs to. */
export const CHECKPOINTS: CollectionSpec = { name: 'checkpoints', indexes: [] };

export interface StoredCheckpoint extends Checkpoint {
  /** The last event on the way there. The checkpoint itself may lie behind the last event of the log, in a silence. */
  readonly lastEvent: Position;
  /** Where the log ended when the collection was begun: until it stands there, its documents are not whole. */
  readonly goal: Position;
}

const bodySchema = z.object({
  lastEvent: z.string().optional(),
  goal: z.string().default(BEGINNING),
});

/** The checkpoint of a collection; null: its projection has not begun. */
export const loadCheckpoint = async (store: ReadModelStore, collection: string): Promise<StoredCheckpoint | null> =>
  (await loadCheckpoints(store, [collection])).get(collection) ?? null;

/** By collection, the checkpoints of those whose projection has begun. A single query. */
export const loadCheckpoints = async (
  store: ReadModelStore,
  collections: readonly string[],
): Promise<ReadonlyMap<string, StoredCheckpoint>> => {
  const documents = await store.getGuarded(CHECKPOINTS.name, collections);
  return new Map(
    documents.map(({ id, position, body }) => {
      const { lastEvent = position, goal } = bodySchema.parse(body);
      return [id, { position, lastEvent, goal }] as const;
    }),
  );
};

/** A checkpoint that a collection has reached, and whether it has none so far. */
export interface ReachedCheckpoint {
  readonly collection: string;
  readonly reached: StoredCheckpoint;
  readonly isNew: boolean;
}

/** Stores checkpoints of collections, each under its guard (rule 24); returns the collections where another projector is ahead. */
export const saveCheckpoints = async (
  store: ReadModelStore,
  all: readonly ReachedCheckpoint[],
): Promise<readonly string[]> => {
  const writes = all.map(({ collection, reached: { position, lastEvent, goal }, isNew }) => {
    return { id: collection, position, body: { token: position, lastEvent, goal }, isNew }; // releases before read a token
  });
  return writes.length === 0 ? [] : store.putGuarded(CHECKPOINTS.name, writes);
};

/** Drops a collection that nobody will read again, its checkpoint first: it must not outlive the documents. */
export const dropCollection = async (store: ReadModelStore, collection: string): Promise<void> => {
  await store.delete(CHECKPOINTS.name, collection);
  await store.drop(collection);
};

/** The read models know events that the log does not have: it was cut, or replaced by another one. */
export class AheadOfLog extends Error {
  override readonly name = 'AheadOfLog';
}

/** A read model past the end of the log would wait for ever, and show what never happened. @throws AheadOfLog */
export const refuseAheadOfLog = async (
  events: EventStore,
  store: ReadModelStore,
  collections: readonly string[],
): Promise<void> => {
  const checkpoints = await loadCheckpoints(store, collections);
  if (checkpoints.size === 0) return; // to find that a log is empty may take reading all that others have in its server
  // Read afterwards: the log grows, and other processes project what it grows by.
  const end = (await events.head())?.position ?? BEGINNING;
  for (const [collection, { lastEvent }] of checkpoints) {
    if (lastEvent <= end) continue;
    throw new AheadOfLog(
      `the read model ${collection} knows events past the end of the log: the log was cut or replaced. ` +
        'Put the right log back; if this is the right one, delete the read models, and they are built anew.',
    );
  }
};
