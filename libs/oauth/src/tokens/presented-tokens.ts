import { Injectable } from '@nestjs/common';
import type { Document } from '#documents';
import { DomainError, isId } from '#kernel';
import { ActiveGrants, type Grant } from '../grants/grants.js';
import { grantIdIn, wasIssuedUnder } from '../grants/refresh-token.js';
import { PassportAccessTokens } from './verify-access-token.js';
import type { AccessTokenClaims } from './access-token.js';

/** A token of ours, of either kind, and the active grant it was issued under. A refresh token may have been rotated since. */
export type PresentedToken =
  | { readonly kind: 'access_token'; readonly grant: Document<Grant>; readonly claims: AccessTokenClaims }
  | { readonly kind: 'refresh_token'; readonly grant: Document<Grant> };

/** Tokens presented for revocation or introspection: their form shows their kind, so no hint is needed (RFC 7009 §2.1). */
@Injectable()
export class PresentedTokens {
  constructor(
    private readonly grants: ActiveGrants,
    private readonly accessTokens: PassportAccessTokens,
  ) {}

  /** Null for a token that is not ours, has expired, or whose grant or agent was revoked. @throws Unavailable */
  async find(token: string): Promise<PresentedToken | null> {
    const grantId = grantIdIn(token);
    if (!isId(grantId)) return this.accessToken(token);
    const grant = await this.grants.find(grantId);
    return grant && wasIssuedUnder(token, grant.body) ? { kind: 'refresh_token', grant } : null;
  }

  private async accessToken(token: string): Promise<PresentedToken | null> {
    const claims = await this.claimsOf(token);
    const grant = claims && (await this.grants.find(claims.grantId));
    return claims && grant && { kind: 'access_token', grant, claims };
  }

  private async claimsOf(token: string): Promise<AccessTokenClaims | null> {
    try {
      return await this.accessTokens.verify(token);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'invalid_token') return null;
      throw error;
    }
  }
}
