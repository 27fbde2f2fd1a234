import { type CollectionSpec, DuplicateDocument, type ReadModelStore } from '#documents';
import { z } from 'zod';
import type { Projection } from './projection.js';

/** Which generation of a projection's documents is read, and which is being built to take its place. */
export const GENERATIONS: CollectionSpec = { name: 'generations', indexes: [{ fields: ['generation'] }] };

/** More read models than there ever are. */
const ALL = 1_000;

const bodySchema = z.object({ generation: z.int(), building: z.int().nullable().default(null) });

/** What a collection belongs to: all that a projection's names are made of. */
export type Versioned = Pick<Projection<object>, 'name' | 'version'>;

export interface Generations {
  /** The one that is read. */
  readonly live: number;
  /** The newest that was begun and is not live; only this one may still become it. null: none since the last switch. */
  readonly building: number | null;
  /** Version of the document that says so. */
  readonly version: number;
}

/** A rebuild was begun after this one, whose documents can no longer become the live ones. */
export class RebuildOvertaken extends Error {
  override readonly name = 'RebuildOvertaken';
}

/** The collection that holds a generation: `<projection>-v<N>-<generation>`. */
export const collectionName = ({ name, version }: Versioned, generation: number): string =>
  `${name}-v${version}-${generation}`;

/** Version and generation of a projection's collection, from its name; null for the name of anything else. */
export const partsOfName = (projection: string, collection: string) => {
  if (!collection.startsWith(`${projection}-v`)) return null;
  const [, version, generation] = /^(\d+)-(\d+)$/.exec(collection.slice(projection.length + 2)) ?? [];
  return version === undefined ? null : { version: Number(version), generation: Number(generation) };
};

/** The generations of a version of a projection; the first is live where there was none. */
export const generationsOf = async (store: ReadModelStore, projection: Versioned): Promise<Generations> => {
  const document = await store.get(GENERATIONS.name, idOf(projection));
  if (document) {
    const { generation, building } = bodySchema.parse(document.body);
    return { live: generation, building, version: document.version };
  }
  try {
    await store.insert(GENERATIONS.name, idOf(projection), { generation: 1, building: null });
  } catch (error) {
    if (!(error instanceof DuplicateDocument)) throw error; // another process was faster
  }
  return generationsOf(store, projection);
};

/** By projection, the collection that is read now, of those that have one. A single query. */
export const liveCollections = async <One extends Versioned>(
  store: ReadModelStore,
  projections: readonly One[],
): Promise<ReadonlyMap<One, string>> => {
  const sort = { field: 'generation', direction: 'ascending' } as const;
  const documents = await store.find(GENERATIONS.name, { where: [], sort, limit: ALL });
  const live = new Map(documents.map(({ id, body }) => [id, bodySchema.parse(body).generation]));
  return new Map(
    projections.flatMap((projection) => {
      const generation = live.get(idOf(projection));
      return generation === undefined ? [] : [[projection, collectionName(projection, generation)] as const];
    }),
  );
};

/** Reserves the next generation, whose number was never used. What was being built before can no longer become live. */
export const beginGeneration = async (store: ReadModelStore, projection: Versioned): Promise<number> => {
  const { live, building, version } = await generationsOf(store, projection);
  const next = Math.max(live, building ?? 0) + 1;
  const body = { generation: live, building: next };
  const isBegun = await store.replace(GENERATIONS.name, idOf(projection), version, body);
  return isBegun ? next : beginGeneration(store, projection);
};

/** Makes the generation that was being built the live one, by one compare-and-set. @throws RebuildOvertaken */
export const switchTo = async (store: ReadModelStore, projection: Versioned, number: number): Promise<void> => {
  const { building, version } = await generationsOf(store, projection);
  const body = { generation: number, building: null };
  const isSwitched = building === number && (await store.replace(GENERATIONS.name, idOf(projection), version, body));
  if (!isSwitched) throw new RebuildOvertaken(`another rebuild of ${projection.name} was begun meanwhile`);
};

const idOf = ({ name, version }: Versioned): string => `${name}-v${version}`;
