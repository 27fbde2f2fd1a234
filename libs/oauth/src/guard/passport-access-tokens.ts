import type { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { AccessTokens, resourceOf } from '#http';
import { hashOf } from '#identity';
import { type Caller, Clock, DomainError, Unavailable } from '#kernel';
import type { FastifyRequest } from 'fastify';
import { decodeProtectedHeader } from 'jose';
import { LRUCache } from 'lru-cache';
import passport from 'passport';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { Grants } from '../grants/grants.js';
import { SigningKeys } from '../keys/signing-keys.js';
import { OAuthSettings } from '../oauth-settings.js';
import type { Resource } from '../requested-access.js';
import { type AccessTokenClaims, ALGORITHM, claimsIn, hasExpired, verificationKey } from '../tokens/access-token.js';

const ACCESS_TOKEN = 'access-token';

/** RFC 6750 §2.1: a single token. passport-jwt would accept the first of several words. */
const BEARER = /^bearer +[A-Za-z0-9._~+/-]+=*$/i;

/**
 * The bearer token: from the header alone, RS256 alone, by one of our keys. Expiry is checked in `claimsIn`, by our clock
 * (docs/consistency.md, rule 16), and there it is required.
 */
@Injectable()
export class AccessTokenStrategy extends PassportStrategy(Strategy, ACCESS_TOKEN) {
  constructor(
    keys: SigningKeys,
    private readonly clock: Clock,
    private readonly settings: OAuthSettings,
  ) {
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      algorithms: [ALGORITHM],
      ignoreExpiration: true,
      secretOrKeyProvider: (_: unknown, token: string, done) => {
        // passport-jwt accepts a KeyObject, which is parsed once, though its types allow only PEM.
        verificationKey(token, keys).then((key) => done(null, key as never), done);
      },
    });
  }

  validate(payload: unknown): AccessTokenClaims | null {
    return claimsIn(payload, this.settings.addresses, this.clock.now());
  }
}

/** Tokens whose signature is remembered: those used last, some 10 MB of them. */
const REMEMBERED = 10_000;

/** A token whose signature and claims were verified, and the key that verified it. */
interface VerifiedToken {
  readonly claims: AccessTokenClaims;
  readonly kid: string;
  readonly key: KeyObject;
}

type Middleware = (request: object, reply: object, next: (error: unknown) => void) => void;

/**
 * Verifies access tokens with passport-jwt. It has its own passport, so that two applications in one process stay apart.
 *
 * A signature is verified once: a token that carried a valid one is remembered by its SHA-256. Everything that may change
 * is looked at on every request: whether the key is still in force, the expiry, and the grant.
 */
@Injectable()
export class PassportAccessTokens extends AccessTokens {
  private readonly passport = new passport.Passport();
  private readonly verified = new LRUCache<string, VerifiedToken>({ max: REMEMBERED });

  constructor(
    strategy: AccessTokenStrategy,
    private readonly grants: Grants,
    private readonly keys: SigningKeys,
    private readonly clock: Clock,
  ) {
    super();
    this.passport.use(ACCESS_TOKEN, strategy);
  }

  callerOf(request: FastifyRequest): Promise<Caller> {
    return this.callerAt(resourceOf(request), request.headers.authorization);
  }

  /** The token must also be valid for the resource (RFC 9068 §4), and its grant active. */
  async callerAt(resource: Resource, authorization = ''): Promise<Caller> {
    if (!/^bearer(?: |$)/i.test(authorization)) throw new DomainError('token_missing');
    const { sub, client_id, scope, grantId, resources } = await this.verify(authorization);
    if (!resources.includes(resource) || !(await this.grants.active(grantId))) throw new DomainError('invalid_token');
    return { holder: sub, clientId: client_id, scopes: scope, grantId };
  }

  /**
   * The claims of the bearer token in an `Authorization` header, whether or not its grant is still active.
   *
   * @throws DomainError `invalid_token`; Unavailable
   */
  async verify(authorization: string): Promise<AccessTokenClaims> {
    if (!BEARER.test(authorization)) throw new DomainError('invalid_token');
    const token = authorization.slice(authorization.lastIndexOf(' ') + 1);
    const hash = hashOf(token);
    const known = this.verified.get(hash);
    if (known && (await this.keys.publicKey(known.kid)) === known.key) {
      if (hasExpired(known.claims, this.clock.now())) throw new DomainError('invalid_token');
      return known.claims;
    }
    const claims = await this.authenticate(authorization);
    const { kid = '' } = decodeProtectedHeader(token);
    const key = await this.keys.publicKey(kid);
    if (key) this.verified.set(hash, { claims, kid, key });
    return claims;
  }

  /** Verifies signature and claims with passport-jwt. @throws DomainError `invalid_token`; Unavailable */
  private authenticate(authorization: string): Promise<AccessTokenClaims> {
    return new Promise((resolve, reject) => {
      const answer = (error: Error | null, claims: AccessTokenClaims | false | null, failure: unknown): void => {
        if (error) reject(error);
        else if (claims) resolve(claims);
        else if (failure instanceof Unavailable) reject(failure);
        else reject(new DomainError('invalid_token', undefined, { cause: failure }));
      };
      const authenticate = this.passport.authenticate(ACCESS_TOKEN, { session: false }, answer) as Middleware;
      // Passport adds functions to the request, so it gets an object of its own. It needs no reply.
      authenticate({ headers: { authorization } }, {}, reject);
    });
  }
}
