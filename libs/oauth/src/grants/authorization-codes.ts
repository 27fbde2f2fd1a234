import { Injectable } from '@nestjs/common';
import { Collection, type Document, Documents } from '#documents';
import { Clock, plus } from '#kernel';
import { LIFETIMES } from '../oauth-settings.js';
import { hashOf } from '#identity';
import { type AuthorizationCode, storedCode } from './authorization-code.js';

/** The authorization codes: good once, for a minute; their hashes are kept for 30 days. */
@Injectable()
export class AuthorizationCodes {
  private readonly stored: Collection<AuthorizationCode>;

  constructor(
    documents: Documents,
    private readonly clock: Clock,
  ) {
    this.stored = new Collection(documents, { name: 'codes', indexes: [] }, storedCode);
  }

  prepare(): Promise<void> {
    return this.stored.prepare();
  }

  async keep(code: string, what: Omit<AuthorizationCode, 'expiresAt' | 'redeemedAt'>): Promise<void> {
    const now = this.clock.now();
    const body = { ...what, expiresAt: plus(now, LIFETIMES.code), redeemedAt: null };
    await this.stored.insert(hashOf(code), body, { expiresAt: plus(now, LIFETIMES.redeemedCode) });
  }

  /** The code, redeemed or not, or null where it is unknown. */
  find(code: string): Promise<Document<AuthorizationCode> | null> {
    return this.stored.get(hashOf(code));
  }

  /** Redeems a code by one compare-and-set; answers whether this was the first to. */
  redeem(read: Document<AuthorizationCode>): Promise<boolean> {
    return this.stored.replace(read, { ...read.body, redeemedAt: this.clock.now() });
  }
}
