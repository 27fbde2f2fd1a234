import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { type Caller, Clock } from '#kernel';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { Grants } from '../grants/grants.js';
import { SigningKeys } from '../keys/signing-keys.js';
import { OAuthSettings } from '../oauth-settings.js';
import type { Resource } from '../resources.js';
import { ALGORITHM } from '../tokens/access-token.js';
import { callerIn, claimsIn } from './claims.js';
import { verificationKey } from './verification-key.js';

/** Name of the strategy. */
export const ACCESS_TOKEN = 'access-token';

/**
 * The bearer token of the API: from the header alone, RS256 alone, by one of our keys; its grant alive. Expiry is judged
 * in `claimsIn`, by our clock (docs/consistency.md, rule 16), and there it is required.
 */
@Injectable()
export class AccessTokenStrategy extends PassportStrategy(Strategy, ACCESS_TOKEN) {
  constructor(
    keys: SigningKeys,
    private readonly grants: Grants,
    private readonly clock: Clock,
    private readonly settings: OAuthSettings,
  ) {
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      algorithms: [ALGORITHM],
      ignoreExpiration: true,
      passReqToCallback: true,
      secretOrKeyProvider: (_: unknown, token: string, done) => {
        // passport-jwt takes a KeyObject, which is parsed once, where its types still speak of PEM.
        verificationKey(token, keys).then((key) => done(null, key as never), done);
      },
    });
  }

  /** Who sent a token that is well signed, or null; it must be good for the resource asked (RFC 9068 §4). */
  async validate({ resource }: { readonly resource: Resource }, payload: unknown): Promise<Caller | null> {
    const claims = claimsIn(payload, this.settings.addresses, this.clock.now());
    if (!claims?.resources.includes(resource) || !(await this.grants.alive(claims.grantId))) return null;
    return callerIn(claims);
  }
}
