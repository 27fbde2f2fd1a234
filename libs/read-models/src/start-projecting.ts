import type { ReadModelStore } from '#documents';
import { BEGINNING, type EventStore, type Position } from '#event-store';
import type { Clock } from '#kernel';
import { CHECKPOINTS, loadCheckpoints } from './checkpoints.js';
import type { Pace } from './consumer.js';
import { Projected, type ProjectorObserver } from './projected.js';
import type { Projection } from './projection.js';
import { Projector } from './projector.js';

export interface ProjectedCollection {
  readonly projection: Projection<object>;
  readonly collection: string;
}

/** Keeps collections up with the log; `observer` is called in the caller's thread. Returns what finishes the batches under way and ends it. */
export type Projecting = (
  collections: readonly ProjectedCollection[],
  observer: ProjectorObserver,
) => () => Promise<void>;

/** In this thread; those far behind apart from the others. All collections are prepared. */
export const projectHere =
  (events: EventStore, store: ReadModelStore, clock: Clock, pace?: Pace): Projecting =>
  (collections, observer) => {
    const models = collections.map(({ projection, collection }) => new Projected(projection, collection, clock));
    const projectors: Projector[] = [];
    const start = (some: readonly Projected[]): void => {
      const projector = new Projector(some, { events, store, clock, pace, ...observer });
      if (some.length > 0 && projectors.push(projector) > 0) projector.start();
    };
    const started = farBehind(events, store, models).then(
      ({ far }) => {
        start(models.filter((one) => !far.includes(one)));
        start(far);
      },
      (error: unknown) => {
        observer.onError('read models', error);
        start(models);
      },
    );
    return async () => {
      await started;
      await Promise.all(projectors.map((projector) => projector.stop()));
    };
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
