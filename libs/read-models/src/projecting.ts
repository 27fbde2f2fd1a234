import type { ReadModelStore } from '#documents';
import { BEGINNING, type EventStore, type Position } from '#event-store';
import type { Clock } from '#kernel';
import { CHECKPOINTS, loadCheckpoints } from './checkpoints.js';
import { type PassOver, passOverLog } from './one-pass.js';
import { type Projection, recordedOnce } from './projection.js';
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
    const parts = { events, store, clock, read: recordedOnce(), ...observer };
    const projectors = collections.map(({ projection, collection }) => new Projector(projection, collection, parts));
    const stopping = new AbortController();
    const begun = begin(projectors, { events, store, signal: stopping.signal }, observer);
    return async () => {
      stopping.abort();
      await begun;
      await Promise.all(projectors.map((projector) => projector.stop()));
    };
  };

/** Starts every projector, those that are far behind once passes over the log have brought their collections up together. */
const begin = async (
  projectors: readonly Projector[],
  { events, store, signal }: PassOver,
  { onError }: ProjectorObserver,
): Promise<void> => {
  let waiting = projectors;
  const goOnWith = (ones: readonly Projector[]): void => {
    for (const one of waiting) if (!ones.includes(one)) one.start();
    waiting = ones;
  };
  try {
    while (waiting.length > 0 && !signal.aborted) {
      const { far, end } = await farBehind(events, store, waiting);
      goOnWith(far);
      // Meanwhile the log has grown; who did not come along has to say itself why.
      if (far.length > 0) goOnWith(await passOverLog(far, end, { events, store, signal }));
    }
  } catch (error) {
    onError('read models', error);
  }
  goOnWith([]);
};

/** How many positions behind the log a collection is built in a pass. In a log that is a file these are events: a second's work. */
const FAR = 5_000n;

/** Those collections that are far behind the log, and where it ends. */
export const farBehind = async <One extends ProjectedCollection>(
  events: EventStore,
  store: ReadModelStore,
  collections: readonly One[],
): Promise<{ readonly far: readonly One[]; readonly end: Position }> => {
  const names = collections.map(({ collection }) => collection);
  const stored = await loadCheckpoints(store, names);
  const end = (await events.head())?.position ?? BEGINNING;
  const isFar = ({ collection }: One) => BigInt(end) - BigInt(stored.get(collection)?.position ?? BEGINNING) > FAR;
  return { far: collections.filter(isFar), end };
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
