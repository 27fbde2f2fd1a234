import { Injectable } from '@nestjs/common';
import type { Document } from '#documents';
import { Clock, isId } from '#kernel';
import { errors, jwtVerify } from 'jose';
import type { Grant } from '../grants/grant.js';
import { ActiveGrants } from '../grants/active-grants.js';
import { grantIdIn, wasIssuedUnder } from '../grants/refresh-token.js';
import { type AccessTokenClaims, claimsIn } from '../guard/claims.js';
import { ForeignToken, verificationKey } from '../guard/verification-key.js';
import { SigningKeys } from '../keys/signing-keys.js';
import { OAuthSettings } from '../oauth-settings.js';
import { ALGORITHM } from './access-token.js';

/** A token of ours, of either kind, and the grant in force it was issued under. A refresh token may be rotated away. */
export type PresentedToken =
  | { readonly kind: 'access_token'; readonly grant: Document<Grant>; readonly claims: AccessTokenClaims }
  | { readonly kind: 'refresh_token'; readonly grant: Document<Grant> };

/**
 * Tokens as clients present them to give them back or to ask about them. The form tells which kind one is, so no hint is
 * needed (RFC 7009 §2.1).
 */
@Injectable()
export class PresentedTokens {
  constructor(
    private readonly grants: ActiveGrants,
    private readonly keys: SigningKeys,
    private readonly clock: Clock,
    private readonly settings: OAuthSettings,
  ) {}

  /** Null where it is none of ours, an expired access token, or its grant is dead or its agent revoked. @throws DomainError `service_unavailable` */
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
    const now = this.clock.now();
    try {
      const key = await verificationKey(token, this.keys);
      const { payload } = await jwtVerify(token, key, { algorithms: [ALGORITHM], currentDate: new Date(now) });
      return claimsIn(payload, this.settings.addresses, now);
    } catch (error) {
      if (error instanceof ForeignToken || error instanceof errors.JOSEError) return null;
      throw error;
    }
  }
}
