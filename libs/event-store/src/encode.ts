import { createHash } from 'node:crypto';
import type { AnyEvent, StreamType } from '#events';
import { canonicalJson, type Context, type Ids, type Instant, type Party } from '#kernel';
import { StreamDamaged } from './event-store.errors.js';
import { type EventToAppend, type StoredEvent } from './event-store.port.js';

/** The hash that the first event of a stream chains from: 32 zero bytes (docs/consistency.md, rule 27). */
export const CHAIN_START = '0'.repeat(64);

/** What the events of one append have in common in their envelopes. */
interface Envelope {
  readonly now: Instant;
  readonly context: Context;
  /** Whose the stream is; null: nobody's. */
  readonly party: Party | null;
  readonly ids: Ids;
}

/** Events ready to be appended, and the hash of the last one. */
export interface EncodedEvents {
  readonly events: readonly EventToAppend[];
  readonly hash: string;
}

/**
 * Builds the bytes of events once: ids, times, and the hash chain on from the stream's last event (rules 12 and 27). Data
 * and metadata are canonical JSON, so that the hash is taken over the stored bytes and never serialises them again.
 */
export const encodeEvents = (
  type: Pick<StreamType<never, unknown, never, AnyEvent>, 'versionOf'>,
  stream: string,
  last: { readonly revision: number; readonly hash: string },
  events: readonly AnyEvent[],
  { now, context: { actor, correlationId, causationId }, party, ids }: Envelope,
): EncodedEvents => {
  let { revision, hash } = last;
  // The members of the metadata in their canonical order, `hash` left out between `eventId` and `occurredAt`.
  const cause = `"$causationId":${JSON.stringify(causationId)},"$correlationId":${JSON.stringify(correlationId)}`;
  const head = `{${cause},"actor":${canonicalJson(actor)},"eventId":`;
  const isOthers = party && (actor.holder !== party.holder || actor.clientId !== party.clientId);
  const whose = isOthers ? `"party":${canonicalJson(party)},` : '';
  const encoded = events.map((event) => {
    const id = ids.next();
    const data = canonicalJson(event.data);
    const before = `${head}${JSON.stringify(id)},`;
    const after = `"occurredAt":${JSON.stringify(now)},${whose}"schemaVersion":${type.versionOf(event.type)}}`;
    revision += 1;
    hash = chainedHash(hash, { stream, revision, type: event.type, data, metadata: before + after });
    return { id, type: event.type, data, metadata: `${before}"hash":"${hash}",${after}` };
  });
  return { events: encoded, hash };
};

/** What an event's hash covers beside the hash before it. */
export interface HashedEvent {
  /** The logical name, without an adapter's namespace prefix. */
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  /** Canonical JSON. */
  readonly data: string;
  /** Canonical JSON, without the member `hash`. */
  readonly metadata: string;
}

/** hex(SHA-256(32 raw bytes of the previous hash ‖ UTF-8 of the event's canonical JSON)) (rule 27). */
export const chainedHash = (previous: string, { stream, revision, type, data, metadata }: HashedEvent): string => {
  const place = `"revision":${revision},"stream":${JSON.stringify(stream)},"type":${JSON.stringify(type)}`;
  return createHash('sha256')
    .update(previous, 'hex')
    .update(`{"data":${data},"metadata":${metadata},${place}}`, 'utf8')
    .digest('hex');
};

/** The member `hash` of stored metadata. Inside a JSON string its quotes would be escaped: it stands nowhere else. */
export const HASH_MEMBER = /"hash":"([0-9a-f]{64})",/;

/**
 * The hash that an event has to have after `previous`. A store that gives back JSON already parsed gives back the stored
 * bytes all the same: they were canonical, and an event of any other bytes has another hash or the same content.
 */
export const expectedHash = (previous: string, stored: StoredEvent): string => {
  const { stream, revision, type, bytes } = stored;
  const { data, metadata } = bytes ?? { data: canonicalJson(stored.data), metadata: canonicalJson(stored.metadata) };
  return chainedHash(previous, { stream, revision, type, data, metadata: metadata.replace(HASH_MEMBER, '') });
};

/** Where a chain has come to: the last event of it and its hash. */
export interface ChainEnd {
  readonly revision: number;
  readonly hash: string;
}

/** Checks that an event is the next of its stream, as it was written (docs/adr/0103-the-stored-form-is-checked.md). @throws StreamDamaged */
export const checkChained = (stream: string, { revision, hash }: ChainEnd, event: StoredEvent): void => {
  const isNext = event.stream === stream && event.revision === revision + 1;
  if (!isNext) throw new StreamDamaged(stream, revision + 1, `the event at ${event.stream}@${event.revision} is there`);
  if (expectedHash(hash, event) !== event.metadata.hash) {
    throw new StreamDamaged(stream, event.revision, 'it is not what was written after the event before it');
  }
};

/** The events of a stream after `from`, each checked. @throws StreamDamaged */
export async function* chained(
  stream: string,
  events: AsyncIterable<StoredEvent>,
  from: ChainEnd,
): AsyncGenerator<StoredEvent> {
  let end = from;
  for await (const event of events) {
    checkChained(stream, end, event);
    yield event;
    end = { revision: event.revision, hash: event.metadata.hash };
  }
}
