import type { ReadModelStore } from '#documents';
import { CHECKPOINTS } from './checkpoints.js';

/** Drops a collection that nobody will read again. Its checkpoint goes first: it must not outlive what it counts. */
export const dropCollection = async (store: ReadModelStore, collection: string): Promise<void> => {
  await store.delete(CHECKPOINTS.name, collection);
  await store.drop(collection);
};
