import type { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { AccessTokens, type Authentication, type Presented, resourceOf } from '#http';
import { hashOf } from '#identity';
import { type Caller, Clock, DomainError, type Instant, millisecondsOf, Unavailable, upTo } from '#kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { decodeProtectedHeader } from 'jose';
import { LRUCache } from 'lru-cache';
import passport from 'passport';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { DpopProofs } from '../dpop/dpop-proofs.js';
import { PROOF_ALGORITHMS } from '../dpop/proof.js';
import { Grants } from '../grants/grants.js';
import { SigningKeys } from '../keys/signing-keys.js';
import { OAuthError } from '../oauth-error.js';
import { OAuthSettings } from '../oauth-settings.js';
import type { Resource } from '../requested-access.js';
import { type AccessTokenClaims, ALGORITHM, claimsIn, verificationKey } from './access-token.js';

const ACCESS_TOKEN = 'access-token';

/** A single token (RFC 6750 §2.1). passport-jwt would accept the first of several words. */
const TOKEN = /^[A-Za-z0-9._~+/-]+=*$/;
/** The schemes by which a token may come (RFC 6750 §2.1, RFC 9449 §7.1). */
const CREDENTIALS = /^(?:(bearer)|dpop)(?: +(.*))?$/i;
const ALGORITHMS = PROOF_ALGORITHMS.join(' ');

/** The access token: from the header, RS256, by one of our keys. Its expiry is judged apart, by our clock (rule 16). */
@Injectable()
export class AccessTokenStrategy extends PassportStrategy(Strategy, ACCESS_TOKEN) {
  constructor(
    keys: SigningKeys,
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
    return claimsIn(payload, this.settings.addresses);
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

/** Verifies access tokens. A good signature is remembered; key, expiry, grant and proof are checked on every request. */
@Injectable()
export class PassportAccessTokens extends AccessTokens {
  private readonly passport = new passport.Passport();
  private readonly requiresDpop: boolean;
  private readonly verified = new LRUCache<string, VerifiedToken>(upTo(REMEMBERED));
  /** Claims of remembered tokens that were good when they last came. */
  private readonly good = new WeakSet<AccessTokenClaims>();

  constructor(
    strategy: AccessTokenStrategy,
    private readonly grants: Grants,
    private readonly keys: SigningKeys,
    private readonly clock: Clock,
    private readonly proofs: DpopProofs,
    { requiresDpop = false }: OAuthSettings,
  ) {
    super();
    this.passport.use(ACCESS_TOKEN, strategy);
    this.requiresDpop = requiresDpop;
  }

  async callerOf(request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
    const [header, bearer, token = ''] = CREDENTIALS.exec(request.headers.authorization ?? '') ?? [];
    const isBearer = bearer !== undefined;
    if (!isBearer || this.requiresDpop) {
      const isOpen = header === undefined && !this.requiresDpop;
      request.authentication = authentication(isOpen ? ['Bearer', 'DPoP'] : ['DPoP']);
    }
    if (header === undefined) throw new DomainError('token_missing');
    const claims = await this.claimsAt(resourceOf(request), token);
    const { cnf } = claims;
    if (cnf) await this.checkBinding({ token, jkt: cnf.jkt, isBearer }, request, reply);
    else if (!isBearer || this.requiresDpop) throw new DomainError('invalid_token'); // it is bound to nobody's key
    return callerIn(claims);
  }

  /** The claims of a token that the resource takes (RFC 9068 §4), not looking at its sender. @throws DomainError `invalid_token`; Unavailable */
  async claimsAt(resource: Resource, token: string): Promise<AccessTokenClaims> {
    const claims = await this.verify(token);
    const isGood = claims.resources.includes(resource) && (await this.grants.active(claims.grantId));
    if (!isGood) {
      this.good.delete(claims);
      throw new DomainError('invalid_token');
    }
    this.good.add(claims);
    return claims;
  }

  override async isInForce(request: Presented): Promise<boolean> {
    const [, , token = ''] = CREDENTIALS.exec(request.headers.authorization ?? '') ?? [];
    try {
      await this.claimsAt(resourceOf(request), token);
      return true;
    } catch (error) {
      if (error instanceof DomainError) return false;
      throw error;
    }
  }

  /** A token without a key of its own that this process has verified before, and let in when it last came. */
  override knownCallerOf(request: Presented): Caller | null {
    const [, bearer, token = ''] = CREDENTIALS.exec(request.headers.authorization ?? '') ?? [];
    if (bearer === undefined || this.requiresDpop) return null;
    const known = this.verified.get(hashOf(token));
    if (!known || !this.good.has(known.claims) || !this.keys.isInForce(known.kid, known.key)) return null;
    const { claims } = known;
    // That the sender of a bound token has its key is shown by a proof, which is not looked at here.
    const isOwn = claims.cnf === undefined && claims.resources.includes(resourceOf(request));
    return isOwn && !hasExpired(claims, this.clock.now()) ? callerIn(claims) : null;
  }

  /** The claims of a token, whether or not its grant is still active. @throws DomainError `invalid_token`; Unavailable */
  async verify(token: string): Promise<AccessTokenClaims> {
    if (!TOKEN.test(token)) throw new DomainError('invalid_token');
    const hash = hashOf(token);
    const known = this.verified.get(hash);
    const isKnown = known && (await this.keys.publicKey(known.kid)) === known.key;
    const claims = isKnown ? known.claims : await this.authenticate(`Bearer ${token}`);
    if (hasExpired(claims, this.clock.now())) throw new DomainError('invalid_token');
    if (isKnown) return claims;
    const { kid = '' } = decodeProtectedHeader(token);
    const key = await this.keys.publicKey(kid);
    if (key) this.verified.set(hash, { claims, kid, key });
    return claims;
  }

  /** A bound token is good only in the scheme `DPoP`, with a new proof by its key each time (RFC 9449 §7). */
  private async checkBinding(
    { token, jkt, isBearer }: { readonly token: string; readonly jkt: string; readonly isBearer: boolean },
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    try {
      if (isBearer) throw new OAuthError('dpop_proof_missing');
      await this.proofs.requireKeyOf({ token, jkt }, request, reply);
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      const { error: name, description, message } = error.answer;
      request.authentication = authentication(['DPoP'], { error: isBearer ? 'invalid_token' : name, description });
      throw new DomainError('invalid_token', [{ field: 'DPoP', message }], { cause: error });
    }
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

/** Whether a token has expired, by our own clock (docs/consistency.md, rule 16). */
const hasExpired = ({ exp }: AccessTokenClaims, now: Instant): boolean => exp * 1000 <= millisecondsOf(now);

const callerIn = ({ sub, client_id, scope, grantId }: AccessTokenClaims): Caller => ({
  holder: sub,
  clientId: client_id,
  scopes: scope,
  grantId,
});

const authentication = (schemes: Authentication['schemes'], flaw?: Authentication['flaw']): Authentication => ({
  schemes,
  algorithms: ALGORITHMS,
  ...(flaw && { flaw }),
});
