import type { RawEvent } from '#event-store';
import { hash } from 'node:crypto';
import { type Breach, CHAIN_START, hashedBytes, Names, Records } from '#verifier';
import type { Envelope } from './envelope.js';

/** Of every stream: its last hash, the number of its events, the time of the last one. */
const [HASH, LENGTH, TIME, WIDTH] = [0, 32, 36, 44];

/** Checks the chains of all streams at once, event by event in the order of the log (docs/consistency.md, rules 16 and 27). */
export class Chains {
  private readonly streams = new Names();
  private readonly ends = new Records(WIDTH);

  /** How many streams there are. */
  get size(): number {
    return this.streams.size;
  }

  /** What is wrong with the next event; `isHashed`: whether its hash is computed, or taken as it is stated. */
  next({ stream, revision, type, data }: RawEvent, { metadata, unchained }: Envelope, isHashed: boolean): Breach[] {
    const { ends } = this;
    const number = this.streams.of(stream);
    const length = ends.u32(number, LENGTH);
    const last = ends.bytes(number, HASH, 32);
    const breaches: Breach[] = [];
    const tell = (rule: string, message: string) => breaches.push({ rule, stream, revision, message });
    if (revision !== length) tell('revision', `revision ${revision} stands where ${length} belongs`);
    else if (isHashed) {
      const previous = length === 0 ? CHAIN_START : last;
      const bytes = hashedBytes(previous, { stream, revision, type, data, metadata: unchained });
      if (hash('sha256', bytes, 'hex') !== metadata.hash)
        tell('chain', 'its hash is not that of its content after the event before it');
    }
    const at = Date.parse(metadata.occurredAt);
    if (!(at >= ends.f64(number, TIME))) tell('time', `${metadata.occurredAt} is earlier than the event before it`);
    else ends.setF64(number, TIME, at);
    last.set(Buffer.from(metadata.hash, 'hex'));
    ends.setU32(number, LENGTH, revision + 1);
    return breaches;
  }
}
