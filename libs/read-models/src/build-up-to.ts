import type { ReadModelStore } from '#documents';
import { BEGINNING, type EventStore, LogUpTo, type Position, shareOf } from '#event-store';
import type { Target } from './behind.js';
import { collectionName, GENERATIONS, generationsOf } from './generations.js';
import { passOverLog } from './one-pass.js';
import type { Projection } from './projection.js';
import { prepareCollections } from './projecting.js';
import { ProjectionStopped } from './projector.js';

/**
 * Builds read models as they were when the log ended at `end`, in an empty store. `onProgress`: how much of the log they
 * hold, 0 to 1.
 *
 * @throws ProjectionStopped where an event of the log cannot be read
 */
export const buildUpTo = async (
  projections: readonly Projection<object>[],
  end: Position,
  { events, store }: { readonly events: EventStore; readonly store: ReadModelStore },
  onProgress: (share: number) => void,
): Promise<void> => {
  await store.prepare(GENERATIONS);
  const reached = new Map<string, Position>();
  const targets: Target[] = [];
  for (const projection of projections) {
    const collection = collectionName(projection, (await generationsOf(store, projection)).live);
    reached.set(collection, BEGINNING);
    const reach: Target['reach'] = ({ position }) => {
      reached.set(collection, position);
      const least = [...reached.values()].reduce((one, other) => (one < other ? one : other));
      onProgress(shareOf(least, end));
    };
    targets.push({ projection, collection, reach });
  }
  await prepareCollections(store, targets);
  const whole = await passOverLog(targets, end, {
    events: new LogUpTo(events, end),
    store,
    signal: new AbortController().signal,
  });
  const missing = targets.filter((one) => !whole.includes(one)).map(({ projection }) => projection.name);
  if (missing.length > 0) throw new ProjectionStopped(`not built up to ${end}: ${missing.join(', ')}`);
};
