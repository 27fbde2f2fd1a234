import { Injectable } from '@nestjs/common';
import { AccessTokens, resourceOf } from '#http';
import { type Caller, DomainError } from '#kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import passport from 'passport';
import { ACCESS_TOKEN, AccessTokenStrategy } from './access-token.strategy.js';

/** RFC 6750 §2.1: one token and nothing behind it, though passport-jwt would take the first of several words. */
const BEARER = /^bearer +[A-Za-z0-9._~+/-]+=*$/i;

type Middleware = (request: object, reply: object, next: (error: unknown) => void) => void;

/** The verification of access tokens, by passport-jwt. A passport of its own, so that two applications in one process stay apart. */
@Injectable()
export class PassportAccessTokens extends AccessTokens {
  private readonly passport = new passport.Passport();

  constructor(strategy: AccessTokenStrategy) {
    super();
    this.passport.use(ACCESS_TOKEN, strategy);
  }

  callerOf(request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
    const { headers } = request;
    const { authorization = '' } = headers;
    if (!/^bearer(?: |$)/i.test(authorization)) return Promise.reject(new DomainError('token_missing'));
    if (!BEARER.test(authorization)) return Promise.reject(new DomainError('invalid_token'));
    return new Promise((resolve, reject) => {
      const answer = (error: Error | null, caller: Caller | false | null, failure: unknown): void => {
        if (error) reject(error);
        else if (caller) resolve(caller);
        else
          reject(
            failure instanceof DomainError ? failure : new DomainError('invalid_token', undefined, { cause: failure }),
          );
      };
      const authenticate = this.passport.authenticate(ACCESS_TOKEN, { session: false }, answer) as Middleware;
      // Passport hangs its own functions on the request it is given: it gets one of its own.
      authenticate({ headers, resource: resourceOf(request) }, reply, reject);
    });
  }
}
