import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Collection, Documents } from '#documents';
import { Clock, type Instant, millisecondsOf, plus } from '#kernel';
import { normalized } from '../accounts/accounts.js';
import { IdentitySettings, Realm, TRAVELLERS } from '../identity-settings.js';
import { hashOf } from '../secrets.js';

/** The wrong passwords of one account from one address. The document's id is a hash of the two. */
const storedFailures = z.object({ count: z.int().nonnegative(), lastAt: z.string() });
type Failures = z.infer<typeof storedFailures>;

/** How long (ms) failures are remembered after the last one. */
const MEMORY = 900_000;
/** The longest wait, in seconds: an account is slowed down, never locked. */
const LONGEST = 60;

/** Seconds to wait after `count` failures, the first of which are free: 0, then 1, 2, 4 up to 60 (docs/decisions.md, Limits). */
export const waitAfter = (count: number, free: number): number =>
  count < free ? 0 : Math.min(LONGEST, 2 ** (count - free));

export interface Attempt {
  /** Seconds to wait first; 0: the password may be compared. */
  readonly wait: number;
  /** Whether the next attempts have to wait if this one fails. */
  readonly isLastFree: boolean;
}

/** Recent wrong passwords by account and address, stored so that no restart forgets them. Unknown addresses count as one. */
@Injectable()
export class LoginFailures {
  private readonly stored: Collection<Failures>;

  constructor(
    documents: Documents,
    private readonly clock: Clock,
    private readonly settings: IdentitySettings,
    { failures }: Realm = TRAVELLERS,
  ) {
    this.stored = new Collection(documents, { name: failures, indexes: [] }, storedFailures);
  }

  prepare(): Promise<void> {
    return this.stored.prepare();
  }

  /** Counts an attempt as a failure before its password is compared, so that concurrent attempts gain nothing. */
  async begin(email: string, address: string | null): Promise<Attempt> {
    const free = this.settings.loginFailures;
    if (free === 0) return { wait: 0, isLastFree: false };
    const id = idOf(email, address);
    let wait = 0;
    const next = (known: Failures | null): Failures | null => {
      const now = this.clock.now(); // not before another attempt that was faster, and that this one is counted after
      wait = known ? waitAt(now, known, free) : 0;
      return wait > 0 ? null : { count: (known?.count ?? 0) + 1, lastAt: now };
    };
    const counted = await this.stored.update(id, next, { expiresAt: plus(this.clock.now(), MEMORY) });
    return { wait, isLastFree: counted?.count === free };
  }

  /** Takes back the count of an attempt whose password could not be compared, unless it was forgotten meanwhile. */
  async takeBack(email: string, address: string | null): Promise<void> {
    const less = (known: Failures | null): Failures | null =>
      known && known.count > 0 ? { ...known, count: known.count - 1 } : null;
    await this.stored.update(idOf(email, address), less);
  }

  async forget(email: string, address: string | null): Promise<void> {
    await this.stored.delete(idOf(email, address));
  }
}

/** Seconds to wait at `now`; a free attempt never waits, also where another process's clock is ahead of this one's. */
const waitAt = (now: Instant, { count, lastAt }: Failures, free: number): number => {
  const wait = waitAfter(count, free);
  if (wait === 0) return 0;
  const end = millisecondsOf(lastAt) + wait * 1_000;
  return Math.max(0, Math.ceil((end - millisecondsOf(now)) / 1_000));
};

const idOf = (email: string, address: string | null): string => hashOf(`${address ?? ''} ${normalized(email)}`);
