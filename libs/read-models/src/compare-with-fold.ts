import type { Document, ReadModelStore } from '#documents';
import { BEGINNING, type EventStore, LogUpTo, type Position, shareOf } from '#event-store';
import { canonicalJson, SystemClock } from '#kernel';
import { CHECKPOINTS, loadCheckpoints } from './checkpoints.js';
import { collectionName, GENERATIONS, generationsOf, liveCollections } from './generations.js';
import type { Projection } from './projection.js';
import { Projected } from './projected.js';
import { prepareCollections } from './start-projecting.js';
import { Projector } from './projector.js';

/** How many documents are compared at a time. */
const PAGE = 256;

export interface WrongDocument {
  readonly readModel: string;
  readonly id: string;
  readonly message: string;
}

export interface ComparedReadModel {
  readonly readModel: string;
  /** How many documents were compared, and how many are newer than the place up to which the log was folded. */
  readonly compared: number;
  readonly newer: number;
  readonly wrong: readonly WrongDocument[];
}

export interface AheadOfLog {
  readonly readModel: string;
  readonly id: string;
  readonly position: Position;
  readonly end: Position;
}

export interface ComparedStores {
  readonly events: EventStore;
  readonly store: ReadModelStore;
  readonly fresh: ReadModelStore;
}

/** Compares read models with a fresh fold up to the least advanced; null: none is built. `ahead`: an event is missing. @throws ProjectionStopped */
export const compareWithFold = async (
  projections: readonly Projection<object>[],
  { events, store, fresh }: ComparedStores,
  onProgress: (share: number) => void,
): Promise<{
  readonly upTo: Position;
  readonly readModels: readonly ComparedReadModel[];
  readonly ahead: AheadOfLog | null;
} | null> => {
  await store.prepare(CHECKPOINTS);
  await store.prepare(GENERATIONS);
  const live = await liveCollections(store, projections);
  const checkpoints = await loadCheckpoints(store, [...live.values()]);
  const built = projections.filter((projection) => checkpoints.has(live.get(projection) ?? ''));
  const [least] = [...checkpoints.values()].map(({ position }) => position).toSorted();
  if (least === undefined || least === BEGINNING) return null;
  const end = await endOf(events);
  const upTo = least < end ? least : end;
  if (upTo > BEGINNING) await buildUpTo(built, upTo, { events, store: fresh }, onProgress);
  const readModels: ComparedReadModel[] = [];
  let latest: Omit<AheadOfLog, 'end'> | null = null;
  const see = (readModel: string, id: string, position: Position): void => {
    if (position > (latest?.position ?? BEGINNING)) latest = { readModel, id, position };
  };
  for (const projection of built) {
    const name = live.get(projection) ?? '';
    await store.prepare({ name, indexes: projection.indexes });
    if (upTo === BEGINNING) await fresh.prepare({ name: collectionName(projection, 1), indexes: projection.indexes });
    readModels.push(
      await compare(projection, { store, name }, { store: fresh, name: collectionName(projection, 1) }, upTo, see),
    );
  }
  return { upTo, readModels, ahead: await aheadOf(events, latest) };
};

const endOf = async (events: EventStore): Promise<Position> => (await events.head())?.position ?? BEGINNING;

/** A running service goes on: the end of the log is read again, after what was seen of it. */
const aheadOf = async (events: EventStore, latest: Omit<AheadOfLog, 'end'> | null): Promise<AheadOfLog | null> => {
  const end = await endOf(events);
  return latest && latest.position > end ? { ...latest, end } : null;
};

interface Stored {
  readonly store: ReadModelStore;
  readonly name: string;
}

const compare = async (
  { name: readModel }: Projection<object>,
  live: Stored,
  fresh: Stored,
  upTo: Position,
  see: (readModel: string, id: string, position: Position) => void,
): Promise<ComparedReadModel> => {
  const wrong: WrongDocument[] = [];
  let [compared, newer] = [0, 0];
  for await (const [ids, ours, theirs] of pagesOf(fresh, live)) {
    for (const id of ids) {
      const [folded, stored] = [theirs.get(id), ours.get(id)];
      if ((stored?.position ?? '') > upTo) {
        newer += 1;
        continue;
      }
      compared += 1;
      if (canonicalJson(stored?.body ?? null) === canonicalJson(folded?.body ?? null)) continue;
      const message = stored?.body ? 'it is not what the events make of it' : 'it is missing';
      wrong.push({ readModel, id, message });
    }
  }
  for await (const [ids, ours, theirs] of pagesOf(live, fresh)) {
    for (const id of ids) {
      const [stored, folded] = [theirs.get(id), ours.get(id)];
      if (stored) see(readModel, id, stored.position);
      if (folded?.body || (stored?.position ?? '') > upTo) continue;
      compared += 1;
      wrong.push({ readModel, id, message: 'no event makes it' });
    }
  }
  return { readModel, compared, newer, wrong };
};

/** The documents of one collection, page by page: their ids, and what the other and this one have under them. */
async function* pagesOf(one: Stored, other: Stored) {
  for (let after: string | null = null; ;) {
    const page: readonly Document<unknown>[] = await one.store.scan(one.name, after, PAGE);
    const ids = page.map(({ id }) => id);
    if (ids.length > 0) yield [ids, await byId(other, ids), await byId(one, ids)] as const;
    after = ids.at(-1) ?? null;
    if (page.length < PAGE) return;
  }
}

const byId = async ({ store, name }: Stored, ids: readonly string[]) =>
  new Map((await store.getGuarded(name, ids)).map((document) => [document.id, document]));

/** Builds read models as at `end` in an empty store. `onProgress`: 0 to 1. @throws ProjectionStopped; what the stores throw */
export const buildUpTo = async (
  projections: readonly Projection<object>[],
  end: Position,
  { events, store }: { readonly events: EventStore; readonly store: ReadModelStore },
  onProgress: (share: number) => void,
): Promise<void> => {
  await store.prepare(GENERATIONS);
  const clock = new SystemClock();
  const models: Projected[] = [];
  for (const projection of projections) {
    const { live } = await generationsOf(store, projection);
    models.push(new Projected(projection, collectionName(projection, live), clock));
  }
  await prepareCollections(store, models);
  let fail: (error: unknown) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => (fail = reject));
  const projector = new Projector(models, {
    ...{ events: new LogUpTo(events, end), store, clock, end },
    onError: (_, error) => fail(error),
    onReached: () => {
      const least = models.map(({ progress }) => progress.position).reduce((one, other) => (one < other ? one : other));
      onProgress(shareOf(least, end));
    },
  });
  projector.start();
  try {
    await Promise.race([failed, Promise.all(models.map((model) => model.caughtUp(end)))]);
  } finally {
    await projector.stop();
  }
};
