import type { EventData } from '#events';
import type { Actor, Instant, Party } from '#kernel';

/** A place in the log: 20 zero-padded digits, ordered as strings (rule 23). Never a number, never part of a hash. */
export type Position = string;

/** The position before the first event. */
export const BEGINNING: Position = '0'.repeat(20);

/** The position of a store's own number. */
export const positionOf = (place: number | bigint): Position => place.toString().padStart(20, '0');

/** How far the log has been read: everything up to and including `position`, and the adapter's own token to resume after it. */
export interface Checkpoint {
  readonly position: Position;
  readonly token: string;
}

/** The checkpoint right after the event at `position`. Every adapter takes a position for a token. */
export const checkpointAfter = (position: Position): Checkpoint => ({ position, token: position });

/** How much of the log up to `end` is up to and including `position`: 0 to 1, in thousandths. */
export const shareOf = (position: Position, end: Position): number =>
  Math.min(1, Number((BigInt(position) * 1_000n) / BigInt(end)) / 1_000);

/** Revision of a stream that has no events. */
export const NO_STREAM = -1;

/** The envelope of an event (docs/decisions.md, Streams and events). `$correlationId` and `$causationId` are EventStoreDB's own names. */
export interface EventMetadata {
  readonly eventId: string;
  readonly occurredAt: Instant;
  readonly actor: Actor;
  /** Whose the event is, where somebody else was the actor. Absent in events of before. */
  readonly party?: Party;
  readonly $correlationId: string;
  readonly $causationId: string;
  readonly schemaVersion: number;
  /** Hex SHA-256 that chains this event to the one before it in its stream (rule 27). */
  readonly hash: string;
}

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

/** An event as read back. */
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
