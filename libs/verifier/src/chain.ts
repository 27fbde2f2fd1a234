import type { AuditedEvent, Breach } from './audited-event.js';
import { fromHex, hex } from './bytes.js';
import { canonicalJson } from './canonical-json.js';
import type { Sha256 } from './crypto.js';

/** What the first event of a stream is chained to: 32 zero bytes (docs/consistency.md, rule 27). */
export const CHAIN_START: Uint8Array = new Uint8Array(32);

/** What an event's hash covers beside the hash before it. */
export interface ChainedEvent {
  /** The logical name, without an adapter's namespace prefix. */
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  /** Canonical JSON, as it is stored. */
  readonly data: string;
  /** Canonical JSON, without the member `hash`. */
  readonly metadata: string;
}

const encoder = new TextEncoder();
/** Where what is hashed is put together; it grows with the largest event. */
let buffer = new Uint8Array(16_384);

/** What the SHA-256 of an event is made of: 32 bytes of the hash before ‖ UTF-8 of its canonical JSON. Good until the next call. */
export const hashedBytes = (
  previous: Uint8Array,
  { stream, revision, type, data, metadata }: ChainedEvent,
): Uint8Array => {
  const place = `"revision":${revision},"stream":${JSON.stringify(stream)},"type":${JSON.stringify(type)}`;
  const text = `{"data":${data},"metadata":${metadata},${place}}`;
  if (buffer.length < 32 + 3 * text.length) buffer = new Uint8Array(32 + 6 * text.length);
  buffer.set(previous);
  const { written } = encoder.encodeInto(text, buffer.subarray(32));
  return buffer.subarray(0, 32 + written);
};

/** The hash that an event has to have after `previous`. An event that was parsed gives back the stored bytes: they were canonical. */
export const expectedHash = (sha256: Sha256, previous: Uint8Array, event: AuditedEvent): Uint8Array => {
  const { stream, revision, type, data, metadata } = event;
  const { hash: _, ...unchained } = metadata;
  return sha256(
    hashedBytes(previous, {
      stream,
      revision,
      type,
      data: canonicalJson(data),
      metadata: canonicalJson(unchained),
    }),
  );
};

/** The 32 bytes of a hash in lower-case hex; null: it is none. */
export const hashBytes = (text: string): Uint8Array | null => (/^[0-9a-f]{64}$/.test(text) ? fromHex(text) : null);

/** What breaks a stream's chain: `revision`, `chain` or `time`. Each event is judged by the hash before it, so once a fault. */
export const chainBreaches = (sha256: Sha256, events: Iterable<AuditedEvent>): readonly Breach[] => {
  const chain = new StreamChain(sha256);
  return [...events].flatMap((event) => chain.next(event));
};

/** The same, event by event. */
export class StreamChain {
  private length = 0;
  private previous = CHAIN_START;
  private latest = '';

  constructor(private readonly sha256: Sha256) {}

  next(event: AuditedEvent): readonly Breach[] {
    const { stream, revision, metadata } = event;
    const found: Breach[] = [];
    const report = (rule: string, message: string) => found.push({ rule, stream, revision, message });
    const stated = hashBytes(metadata.hash);
    if (revision !== this.length) report('revision', `revision ${revision} stands where ${this.length} belongs`);
    else if (hex(expectedHash(this.sha256, this.previous, event)) !== metadata.hash)
      report('chain', 'its hash is not that of its content after the event before it');
    if (metadata.occurredAt < this.latest) report('time', `${metadata.occurredAt} is earlier than the event before it`);
    else this.latest = metadata.occurredAt;
    this.length = revision + 1;
    this.previous = stated ?? CHAIN_START;
    return found;
  }
}
