import type { CollectionSpec, Document, ReadModelStore } from '#documents';
import { type Position } from '#event-store';
import { DomainError, type Instant, type Party, partyKey } from '#kernel';
import type { EventType } from './event-types.js';

/** Where the places of public events are kept, for 30 days, each under its key: an index goes on by it among those of an agent. */
export const OUTBOX: CollectionSpec = { name: 'outbox', indexes: [{ fields: ['agent'] }] };

/** How long (ms) a public event can be asked for. */
export const KEPT = 30 * 86_400_000;

/** Where one public event stands, and its owner: its content is folded from its stream when it is asked for. */
export interface Place extends Party {
  /** Position in the log, then the number among the public events of one stored event: sorts as text. */
  readonly key: string;
  /** The event's public id, stable for ever; letters, digits and underscores. */
  readonly id: string;
  readonly type: EventType;
  /** In which order is kept: the mandate of an order or a mandate, a flight, or an agent. */
  readonly lane: string;
  readonly stream: string;
  readonly revision: number;
  readonly at: Instant;
  /** The orders of this agent that a cancelled flight concerns. */
  readonly orderIds?: readonly string[];
}

export const keyAt = (position: Position, number: number): string => `${position}.${String(number).padStart(6, '0')}`;

/** The last key that a position may have: everything up to it has been read. */
export const lastKeyAt = (position: Position): string => keyAt(position, 999_999);

/** A key before all others. */
export const FIRST_KEY = keyAt('0'.repeat(20), 0);

const KEY = /^(\d{20})\.(\d{6})$/;

/** A key as callers know it: opaque to them. */
export const cursorOf = (key: string): string => Buffer.from(key).toString('base64url');

/** The key of a cursor. @throws DomainError `invalid_cursor` */
export const keyOf = (cursor: string): string => {
  const key = Buffer.from(cursor, 'base64url').toString('latin1');
  if (!KEY.test(key) || cursorOf(key) !== cursor) throw new DomainError('invalid_cursor');
  return key;
};

/** Of whom places are read: an agent of a traveller, or everybody. */
export type Whose = Party | 'everybody';

/** Places after `after` (null: from the first kept) up to `upTo`, oldest first. */
export const placesAfter = async (
  store: ReadModelStore,
  {
    whose,
    after,
    upTo,
    limit,
  }: { readonly whose: Whose; readonly after: string | null; readonly upTo: string; readonly limit: number },
): Promise<readonly Place[]> => {
  const agent = whose === 'everybody' ? null : partyKey(whose);
  const found =
    agent === null
      ? await store.scan<StoredPlace>(OUTBOX.name, after, limit)
      : await store.find<StoredPlace>(OUTBOX.name, {
          where: [{ field: 'agent', equals: agent }],
          sort: { field: 'agent', direction: 'ascending' },
          after: { value: agent, id: after ?? '' },
          limit,
        });
  return found.filter(({ id }) => id <= upTo).map(placeIn);
};

/** What is stored of a place, under its key. */
type StoredPlace = Omit<Place, 'key'> & { readonly agent: string };

const placeIn = ({ id: key, body: { agent: _, ...place } }: Document<StoredPlace>): Place => ({ ...place, key });

/** Stores places; those that are there already stay as they are. */
export const writePlaces = async (store: ReadModelStore, places: readonly Place[]): Promise<void> => {
  if (places.length === 0) return;
  const writes = places.map(({ key, ...place }) => {
    const body: StoredPlace = { ...place, agent: partyKey(place) };
    return { id: key, body, position: positionIn(key), isNew: true };
  });
  await store.putGuarded(OUTBOX.name, writes);
};

export const positionIn = (key: string): Position => key.slice(0, 20);

/** The document that says up to which key places were deleted. */
const HORIZON = 'horizon';

/** Up to which key places may have been deleted; null: none was. */
export const horizonOf = async (store: ReadModelStore): Promise<string | null> =>
  (await store.get<{ readonly upTo: string }>(OUTBOX.name, HORIZON))?.body.upTo ?? null;

/** At most so many places are deleted at once. */
const AT_ONCE = 2_000;

/** Later than any position: a deleted place takes no write. */
const NEVER: Position = '9'.repeat(20);

/** Deletes places of before `oldest`, the oldest first; returns how many, at most some thousand. */
export const forgetPlaces = async (store: ReadModelStore, oldest: Instant): Promise<number> => {
  const found = (await store.scan<StoredPlace>(OUTBOX.name, null, AT_ONCE)).filter(({ id }) => id !== HORIZON);
  const end = found.findIndex(({ body }) => body.at >= oldest);
  const old = end < 0 ? found : found.slice(0, end);
  const last = old.at(-1);
  if (!last) return 0;
  const position = positionIn(last.id);
  const isNew = (await horizonOf(store)) === null;
  await store.putGuarded(OUTBOX.name, [{ id: HORIZON, body: { upTo: lastKeyAt(position) }, position, isNew }]);
  await store.putGuarded(
    OUTBOX.name,
    old.map(({ id }) => ({ id, body: null, position: NEVER, isNew: false })),
  );
  return old.length;
};
