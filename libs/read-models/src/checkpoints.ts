import type { CollectionSpec, ReadModelStore } from '#documents';
import type { Checkpoint } from '#event-store';
import { z } from 'zod';

/** Where the checkpoints are kept, each under the name of the collection it belongs to. */
export const CHECKPOINTS: CollectionSpec = { name: 'checkpoints', indexes: [] };

const bodySchema = z.object({ token: z.string() });

/** The checkpoint of a collection; null: its projection has not begun. */
export const loadCheckpoint = async (store: ReadModelStore, collection: string): Promise<Checkpoint | null> => {
  const [document] = await store.getGuarded(CHECKPOINTS.name, [collection]);
  return document ? { position: document.position, token: bodySchema.parse(document.body).token } : null;
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
