import type { EventData } from '#events';
import { canonicalJson } from '#kernel';
import { randomUUID } from 'node:crypto';
import type { Delivery, EventStore, EventToAppend, StoredEvent } from '../event-store.port.js';
import type { Checkpoint } from '../stored-event.js';

/** An event as a store takes it, with an id of its own. Stores look at nothing but its form. */
export const sample = (data: EventData = {}): EventToAppend => {
  const eventId = randomUUID();
  const metadata = {
    eventId,
    occurredAt: '2026-01-15T12:00:00.000Z',
    actor: { holder: null, clientId: null },
    $correlationId: randomUUID(),
    $causationId: randomUUID(),
    schemaVersion: 1,
    hash: 'ab'.repeat(32),
  };
  return { id: eventId, type: 'Noted', data: canonicalJson(data), metadata: canonicalJson(metadata) };
};

/** What a stored event has of the event that was appended; its JSON is canonical again. */
export const asAppended = ({ type, data, metadata }: StoredEvent): EventToAppend => ({
  id: metadata.eventId,
  type,
  data: canonicalJson(data),
  metadata: canonicalJson(metadata),
});

/** Events numbered in their data: `{ n: from }` and on. */
export const samples = (count: number, from = 0): readonly EventToAppend[] =>
  Array.from({ length: count }, (_, place) => sample({ n: from + place }));

/** A category that no other test uses, since a server's log may be shared. */
export const newCategory = (): string => `c${randomUUID().replaceAll('-', '')}`;

export const all = async <Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> => {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
};

/** Deliveries up to the one that `isLast` says, after which the subscription is ended. */
export const deliveries = async (
  store: EventStore,
  options: { readonly after: Checkpoint | null; readonly categories: readonly string[] | null },
  isLast: (delivery: Delivery, soFar: readonly Delivery[]) => boolean,
): Promise<readonly Delivery[]> => {
  const found: Delivery[] = [];
  const over = new AbortController();
  for await (const delivery of store.subscribe({ ...options, signal: over.signal })) {
    found.push(delivery);
    if (isLast(delivery, found)) over.abort();
  }
  return found;
};

export const eventsOf = (found: readonly Delivery[]): readonly StoredEvent[] =>
  found.flatMap(({ event }) => (event ? [event] : []));

/** For `deliveries`: ends with the `count`th event. */
export const untilEvents = (count: number) => (_: Delivery, soFar: readonly Delivery[]) =>
  eventsOf(soFar).length === count;

export const endOf = async (store: EventStore): Promise<Checkpoint> => {
  const marker = newCategory();
  await store.append(`${marker}-1`, -1, [sample()]);
  const [last] = await deliveries(store, { after: null, categories: [marker] }, untilEvents(1)).then((found) =>
    found.slice(-1),
  );
  if (!last) throw new Error('no delivery');
  return last.checkpoint;
};

export const numbersOf = (events: readonly StoredEvent[]): readonly unknown[] => events.map(({ data }) => data['n']);

/** 0 to `count` - 1. */
export const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n);
