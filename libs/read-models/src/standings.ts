import type { ReadModelStore } from '#documents';
import type { Checkpoint, EventStore, Position } from '#event-store';
import { type Instant, millisecondsOf } from '#kernel';
import { UnreadableEvent } from '#events';
import { CHECKPOINTS, loadCheckpoints } from './checkpoints.js';
import { collectionName, GENERATIONS, generationsOf } from './generations.js';
import { type Projection, recorded } from './projection.js';

export interface Lag {
  /** Positions between it and the end of the log; 0: none. Their unit is the log's own. */
  readonly distance: number;
  /** Seconds since the oldest event happened that it does not hold, of whatever stream; 0: there is none. */
  readonly seconds: number;
}

const NONE: Lag = { distance: 0, seconds: 0 };

/** The lag of read models at `checkpoints`, at `now`: one look at the log's end, and one after each place where any stand. */
export const lagAt = async <Name>(
  events: EventStore,
  checkpoints: ReadonlyMap<Name, Checkpoint | null>,
  now: Instant,
): Promise<ReadonlyMap<Name, Lag>> => {
  const head = await events.head();
  const known = new Map<string | undefined, Promise<Lag>>();
  const lagFrom = async (checkpoint: Checkpoint | null): Promise<Lag> => {
    if (!head || head.position <= (checkpoint?.position ?? '')) return NONE;
    const distance = Number(BigInt(head.position) - BigInt(checkpoint?.position ?? 0));
    for await (const { metadata } of events.readAll(checkpoint))
      return { distance, seconds: Math.max(0, millisecondsOf(now) - millisecondsOf(metadata.occurredAt)) / 1_000 };
    return NONE;
  };
  const entries = [...checkpoints].map(async ([name, checkpoint]) => {
    const lag = known.get(checkpoint?.position) ?? lagFrom(checkpoint);
    known.set(checkpoint?.position, lag);
    return [name, await lag] as const;
  });
  return new Map(await Promise.all(entries));
};

export interface Standing {
  readonly projection: string;
  readonly version: number;
  /** The generation that is read. */
  readonly generation: number;
  /** One that is being built, or was when its rebuild was interrupted; null: none. */
  readonly building: number | null;
  readonly lag: Lag;
  /** The event that stops it, since this program cannot read it; null: none does. */
  readonly unread: UnreadEvent | null;
}

export const standings = async (
  events: EventStore,
  store: ReadModelStore,
  projections: readonly Projection<object>[],
  now: Instant,
): Promise<readonly Standing[]> => {
  await store.prepare(CHECKPOINTS);
  await store.prepare(GENERATIONS);
  const found = new Map<
    string,
    { readonly of: Projection<object>; readonly generation: number; readonly building: number | null }
  >();
  for (const projection of projections) {
    const { live, building } = await generationsOf(store, projection);
    found.set(collectionName(projection, live), { of: projection, generation: live, building });
  }
  const stored = await loadCheckpoints(store, [...found.keys()]);
  const lags = await lagAt(events, new Map([...found.keys()].map((name) => [name, stored.get(name) ?? null])), now);
  const standing: Standing[] = [];
  for (const [collection, { of, generation, building }] of found) {
    const lag = lags.get(collection) ?? NONE;
    const unread = await unreadAfter(events, of, stored.get(collection) ?? null);
    standing.push({ projection: of.name, version: of.version, generation, building, lag, unread });
  }
  return standing;
};

/** How many events after a checkpoint are looked at: as many as a projector handles together, and as many again. */
const LOOKED_AT = 2_000;

/** An event at which a read model has stopped, since this program cannot read it. */
export interface UnreadEvent {
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
  /** Why it cannot. */
  readonly message: string;
}

/** The event that a projection at `checkpoint` does not get past; null: none. A subscription would wait on a damaged log. */
export const unreadAfter = async (
  events: EventStore,
  projection: Projection<object>,
  checkpoint: Checkpoint | null,
): Promise<UnreadEvent | null> => {
  const categories = projection.from.map(({ category }) => category);
  let looked = 0;
  for await (const event of events.readCategories(checkpoint, categories)) {
    looked += 1;
    if (looked > LOOKED_AT) break;
    try {
      recorded(projection, event);
    } catch (error) {
      if (!(error instanceof UnreadableEvent)) throw error;
      const { stream, revision, position } = event;
      return { stream, revision, position, message: error.message };
    }
  }
  return null;
};
