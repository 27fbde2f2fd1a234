import { createHmac, randomBytes } from 'node:crypto';
import type { Instant } from '#kernel';
import { addressHash } from '../figures/agents.rule.js';

/** Enough of a hash to tell thousands apart. */
const LENGTH = 10;

/** What addresses are hashed with for a day, and what that is called where their hashes are written down. */
interface Salt {
  readonly day: string;
  readonly bytes: Buffer;
  readonly name: string;
}

const newSalt = (day: string): Salt => ({ day, bytes: randomBytes(32), name: randomBytes(3).toString('base64url') });

/**
 * What may be written down of an agent. A client's hash is keyed by a secret of the service, so that all processes agree on
 * it. That of an address is salted with random bytes of this process and UTC day which are stored nowhere: afterwards
 * nobody can tell whose it was (docs/decisions.md, Agent traffic).
 */
export class AgentHashes {
  private salt = newSalt('');

  constructor(private readonly key: Buffer) {}

  /** The hash of a client (`hasToken`), or of an address and family, that called at an instant. */
  of(agent: string, hasToken: boolean, at: Instant): string {
    if (hasToken) return hashOf(this.key, agent);
    const { bytes, name } = this.saltOf(at.slice(0, 10));
    return addressHash(hashOf(bytes, agent), name);
  }

  private saltOf(day: string): Salt {
    // What is counted late, of a day before, gets the salt of now: it may count twice, and is told no better.
    if (day > this.salt.day) this.salt = newSalt(day);
    return this.salt;
  }
}

const hashOf = (key: Buffer, agent: string): string =>
  createHmac('sha256', key).update(agent).digest('base64url').slice(0, LENGTH);
