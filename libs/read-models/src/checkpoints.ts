import type { CollectionSpec, ReadModelStore } from '#documents';
import type { Checkpoint } from '#event-store';
import { z } from 'zod';

/** Where the checkpoints are kept, each under the name of the collection it belongs to. */
export const CHECKPOINTS: CollectionSpec = { name: 'checkpoints', indexes: [] };

const bodySchema = z.object({ token: z.string() });

/** The checkpoint of a collection; null: its projection has not begun. */
export const loadCheckpoint = async (store: ReadModelStore, collection: string): Promise<Checkpoint | null> =>
  (await loadCheckpoints(store, [collection])).get(collection) ?? null;

/** By collection, the checkpoints of those whose projection has begun. A single query. */
export const loadCheckpoints = async (
  store: ReadModelStore,
  collections: readonly string[],
): Promise<ReadonlyMap<string, Checkpoint>> => {
  const documents = await store.getGuarded(CHECKPOINTS.name, collections);
  return new Map(
    documents.map(({ id, position, body }) => [id, { position, token: bodySchema.parse(body).token }] as const),
  );
};

/**
 * Stores the checkpoint of a collection in the place of `saved`, under the same guard as its documents (rule 24).
 * Answers false where another projector is ahead.
 */
export const saveCheckpoint = async (
  store: ReadModelStore,
  collection: string,
  saved: Checkpoint | null,
  { position, token }: Checkpoint,
): Promise<boolean> => {
  if (saved?.position === position) return true;
  const write = { id: collection, position, body: { token }, isNew: saved === null };
  const ahead = await store.putGuarded(CHECKPOINTS.name, [write]);
  return ahead.length === 0;
};
