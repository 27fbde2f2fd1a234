import type { ReadModelStore } from '#documents';
import type { ReadModels } from '#read-models';
import { type MandateListItem, mandatesProjection } from './mandates.projection.js';

/**
 * Mandates by id as the list has them, in one read; one that the list does not have yet is left out. The list is behind the
 * streams, but never wrong about what cannot change back: terms, what was consumed, and that a mandate is over.
 */
export const listedMandates = async (
  store: ReadModelStore,
  readModels: ReadModels,
  mandateIds: readonly string[],
): Promise<ReadonlyMap<string, MandateListItem>> => {
  if (!readModels.isBuilt(mandatesProjection)) return new Map();
  const found = await store.getGuarded(readModels.collectionOf(mandatesProjection), mandateIds);
  // The projection alone writes this collection.
  return new Map(found.flatMap(({ id, body }) => (body ? [[id, body as MandateListItem]] : [])));
};
