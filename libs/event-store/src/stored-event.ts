import type { EventData } from '#events';
import type { Actor, Instant } from '#kernel';
import type { Position } from './position.js';

/** The envelope of an event (docs/decisions.md, Streams and events). `$correlationId` and `$causationId` are EventStoreDB's own names. */
export interface EventMetadata {
  readonly eventId: string;
  readonly occurredAt: Instant;
  readonly actor: Actor;
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
