import { createHmac, randomBytes } from 'node:crypto';
import type { Instant } from '#kernel';

/** Enough characters of a hash to distinguish thousands of agents. */
const LENGTH = 10;

/** The key that addresses are hashed with for a day, and its name, which is stored beside the hashes. */
interface Salt {
  readonly day: string;
  readonly bytes: Buffer;
  readonly name: string;
}

const newSalt = (day: string): Salt => ({ day, bytes: randomBytes(32), name: randomBytes(3).toString('base64url') });

/** Hashes agents: clients by a stored secret; addresses by random bytes of a process and day (docs/decisions.md, Agent traffic). */
export class AgentHashes {
  private salt = newSalt('');

  constructor(private readonly key: Buffer) {}

  /** The hash of a client or a host that signs (`isCertain`), or of an address and family, that called at an instant. */
  of(agent: string, isCertain: boolean, at: Instant): string {
    if (isCertain) return hashOf(this.key, agent);
    const { bytes, name } = this.saltOf(at.slice(0, 10));
    return addressHash(hashOf(bytes, agent), name);
  }

  private saltOf(day: string): Salt {
    // A late call of the day before gets the current salt: it may count twice, and is no easier to identify.
    if (day > this.salt.day) this.salt = newSalt(day);
    return this.salt;
  }
}

/** The stored hash of an address names its salt, because under another salt the same address has another hash. */
export const addressHash = (hash: string, salt: string): string => `${hash}.${salt}`;

/** The least number of agents behind some hashes: of addresses, only the salt with the most of them counts. */
export const certainAgents = (hashes: Iterable<string>): number => {
  let clients = 0;
  const addresses = new Map<string, number>();
  for (const hash of hashes) {
    const [, salt] = hash.split('.', 2);
    if (salt === undefined) clients += 1;
    else addresses.set(salt, (addresses.get(salt) ?? 0) + 1);
  }
  return clients + Math.max(0, ...addresses.values());
};

const hashOf = (key: Buffer, agent: string): string =>
  createHmac('sha256', key).update(agent).digest('base64url').slice(0, LENGTH);
