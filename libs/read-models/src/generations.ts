import { type CollectionSpec, DuplicateDocument, type ReadModelStore } from '#documents';
import { z } from 'zod';
import type { Projection } from './projection.js';

/** Which generation of a projection's documents is read: raised by every rebuild. */
export const GENERATIONS: CollectionSpec = { name: 'generations', indexes: [] };

const bodySchema = z.object({ generation: z.int() });

/** The live generation, with the version of the document that says so. */
export interface Generation {
  readonly number: number;
  readonly version: number;
}

/** What the names of all generations of a projection's version begin with. */
export const prefixOf = ({ name, version }: Projection<object>): string => `${name}-v${version}-`;

/** The collection that holds a generation: `<projection>-v<N>-<generation>`. */
export const collectionName = (projection: Projection<object>, generation: number): string =>
  `${prefixOf(projection)}${generation}`;

/** The generation to read and write; the first where there was none. */
export const liveGeneration = async (store: ReadModelStore, projection: Projection<object>): Promise<Generation> => {
  const document = await store.get(GENERATIONS.name, idOf(projection));
  if (document) return { number: bodySchema.parse(document.body).generation, version: document.version };
  try {
    await store.insert(GENERATIONS.name, idOf(projection), { generation: 1 });
  } catch (error) {
    if (!(error instanceof DuplicateDocument)) throw error; // another process was faster
  }
  return liveGeneration(store, projection);
};

/**
 * Makes the next generation the live one.
 *
 * @throws Error where another rebuild was faster.
 */
export const switchGeneration = async (
  store: ReadModelStore,
  projection: Projection<object>,
  { number, version }: Generation,
): Promise<void> => {
  const isSwitched = await store.replace(GENERATIONS.name, idOf(projection), version, { generation: number + 1 });
  if (!isSwitched) throw new Error(`the read model ${projection.name} was rebuilt by another process meanwhile`);
};

const idOf = ({ name, version }: Projection<object>): string => `${name}-v${version}`;
