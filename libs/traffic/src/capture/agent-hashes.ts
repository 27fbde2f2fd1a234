import { createHmac, randomBytes } from 'node:crypto';
import type { Instant } from '#kernel';

/** Enough of a hash to tell thousands apart. */
const LENGTH = 10;

/**
 * What may be written down of an agent. A client's hash is keyed by a secret of the service, so that all processes agree on
 * it. That of an address is salted with random bytes of this process and UTC day which are stored nowhere: afterwards
 * nobody can tell whose it was (design.md §5, Agent traffic).
 */
export class AgentHashes {
  private day = '';
  private salt = randomBytes(32);

  constructor(private readonly key: Buffer) {}

  /** The hash of a client (`hasToken`), or of an address and family, that called at an instant. */
  of(agent: string, hasToken: boolean, at: Instant): string {
    const key = hasToken ? this.key : this.saltOf(at.slice(0, 10));
    return createHmac('sha256', key).update(agent).digest('base64url').slice(0, LENGTH);
  }

  private saltOf(day: string): Buffer {
    // What is counted late, of a day before, gets the salt of now: it may count twice, and is told no better.
    if (day > this.day) [this.day, this.salt] = [day, randomBytes(32)];
    return this.salt;
  }
}
