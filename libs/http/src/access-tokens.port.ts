import type { Caller } from '#kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Verification of access tokens, as a port: the authorization server implements it. */
export abstract class AccessTokens {
  /**
   * Who sent the request, by its access token; the token's grant is still alive, and a bound one comes with its proof.
   *
   * @throws DomainError `token_missing`, `invalid_token`; Unavailable where that cannot be known now
   */
  abstract callerOf(request: FastifyRequest, reply: FastifyReply): Promise<Caller>;
}
