import type { Place } from '../places.js';
import type { StoredDelivery } from './deliveries.js';
import type { Webhook } from './stored-webhook.js';

/** A delivery that waits. */
export interface Waiting {
  readonly delivery: StoredDelivery;
  /** From when (ms since 1970) on it may be tried; those behind it wait for it. */
  readonly dueAt: number;
}

/** Something to be sent: for the first time, or again. */
export interface Item {
  readonly place: Place;
  readonly waiting: Waiting | null;
}

/** Whether an endpoint gets the events of its agent itself. */
export const isMeantFor = (
  { body: { since = '', types, subscription } }: Webhook,
  { type, at, lane }: Place,
): boolean => at >= since && types.includes(type) && (subscription?.mandateId ?? lane) === lane;

/** What is to be sent by lane, in the log's order. */
export const byLane = (
  waiting: Iterable<Waiting>,
  places: readonly Place[] = [],
): ReadonlyMap<string, readonly Item[]> => {
  const items = [
    ...[...waiting].map((one): Item => ({ place: one.delivery.place, waiting: one })),
    ...places.map((place): Item => ({ place, waiting: null })),
  ].sort((one, other) => (one.place.key < other.place.key ? -1 : 1));
  const lanes = new Map<string, Item[]>();
  for (const item of items) {
    const lane = lanes.get(item.place.lane);
    if (lane) lane.push(item);
    else lanes.set(item.place.lane, [item]);
  }
  return lanes;
};

/** Works on each, at most `width` at a time. @throws what the first that failed did, once all have ended */
export const sideBySide = async <Work>(
  all: Iterable<Work>,
  width: number,
  work: (one: Work) => Promise<void>,
): Promise<void> => {
  const left = [...all][Symbol.iterator]();
  const workers = Array.from({ length: width }, async () => {
    for (const one of left) await work(one);
  });
  const ended = await Promise.allSettled(workers);
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
};
