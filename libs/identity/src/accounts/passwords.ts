import { Injectable } from '@nestjs/common';
import { IdentitySettings } from '../identity-settings.js';
import { isPassword, nobodysPassword, storedFrom, type StoredPassword } from './password.js';
import { ConcurrencyLimit } from './concurrency-limit.js';

/**
 * Each guess takes a core and tens of MiB for a fifth of a second. Two at once leave the other two threads of Node's pool
 * to everything else; those who wait do so for a few seconds at most.
 */
const BOUNDS = { running: 2, waiting: 32, perCaller: 8 };

/** Hashes and compares passwords at the cost of the settings, so much at once. */
@Injectable()
export class Passwords {
  private readonly slots = new ConcurrencyLimit(BOUNDS);
  private readonly nobodys: StoredPassword;

  constructor(private readonly settings: IdentitySettings) {
    this.nobodys = nobodysPassword(settings.passwordCost);
  }

  /** @throws DomainError `service_unavailable` where too many wait already. */
  hash(password: string): Promise<StoredPassword> {
    return this.slots.within(null, () => storedFrom(password, this.settings.passwordCost));
  }

  /**
   * Whether `password` is the stored one; never for null, an account that is not there, and then just as slowly. `caller`:
   * the address it comes from.
   *
   * @throws DomainError `service_unavailable` where too many wait already.
   */
  async isRight(password: string, stored: StoredPassword | null, caller: string | null): Promise<boolean> {
    const isSame = await this.slots.within(caller, () => isPassword(password, stored ?? this.nobodys));
    return isSame && stored !== null;
  }

  /** Whether it was hashed at another cost than now holds. */
  isOutdated({ cost }: StoredPassword): boolean {
    const { N, r, p } = this.settings.passwordCost;
    return cost.N !== N || cost.r !== r || cost.p !== p;
  }
}
