import { Injectable } from '@nestjs/common';
import type { SecurityEvent } from '#events';
import type { Cause, Instant } from '#kernel';
import { SecurityLog } from '#identity';
import { type GrantRevocation, Grants } from './grants.js';

/** The token event that revokes the grant. The revocation of an agent is recorded in its delegation's stream. */
type TokenEvent = Exclude<GrantRevocation, 'agent_revoked'>;

@Injectable()
export class RevokeGrant {
  constructor(
    private readonly grants: Grants,
    private readonly security: SecurityLog,
  ) {}

  /** Revokes a grant and records that. Does nothing where the grant is already revoked or gone. */
  async revoke(grantId: string, reason: TokenEvent, cause: Cause): Promise<void> {
    const grant = await this.grants.revoke(grantId, reason);
    if (!grant) return;
    const { holder, clientId } = grant;
    const ids = { holder, clientId, grantId };
    await this.security.record((now) => eventOf(reason, ids, now), { holder, clientId }, cause);
  }
}

const eventOf = (
  reason: TokenEvent,
  ids: { readonly holder: string; readonly clientId: string; readonly grantId: string },
  now: Instant,
): SecurityEvent => {
  switch (reason) {
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
