import type { Caller } from '#kernel';
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';

/** The part of a request that presents a token, and says for what. */
export interface Presented {
  readonly headers: Pick<FastifyRequest['headers'], 'authorization'>;
  readonly routeOptions: { readonly config?: FastifyContextConfig };
}

/** Verification of access tokens, as a port: the authorization server implements it. */
export abstract class AccessTokens {
  /** Who sent the request, by a token whose grant is alive. @throws DomainError `token_missing`, `invalid_token`; Unavailable */
  abstract callerOf(request: FastifyRequest, reply: FastifyReply): Promise<Caller>;

  /** Who sent the request, where known already; null: not known. Nothing is verified: for counting, and for letting nobody in. */
  knownCallerOf(_request: Presented): Caller | null {
    return null;
  }
}
