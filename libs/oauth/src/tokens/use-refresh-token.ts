import { Injectable } from '@nestjs/common';
import type { Document } from '#documents';
import { hashOf, sameSecret } from '#identity';
import { Clock, isId, plus } from '#kernel';
import type { ProvenRequest } from '../clients/client-authentication.js';
import { ActiveGrants, type Grant, Grants } from '../grants/grants.js';
import { grantIdIn, isNewest, isUnexpired, wasIssuedUnder } from '../grants/refresh-token.js';
import { RevokeGrant } from '../grants/revoke-grant.js';
import { OAuthError } from '../oauth-error.js';
import { OAuthSettings } from '../oauth-settings.js';

/** The rules of using a refresh token (OAuth 2.1 §4.3; RFC 9700 §4.14): by its client, in time, once. */
@Injectable()
export class UseRefreshToken {
  constructor(
    private readonly grants: Grants,
    private readonly activeGrants: ActiveGrants,
    private readonly revokeGrant: RevokeGrant,
    private readonly clock: Clock,
    private readonly settings: OAuthSettings,
  ) {}

  /** The grant of a valid refresh token; a rotated one, with its key, ends the family. @throws OAuthError */
  async find(refreshToken: string, sent: ProvenRequest): Promise<Document<Grant>> {
    const grantId = grantIdIn(refreshToken);
    const grant = isId(grantId) ? await this.activeGrants.find(grantId) : null;
    if (!grant || grant.body.clientId !== sent.client.clientId || !wasIssuedUnder(refreshToken, grant.body)) {
      throw new OAuthError('refresh_token_invalid');
    }
    if (grant.body.jkt !== undefined && grant.body.jkt !== sent.jkt) throw new OAuthError('dpop_key_wrong');
    if (!isNewest(refreshToken, grant.body)) return this.refuseReuse(refreshToken, sent);
    if (!isUnexpired(grant.body, this.clock.now())) throw new OAuthError('refresh_token_invalid');
    return grant;
  }

  /** Ends the family of a token used twice, but within the grace period of the last rotation. Nobody gets a token either way. */
  async refuseReuse(refreshToken: string, { cause }: ProvenRequest): Promise<never> {
    const grantId = grantIdIn(refreshToken);
    const grant = await this.grants.active(grantId);
    if (grant && !this.isSubmittedTwice(refreshToken, grant.body)) {
      await this.revokeGrant.revoke(grantId, 'refresh_reused', cause);
    }
    throw new OAuthError('refresh_token_invalid');
  }

  private isSubmittedTwice(refreshToken: string, { rotated }: Grant): boolean {
    if (!rotated || !sameSecret(rotated.hash, hashOf(refreshToken))) return false;
    return this.clock.now() < plus(rotated.at, this.settings.refreshReuseGrace);
  }
}
