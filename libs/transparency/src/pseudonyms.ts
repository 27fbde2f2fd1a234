import { createHmac } from 'node:crypto';
import { upTo } from '#kernel';
import { LRUCache } from 'lru-cache';
import type { Position } from '#event-store';
import { type ByKey, type ByMark, type ByPseudonym, entryText } from '#verifier';

/** How many streams are known: the orders, bookings and mandates under way. */
const KNOWN = 4_096;

/** Derives the secret of the keys from that of the pseudonyms: a pseudonym is public, and no key may be one. */
const KEYS = 'alcada.event/v2';

export interface EnteredEvent {
  readonly stream: string;
  readonly revision: number;
  readonly hash: string;
  readonly position: Position;
}

/** Names of events in the log (docs/audit-format.md, Entry and log): up to `markedAfter` a stream's, then one for each event. */
export class Pseudonyms {
  private readonly known = new LRUCache<string, string>(upTo(KNOWN));
  private readonly keys = new LRUCache<string, Buffer>(upTo(KNOWN));
  private readonly secretOfKeys: Uint8Array;

  constructor(private readonly secret: Uint8Array) {
    this.secretOfKeys = createHmac('sha256', secret).update(KEYS).digest();
  }

  of(stream: string): string {
    const known = this.known.get(stream);
    if (known !== undefined) return known;
    const pseudonym = createHmac('sha256', this.secret).update(stream).digest('base64url');
    this.known.set(stream, pseudonym);
    return pseudonym;
  }

  /** The key of the marks of a stream: with it every entry of the stream can be found. */
  keyOf(stream: string): Uint8Array {
    const known = this.keys.get(stream);
    if (known !== undefined) return known;
    const key = createHmac('sha256', this.secretOfKeys).update(stream).digest();
    this.keys.set(stream, key);
    return key;
  }

  entryOf({ stream, revision, hash, position }: EnteredEvent, markedAfter: Position): string {
    return entryText(
      position > markedAfter
        ? { mark: this.markOf(stream, revision), hash }
        : { pseudonym: this.of(stream), revision, hash },
    );
  }

  /** As `markOf` of the verifier, which strangers can read and run anywhere: every event of the log passes here. */
  private markOf(stream: string, revision: number): string {
    return createHmac('sha256', this.keyOf(stream)).update(String(revision)).digest('base64url');
  }

  /** What names the entry of an event to who may see this one alone. */
  nameOf({ stream, revision, position }: Omit<EnteredEvent, 'hash'>, markedAfter: Position): ByPseudonym | ByMark {
    return position > markedAfter ? { mark: this.markOf(stream, revision) } : { pseudonym: this.of(stream) };
  }

  /** The same to who may follow its stream. */
  keyedNameOf({ stream, position }: Pick<EnteredEvent, 'stream' | 'position'>, markedAfter: Position): ByKey {
    const key = Buffer.from(this.keyOf(stream)).toString('base64url');
    return position > markedAfter ? { key } : { key, pseudonym: this.of(stream) };
  }
}
