import type { ReadModelStore } from '#documents';
import type { EventStore } from '#event-store';
import type { Instant } from '#kernel';
import { CHECKPOINTS, loadCheckpoints } from './checkpoints.js';
import { collectionName, GENERATIONS, generationsOf } from './generations.js';
import { type Lag, lagAt } from './lag.js';
import type { Projection } from './projection.js';

/** Where a read model stands, as the stores have it. */
export interface Standing {
  readonly projection: string;
  readonly version: number;
  /** The generation that is read. */
  readonly generation: number;
  /** One that is being built, or was when its rebuild was interrupted; null: none. */
  readonly building: number | null;
  readonly lag: Lag;
}

/** Where read models stand at the instant `now`, whoever projects them. */
export const standings = async (
  events: EventStore,
  store: ReadModelStore,
  projections: readonly Projection<object>[],
  now: Instant,
): Promise<readonly Standing[]> => {
  await store.prepare(CHECKPOINTS);
  await store.prepare(GENERATIONS);
  const found = new Map<string, Omit<Standing, 'lag'>>();
  for (const projection of projections) {
    const { live, building } = await generationsOf(store, projection);
    const { name, version } = projection;
    found.set(collectionName(projection, live), { projection: name, version, generation: live, building });
  }
  const stored = await loadCheckpoints(store, [...found.keys()]);
  const lags = await lagAt(events, new Map([...found.keys()].map((name) => [name, stored.get(name) ?? null])), now);
  return [...lags].flatMap(([collection, lag]) => {
    const one = found.get(collection);
    return one ? [{ ...one, lag }] : [];
  });
};
