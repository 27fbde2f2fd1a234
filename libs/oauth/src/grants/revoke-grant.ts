import { Injectable } from '@nestjs/common';
import type { SecurityEvent } from '#events';
import type { Cause, Instant } from '#kernel';
import { SecurityLog } from '#identity';
import type { GrantRevocation } from './grant.js';
import { Grants } from './grants.js';

/** What became of a token that its grant dies of. An agent's revocation is told by its delegation's stream. */
type TokensEnd = Exclude<GrantRevocation, 'agent_revoked'>;

/** Ends grants by what became of their tokens, and tells the auditors. */
@Injectable()
export class RevokeGrant {
  constructor(
    private readonly grants: Grants,
    private readonly security: SecurityLog,
  ) {}

  /** Ends a grant for ever, first; recorded by whoever ended it, so once. Already dead or gone is fine. */
  async end(grantId: string, death: TokensEnd, cause: Cause): Promise<void> {
    const grant = await this.grants.kill(grantId, death);
    if (!grant) return;
    const { holder, clientId } = grant;
    const ids = { holder, clientId, grantId };
    await this.security.record((now) => eventOf(death, ids, now), { holder, clientId }, cause);
  }
}

const eventOf = (
  death: TokensEnd,
  ids: { readonly holder: string; readonly clientId: string; readonly grantId: string },
  now: Instant,
): SecurityEvent => {
  switch (death) {
    case 'code_replayed':
      return { type: 'CodeReplayed', data: { ...ids, replayedAt: now } };
    case 'refresh_reused':
      return { type: 'RefreshReused', data: { ...ids, reusedAt: now } };
    case 'access_token_revoked':
      return { type: 'TokenRevoked', data: { ...ids, kind: 'access_token', revokedAt: now } };
    case 'refresh_token_revoked':
      return { type: 'TokenRevoked', data: { ...ids, kind: 'refresh_token', revokedAt: now } };
  }
};
