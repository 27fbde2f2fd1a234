import { Injectable } from '@nestjs/common';
import type { Document } from '#documents';
import { Clock, isId } from '#kernel';
import type { Client } from '../clients/client.js';
import type { Grant } from '../grants/grant.js';
import { Grants } from '../grants/grants.js';
import { grantIdIn, wasIssuedUnder } from '../grants/refresh-token.js';
import { OAuthError } from '../oauth-error.js';
import { hashOf, sameSecret } from '../secrets.js';

/** The rules of a refresh token (OAuth 2.1 §4.3; RFC 9700 §4.14): whose, how long, once. */
@Injectable()
export class UseRefreshToken {
  constructor(
    private readonly grants: Grants,
    private readonly clock: Clock,
  ) {}

  /**
   * The grant whose good refresh token this is. One that was rotated away ends the whole family.
   *
   * @throws OAuthError `refresh_token_invalid`, in every case the same.
   */
  async find(refreshToken: string, client: Client): Promise<Document<Grant>> {
    const grantId = grantIdIn(refreshToken);
    const grant = isId(grantId) ? await this.grants.alive(grantId) : null;
    if (!grant || grant.body.clientId !== client.clientId || !wasIssuedUnder(refreshToken, grant.body)) {
      throw new OAuthError('refresh_token_invalid');
    }
    const { refreshHash, refreshExpiresAt } = grant.body;
    if (refreshHash === null || !sameSecret(refreshHash, hashOf(refreshToken))) return this.refuseReuse(grantId);
    if (refreshExpiresAt === null || refreshExpiresAt <= this.clock.now())
      throw new OAuthError('refresh_token_invalid');
    return grant;
  }

  /** Ends the family: a rotated token was used, or two uses ran side by side. */
  async refuseReuse(grantId: string): Promise<never> {
    await this.grants.kill(grantId, 'refresh_reused');
    throw new OAuthError('refresh_token_invalid');
  }
}
