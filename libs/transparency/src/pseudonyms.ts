import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** How many streams are known: the orders, bookings and mandates under way. */
const KNOWN = 4_096;

/**
 * What stands for a stream in the log of logs: base64url of HMAC-SHA-256 of its name. Without the secret nobody learns whose
 * stream it is; with it anybody can tell that a stream has this one pseudonym.
 */
export class Pseudonyms {
  private readonly known = new LRUCache<string, string>({ max: KNOWN });

  constructor(private readonly secret: Uint8Array) {}

  of(stream: string): string {
    const known = this.known.get(stream);
    if (known !== undefined) return known;
    const pseudonym = createHmac('sha256', this.secret).update(stream).digest('base64url');
    this.known.set(stream, pseudonym);
    return pseudonym;
  }
}
