import { applyDecorators, type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiBearerAuth, ApiOAuth2 } from '@nestjs/swagger';
import { covers, DomainError, type Scope } from '#kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AccessTokens } from './access-tokens.port.js';

/** Under this key an operation holds the scopes it needs; a public one holds none. */
export const SCOPES_KEY = 'alcada:scopes';

/** Protects an operation: its caller's token must carry all of `scopes`. An operation without it is public. Says so in OpenAPI. */
export const RequireScopes = (...scopes: readonly Scope[]) =>
  applyDecorators(SetMetadata(SCOPES_KEY, scopes), ApiOAuth2([...scopes]), ApiBearerAuth());

/**
 * Lets a request through whose token carries all of `scopes`, and remembers whose it is.
 *
 * @throws DomainError `token_missing`, `invalid_token`, `insufficient_scope`
 */
export const authorize = async (
  tokens: AccessTokens,
  scopes: readonly Scope[],
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> => {
  request.requiredScopes = scopes;
  request.caller = await tokens.callerOf(request, reply);
  if (!covers(request.caller.scopes, scopes)) throw new DomainError('insufficient_scope');
};

/** 401 without a good token, 403 without the scopes; public operations ignore `Authorization` altogether. */
@Injectable()
export class ScopesGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly tokens: AccessTokens,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const scopes = this.reflector.get<readonly Scope[] | undefined>(SCOPES_KEY, context.getHandler());
    if (!scopes) return true;
    const http = context.switchToHttp();
    await authorize(this.tokens, scopes, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
    return true;
  }
}
