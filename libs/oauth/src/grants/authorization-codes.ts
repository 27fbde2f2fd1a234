import { Injectable } from '@nestjs/common';
import { Collection, type Document, Documents } from '#documents';
import { hashOf, newSecret } from '#identity';
import { Clock, plus } from '#kernel';
import { z } from 'zod';
import { LIFETIMES } from '../oauth-settings.js';

/** An authorization code, which leads to the grant of its consent. The document's id is the code's hash. */
export const storedCode = z.object({
  grantId: z.string(),
  clientId: z.string(),
  redirectUri: z.string(),
  /** PKCE, S256 (RFC 7636 §4.2). */
  codeChallenge: z.string(),
  /** Thumbprint of the key whose proof must redeem it (RFC 9449 §10); absent: any. */
  dpopJkt: z.string().optional(),
  /** Until when it can be redeemed. The document lives longer, so that a replay is detected. */
  expiresAt: z.string(),
  redeemedAt: z.string().nullable(),
});
export type AuthorizationCode = z.infer<typeof storedCode>;

/** The authorization codes. Each is valid once, for a minute; its hash is kept for 30 days. */
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

  /** Issues the code of a request that the traveller has approved. */
  async issue(leadsTo: Omit<AuthorizationCode, 'expiresAt' | 'redeemedAt'>): Promise<string> {
    const now = this.clock.now();
    const code = newSecret();
    const body = { ...leadsTo, expiresAt: plus(now, LIFETIMES.code), redeemedAt: null };
    await this.stored.insert(hashOf(code), body, { expiresAt: plus(now, LIFETIMES.redeemedCode) });
    return code;
  }

  /** Makes a code worthless that was issued and not sent to anybody. */
  async drop(code: string): Promise<void> {
    await this.stored.delete(hashOf(code));
  }

  /** Makes all codes worthless; returns how many could still be redeemed. */
  async dropEvery(): Promise<number> {
    const now = this.clock.now();
    let good = 0;
    for await (const { body } of this.stored.every()) if (body.redeemedAt === null && now < body.expiresAt) good += 1;
    await this.stored.clear();
    return good;
  }

  /** The code, redeemed or not, or null where it is unknown. */
  find(code: string): Promise<Document<AuthorizationCode> | null> {
    return this.stored.get(hashOf(code));
  }

  /** Redeems a code by one compare-and-set; returns whether this was the first redemption. */
  redeem(read: Document<AuthorizationCode>): Promise<boolean> {
    return this.stored.replace(read, { ...read.body, redeemedAt: this.clock.now() });
  }
}
