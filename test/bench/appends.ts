import { randomUUID } from 'node:crypto';
import { flights } from '#catalog';
import { type EventStore, type EventToAppend, NO_STREAM } from '#event-store';
import { canonicalJson } from '#kernel';
import { side } from './numbers.js';

export const IN_FLIGHT = 64;

/** An event as it lies in the log of a running service: a real one, so that the decoder has its work. */
const event = (): EventToAppend => {
  const instant = '2026-01-15T12:00:00.000Z';
  const data = { orderId: randomUUID(), seats: 2, holdBefore: instant, heldAt: instant };
  const metadata = {
    eventId: randomUUID(),
    occurredAt: instant,
    actor: { holder: randomUUID(), clientId: 'pilot' },
    $correlationId: randomUUID(),
    $causationId: randomUUID(),
    schemaVersion: 1,
    hash: 'ab'.repeat(32),
  };
  const json = { data: canonicalJson(data), metadata: canonicalJson(metadata) };
  return { id: metadata.eventId, type: 'SeatsHeld', ...json };
};

/** Appends single events to streams of their own, 64 in flight. */
export const appends = (
  count: number,
  append: (stream: string, sent: EventToAppend) => Promise<unknown>,
): Promise<void> =>
  side(IN_FLIGHT, Array.from({ length: count }, event), (sent) => append(flights.streamOf(sent.id), sent));

export const through = (store: EventStore) => (stream: string, sent: EventToAppend) =>
  store.append(stream, NO_STREAM, [sent]);
