import type { EventData } from '#events';
import { createHash } from 'node:crypto';
import { canonicalJson } from '#kernel';
import type { EventMetadata } from './event-store.port.js';

/** What the first event of a stream chains from: 32 zero bytes (rule 27). */
export const CHAIN_START = '0'.repeat(64);

/** What an event's hash covers beside the hash before it. */
export interface HashedEvent {
  /** The logical name, without an adapter's namespace prefix. */
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly data: EventData;
  readonly metadata: Omit<EventMetadata, 'hash'>;
}

/** hex(SHA-256(32 raw bytes of the previous hash ‖ UTF-8 of the event's canonical JSON)) (rule 27). */
export const chainedHash = (previous: string, { stream, revision, type, data, metadata }: HashedEvent): string =>
  createHash('sha256')
    .update(previous, 'hex')
    .update(canonicalJson({ stream, revision, type, data, metadata }), 'utf8')
    .digest('hex');
