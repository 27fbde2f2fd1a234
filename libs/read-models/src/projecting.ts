import type { ReadModelStore } from '#documents';
import type { EventStore } from '#event-store';
import type { Clock } from '#kernel';
import { CHECKPOINTS } from './checkpoints.js';
import type { Projection } from './projection.js';
import { Projector, type ProjectorObserver } from './projector.js';

/** A collection, and the projection whose documents it holds. */
export interface ProjectedCollection {
  readonly projection: Projection<object>;
  readonly collection: string;
}

/**
 * Begins to keep collections up with the log, in this thread or another one; what happens there is told to `observer` in
 * the thread of the caller. Answers the function that finishes the batches under way and ends it.
 */
export type Projecting = (
  collections: readonly ProjectedCollection[],
  observer: ProjectorObserver,
) => () => Promise<void>;

/** In this thread. The collections, and that of the checkpoints, have been prepared. */
export const projectHere =
  (events: EventStore, store: ReadModelStore, clock: Clock): Projecting =>
  (collections, observer) => {
    const projectors = collections.map(
      ({ projection, collection }) => new Projector(projection, collection, { events, store, clock, ...observer }),
    );
    for (const projector of projectors) projector.start();
    return async () => {
      await Promise.all(projectors.map((projector) => projector.stop()));
    };
  };

/** Declares the collections, and that of their checkpoints, for who reads or writes them through this store. */
export const prepareCollections = async (
  store: ReadModelStore,
  collections: readonly ProjectedCollection[],
): Promise<void> => {
  await store.prepare(CHECKPOINTS);
  for (const { projection, collection } of collections) {
    await store.prepare({ name: collection, indexes: projection.indexes });
  }
};
