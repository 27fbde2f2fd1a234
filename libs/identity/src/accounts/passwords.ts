import { Injectable } from '@nestjs/common';
import { createHash, scrypt, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { ConcurrencyLimit } from '#http';
import { IdentitySettings, type PasswordCost } from '../identity-settings.js';
import { secretBytes } from '../secrets.js';

const cost = z.object({ N: z.int(), r: z.int(), p: z.int() });
/** A password as it is stored: its hash with its own salt and cost, so that the cost can change later. */
export const storedPassword = z.object({ salt: z.string(), hash: z.string(), cost });
export type StoredPassword = z.infer<typeof storedPassword>;

const LENGTH = 32;

/** Runs outside the main thread. The text is normalized, since two keyboards may compose the same password differently. */
const derive = (password: string, salt: Buffer, cost: PasswordCost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const options = { ...cost, maxmem: 256 * cost.N * cost.r };
    scrypt(password.normalize('NFKC'), salt, LENGTH, options, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });

export const hashPassword = async (password: string, cost: PasswordCost): Promise<StoredPassword> => {
  const salt = secretBytes(16);
  const key = await derive(password, salt, cost);
  return { salt: salt.toString('base64'), hash: key.toString('base64'), cost };
};

/** A stored password that matches nothing. An unknown account is checked against it, so that it takes as long as a known one. */
export const dummyPassword = (cost: PasswordCost): StoredPassword => ({
  salt: secretBytes(16).toString('base64'),
  hash: secretBytes(LENGTH).toString('base64'),
  cost,
});

export const verifyPassword = async (password: string, { salt, hash, cost }: StoredPassword): Promise<boolean> => {
  const key = await derive(password, Buffer.from(salt, 'base64'), cost);
  return timingSafeEqual(key, Buffer.from(hash, 'base64'));
};

/** Whether two passwords are the same, in a time that is the same for all. */
const isSamePassword = (one: string, other: string): boolean => {
  const [first, second] = [one, other].map((text) => createHash('sha256').update(text.normalize('NFKC')).digest());
  return first !== undefined && second !== undefined && timingSafeEqual(first, second);
};

/** Each check takes a core and tens of MiB for 0.2 s: two at a time leave half of Node's pool to everything else. */
const BOUNDS = { running: 2, waiting: 32, perCaller: 8 };

/** Who waits for a check: addresses take turns, and within one the accounts it asks for. Of unknown addresses the accounts do. */
export interface Asker {
  readonly address: string | null;
  readonly account: string;
}

/** Hashes and compares passwords at the cost of the settings, only a few at a time. */
@Injectable()
export class Passwords {
  private readonly limit = new ConcurrencyLimit(BOUNDS);
  private readonly dummy: StoredPassword;

  constructor(private readonly settings: IdentitySettings) {
    this.dummy = dummyPassword(settings.passwordCost);
  }

  /** @throws DomainError `service_unavailable` where too many are waiting already. */
  hash(password: string): Promise<StoredPassword> {
    return this.limit.run(null, () => hashPassword(password, this.settings.passwordCost));
  }

  /** Whether `password` is the stored one; null takes as long. `asker` queues for it. @throws DomainError `service_unavailable` */
  async matches(password: string, stored: StoredPassword | null, asker: Asker): Promise<boolean> {
    const { address, account } = asker;
    const check = () => verifyPassword(password, stored ?? this.dummy);
    const isSame = await this.limit.run(address ?? `account ${account}`, check, account);
    return isSame && stored !== null;
  }

  /** The hash of `password` if it is `expected`; else null, after as long. @throws DomainError `service_unavailable` */
  async hashIf(password: string, expected: string | null, { address, account }: Asker): Promise<StoredPassword | null> {
    const hashed = await this.limit.run(
      address ?? `account ${account}`,
      () => hashPassword(password, this.settings.passwordCost),
      account,
    );
    return expected !== null && isSamePassword(password, expected) ? hashed : null;
  }

  isOutdated({ cost }: StoredPassword): boolean {
    const { N, r, p } = this.settings.passwordCost;
    return cost.N !== N || cost.r !== r || cost.p !== p;
  }
}
