import { type Context, type Ids, type Instant } from '#kernel';
import { schemaVersionOf } from '#events';
import type { EventData, EventToAppend } from './event-store.port.js';
import { chainedHash } from './hash-chain.js';

/** The envelope's part that is the same for all events of one append. */
interface Envelope {
  readonly now: Instant;
  readonly context: Context;
  readonly ids: Ids;
}

/** Builds the bytes of events once: ids, times, and the hash chain on from the stream's last event (rules 12 and 27). */
export const encodeEvents = (
  stream: string,
  last: { readonly revision: number; readonly hash: string },
  events: readonly { readonly type: string; readonly data: object }[],
  { now, context, ids }: Envelope,
): readonly EventToAppend[] => {
  let { revision, hash } = last;
  return events.map((event) => {
    const data = event.data as EventData;
    const unchained = {
      eventId: ids.next(),
      occurredAt: now,
      actor: context.actor,
      $correlationId: context.correlationId,
      $causationId: context.causationId,
      schemaVersion: schemaVersionOf(event.type),
    };
    revision += 1;
    hash = chainedHash(hash, { stream, revision, type: event.type, data, metadata: unchained });
    return { type: event.type, data, metadata: { ...unchained, hash } };
  });
};
