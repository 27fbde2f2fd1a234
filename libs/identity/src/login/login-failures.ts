import { Injectable } from '@nestjs/common';
import { Collection, type Document, Documents, DuplicateDocument } from '#documents';
import { Clock, millisecondsOf, plus } from '#kernel';
import { z } from 'zod';
import { normalized } from '../accounts/accounts.js';
import { IdentitySettings } from '../identity-settings.js';
import { hashOf } from '../secrets.js';

/** Wrong passwords of one account from one address. The document's id is a hash of the two. */
const storedFailures = z.object({ count: z.int().nonnegative(), lastAt: z.string() });
type Failures = z.infer<typeof storedFailures>;

/** How long (ms) failures are remembered after the last one. */
const MEMORY = 900_000;
/** The longest wait, in seconds: an account is slowed down, never locked. */
const LONGEST = 60;

/** Seconds to wait after `count` failures of which the first ones are free: none, then 1, 2, 4 … 60 (docs/decisions.md, Limits). */
export const waitAfter = (count: number, free: number): number =>
  count < free ? 0 : Math.min(LONGEST, 2 ** (count - free));

/** What comes of an attempt. */
export interface Attempt {
  /** Seconds to wait first; 0: it may be judged. */
  readonly wait: number;
  /** Whether those after it have to wait, if it fails. */
  readonly isLastFree: boolean;
}

/**
 * The wrong passwords tried lately, by account and address, so that guessing gets slow while the account stays open from
 * everywhere else. Documents, so that neither a restart nor another process gives new guesses. Nothing is counted for an
 * address that is not limited (null).
 */
@Injectable()
export class LoginFailures {
  private readonly stored: Collection<Failures>;

  constructor(
    documents: Documents,
    private readonly clock: Clock,
    private readonly settings: IdentitySettings,
  ) {
    this.stored = new Collection(documents, { name: 'login-failures', indexes: [] }, storedFailures);
  }

  prepare(): Promise<void> {
    return this.stored.prepare();
  }

  /** Counts an attempt as a failure before its password is compared, so that many at once get no more than one by one. */
  async begin(email: string, address: string | null): Promise<Attempt> {
    const free = this.settings.loginFailures;
    if (address === null || free === 0) return { wait: 0, isLastFree: false };
    const id = idOf(email, address);
    for (;;) {
      const known = await this.stored.get(id);
      const wait = known ? this.waitIn(known.body, free) : 0;
      if (wait > 0) return { wait, isLastFree: false };
      const count = (known?.body.count ?? 0) + 1;
      if (await this.keep(id, known, count)) return { wait: 0, isLastFree: count === free };
    }
  }

  /** Uncounts an attempt that could not be judged. */
  async takeBack(email: string, address: string | null): Promise<void> {
    const id = idOf(email, address);
    for (;;) {
      const known = await this.stored.get(id);
      if (!known || (await this.stored.replace(known, { ...known.body, count: known.body.count - 1 }))) return;
    }
  }

  /** Forgets the failures: the password was right. */
  async forget(email: string, address: string | null): Promise<void> {
    await this.stored.delete(idOf(email, address));
  }

  private waitIn({ count, lastAt }: Failures, free: number): number {
    const end = millisecondsOf(lastAt) + waitAfter(count, free) * 1_000;
    return Math.max(0, Math.ceil((end - millisecondsOf(this.clock.now())) / 1_000));
  }

  /** Answers whether nobody else counted meanwhile. */
  private async keep(id: string, known: Document<Failures> | null, count: number): Promise<boolean> {
    const now = this.clock.now();
    const body = { count, lastAt: now };
    const expiresAt = plus(now, MEMORY);
    if (known) return this.stored.replace(known, body, { expiresAt });
    try {
      await this.stored.insert(id, body, { expiresAt });
      return true;
    } catch (error) {
      if (error instanceof DuplicateDocument) return false;
      throw error;
    }
  }
}

const idOf = (email: string, address: string | null): string => hashOf(`${address ?? ''} ${normalized(email)}`);
