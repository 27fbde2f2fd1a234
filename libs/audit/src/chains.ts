import type { RawEvent } from '#event-store';
import { hash } from 'node:crypto';
import { type Breach, CHAIN_START, hashedBytes, ShardedMap } from '#verifier';
import type { Envelope } from './envelope.js';

/** The end of a stream: its last hash in hex, the number of its events, the time of the last one in milliseconds. */
interface End {
  hash: string;
  length: number;
  time: number;
}

/** Checks the chains of all streams at once, event by event in the order of the log (docs/consistency.md, rules 16 and 27). */
export class Chains {
  private readonly ends = new ShardedMap<End>();

  get size(): number {
    return this.ends.size;
  }

  /** What is wrong with the next event; `isHashed`: whether its hash is computed, or taken as it is stated. */
  next({ stream, revision, type, data }: RawEvent, { metadata, unchained }: Envelope, isHashed: boolean): Breach[] {
    const end = this.ends.of(stream, () => ({ hash: '', length: 0, time: 0 }));
    const { length } = end;
    const breaches: Breach[] = [];
    const report = (rule: string, message: string) => breaches.push({ rule, stream, revision, message });
    if (revision !== length) report('revision', `revision ${revision} stands where ${length} belongs`);
    else if (isHashed) {
      const previous = length === 0 ? CHAIN_START : Buffer.from(end.hash, 'hex');
      const bytes = hashedBytes(previous, { stream, revision, type, data, metadata: unchained });
      if (hash('sha256', bytes, 'hex') !== metadata.hash)
        report('chain', 'its hash is not that of its content after the event before it');
    }
    const at = Date.parse(metadata.occurredAt);
    if (!(at >= end.time)) report('time', `${metadata.occurredAt} is earlier than the event before it`);
    else end.time = at;
    end.hash = metadata.hash;
    end.length = revision + 1;
    return breaches;
  }
}
