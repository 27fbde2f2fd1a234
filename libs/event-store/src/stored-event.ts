import { type AnyEvent, categoryOf, type EventData, type StreamType } from '#events';
import { type Actor, canonicalJson, type Context, type Ids, type Instant, type Party } from '#kernel';
import { hash } from 'node:crypto';
import { StreamDamaged } from './event-store.errors.js';

/** A place in the log: 20 zero-padded digits, ordered as strings (rule 23). Never a number, never part of a hash. */
export type Position = string;

export const BEGINNING: Position = '0'.repeat(20);

export const positionOf = (place: number | bigint): Position => place.toString().padStart(20, '0');

/** How far the log has been read: everything up to and including `position`. */
export interface Checkpoint {
  readonly position: Position;
}

/** How much of the log up to `end` is up to and including `position`: 0 to 1, in thousandths. */
export const shareOf = (position: Position, end: Position): number =>
  Math.min(1, Number((BigInt(position) * 1_000n) / BigInt(end)) / 1_000);

export const NO_STREAM = -1;

/** Whether a stream is of one of these categories; null: all streams are. */
export const isOf = (categories: readonly string[] | null, stream: string): boolean =>
  categories?.includes(categoryOf(stream)) ?? true;

/** The envelope of an event (docs/decisions.md, Streams and events). `$correlationId` and `$causationId` are EventStoreDB's own names. */
export interface EventMetadata {
  readonly eventId: string;
  readonly occurredAt: Instant;
  readonly actor: Actor;
  /** The owner of the event, where somebody else was the actor. Absent in events of before. */
  readonly party?: Party;
  readonly $correlationId: string;
  readonly $causationId: string;
  readonly schemaVersion: number;
  /** Hex SHA-256 that chains this event to the one before it in its stream (rule 27). */
  readonly hash: string;
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Whether an event has the envelope that `append` writes: on a server without namespaces others have streams as well. */
export const hasEnvelope = (metadata: unknown): metadata is EventMetadata =>
  typeof metadata === 'object' &&
  metadata !== null &&
  'hash' in metadata &&
  'occurredAt' in metadata &&
  typeof metadata.hash === 'string' &&
  typeof metadata.occurredAt === 'string' &&
  INSTANT.test(metadata.occurredAt);

/** An event ready to be sent, and sent again, byte for byte: the store keeps these bytes. */
export interface EventToAppend {
  /** The `eventId` of its metadata. */
  readonly id: string;
  readonly type: string;
  /** Canonical JSON (RFC 8785) of an object. */
  readonly data: string;
  /** Canonical JSON (RFC 8785) of `EventMetadata`. */
  readonly metadata: string;
}

export interface StoredEvent {
  readonly stream: string;
  readonly type: string;
  readonly data: EventData;
  readonly metadata: EventMetadata;
  /** Place in its stream; the first is 0. */
  readonly revision: number;
  readonly position: Position;
  /** Data and metadata as they are stored, where the store has them at hand: to check the hash without writing JSON anew. */
  readonly bytes?: Pick<EventToAppend, 'data' | 'metadata'>;
}

/** The hash that the first event of a stream chains from: 32 zero bytes (docs/consistency.md, rule 27). */
export const CHAIN_START = '0'.repeat(64);

interface Envelope {
  readonly now: Instant;
  readonly context: Context;
  /** The owner of the stream; null: nobody. */
  readonly party: Party | null;
  readonly ids: Ids;
}

interface EncodedEvents {
  readonly events: readonly EventToAppend[];
  readonly hash: string;
}

/** Builds the bytes of events once: ids, times and the hash chain over the canonical JSON (rules 12 and 27). */
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

/** Where the bytes are that are being hashed: one call on one buffer takes half as long as a hash that is updated. */
let hashed = Buffer.allocUnsafe(16 * 1024);

/** hex(SHA-256(32 raw bytes of the previous hash ‖ UTF-8 of the event's canonical JSON)) (rule 27). */
export const chainedHash = (previous: string, { stream, revision, type, data, metadata }: HashedEvent): string => {
  const place = `"revision":${revision},"stream":${JSON.stringify(stream)},"type":${JSON.stringify(type)}`;
  const text = `{"data":${data},"metadata":${metadata},${place}}`;
  // A character of a string has three bytes at most.
  if (hashed.length < 32 + 3 * text.length) hashed = Buffer.allocUnsafe(32 + 3 * text.length);
  const end = hashed.write(previous, 0, 'hex') + hashed.write(text, 32);
  return hash('sha256', hashed.subarray(0, end), 'hex');
};

/** The member `hash` of stored metadata. Inside a JSON string its quotes would be escaped: it stands nowhere else. */
export const HASH_MEMBER = /"hash":"([0-9a-f]{64})",/;

/** The hash that an event has to have after `previous`; JSON that comes back parsed was stored canonical. */
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
