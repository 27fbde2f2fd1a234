import type { AnyEvent, EventData, StreamType } from '#events';
import type { Context, Ids, Instant } from '#kernel';
import type { EventToAppend } from './event-store.port.js';
import { chainedHash } from './hash-chain.js';

/** The envelope's part that is the same for all events of one append. */
interface Envelope {
  readonly now: Instant;
  readonly context: Context;
  readonly ids: Ids;
}

/** Builds the bytes of events once: ids, times, and the hash chain on from the stream's last event (rules 12 and 27). */
export const encodeEvents = (
  type: Pick<StreamType<never, unknown, never, AnyEvent>, 'versionOf'>,
  stream: string,
  last: { readonly revision: number; readonly hash: string },
  events: readonly AnyEvent[],
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
      schemaVersion: type.versionOf(event.type),
    };
    revision += 1;
    hash = chainedHash(hash, { stream, revision, type: event.type, data, metadata: unchained });
    return { type: event.type, data, metadata: { ...unchained, hash } };
  });
};
