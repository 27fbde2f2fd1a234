import { applyDecorators, type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ApiBearerAuth, ApiOAuth2 } from '@nestjs/swagger';
import { type Caller, covers, DomainError, type ErrorCode, type Scope } from '#kernel';
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import { API, wellKnown } from './base-urls.js';
import { configOf, configureRoute, operationOf, resourceOf } from './request.js';
import { APP_GUARD } from '@nestjs/core';
import { IdempotencyKeyGuard } from './idempotency/idempotent-requests.js';
import { WarningsGuard } from './warnings.js';

/** The part of a request that presents a token, and says for what. */
export interface Presented {
  readonly headers: Pick<FastifyRequest['headers'], 'authorization'>;
  readonly routeOptions: { readonly config?: FastifyContextConfig };
}

/** Verification of access tokens, as a port: the authorization server implements it. */
export abstract class AccessTokens {
  /** The sender of the request, by a token with a grant in force. @throws DomainError `token_missing`, `invalid_token`; Unavailable */
  abstract callerOf(request: FastifyRequest, reply: FastifyReply): Promise<Caller>;

  /** Whether the token of a request that was let in is good to this day: it has not expired, and its grant is alive. @throws Unavailable */
  abstract isInForce(request: Presented): Promise<boolean>;

  /** Who sent the request, where known already; null: not known. Nothing is verified: for counting, and for letting nobody in. */
  knownCallerOf(_request: Presented): Caller | null {
    return null;
  }
}

/** Who may call an operation: everybody, or who holds a token with all of these scopes, one at least; or with any of them. */
type Access = 'public' | readonly [Scope, ...Scope[]] | { readonly anyOf: readonly [Scope, ...Scope[]] };

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Absent: nothing is said, and of the API nobody is let in. */
    access?: Access;
  }
}

/** Protects a controller or an operation: the caller's token must carry all of `scopes`. OpenAPI says so as well. */
export const RequireScopes = (...scopes: readonly [Scope, ...Scope[]]) =>
  applyDecorators(configureRoute({ access: scopes }), ApiOAuth2([...scopes]), ApiBearerAuth());

/** The same where any one of them will do, and the answer is a part of what there is. */
export const RequireAnyScope = (...scopes: readonly [Scope, ...Scope[]]) =>
  applyDecorators(
    configureRoute({ access: { anyOf: scopes } }),
    ...scopes.map((scope) => ApiOAuth2([scope])),
    ApiBearerAuth(),
  );

/** Opens a controller or an operation to everybody. It ignores `Authorization` altogether. */
export const Public = () => configureRoute({ access: 'public' });

/** Lets a request pass whose token has all `scopes`. @throws DomainError `token_missing`, `invalid_token`, `insufficient_scope` */
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

/** @throws DomainError `insufficient_scope` where the token of a request has none of these scopes */
export const requireAny = (scopes: readonly Scope[], request: FastifyRequest): void => {
  request.requiredScopes = scopes;
  if (!scopes.some((scope) => request.caller?.scopes.includes(scope))) throw new DomainError('insufficient_scope');
};

/** 401 without a good token, 403 without the scopes. An operation of the API that is marked neither way is closed. */
@Injectable()
export class ScopesGuard implements CanActivate {
  constructor(private readonly tokens: AccessTokens) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const { access } = configOf(request);
    if (access === undefined) return isOutsideApi(request);
    if (access === 'public') return true;
    const needed = 'anyOf' in access ? [] : access;
    await authorize(this.tokens, needed, request, http.getResponse<FastifyReply>());
    if ('anyOf' in access) requireAny(access.anyOf, request);
    return true;
  }
}

/** @throws Error for an operation of the API, which has to say who may call it */
const isOutsideApi = (request: FastifyRequest): true => {
  if (!request.routeOptions.url?.startsWith(`/${API}`)) return true;
  throw new Error(`${operationOf(request)} needs @RequireScopes() or @Public()`);
};

/** Path of the protected resource's metadata (RFC 9728 §3). */
const metadataOf = (request: FastifyRequest): string => {
  const { site, base } = request.urls;
  return wellKnown('oauth-protected-resource', resourceOf(request) === 'mcp' ? `${site}/mcp` : base);
};

/** The `WWW-Authenticate` of an error, by each scheme that the request may use (RFC 6750 §3, RFC 9449 §7.1); null: none. */
export const authenticateChallenge = (code: ErrorCode, request: FastifyRequest): string | null => {
  const parameters = challengeParameters(code, request);
  if (parameters === null) return null;
  const { schemes, algorithms } = request.authentication ?? { schemes: ['Bearer'], algorithms: '' };
  const proofs = `DPoP algs="${algorithms}"`;
  const [first, second] = schemes;
  const challenge = first === 'DPoP' ? `${proofs}, ${parameters}` : `Bearer ${parameters}`;
  return second === undefined ? challenge : `${challenge}, ${proofs}`; // as in RFC 9449 §7.2
};

const challengeParameters = (code: ErrorCode, request: FastifyRequest): string | null => {
  const scope = `scope="${request.requiredScopes?.join(' ') ?? ''}"`;
  const metadata = `resource_metadata="${metadataOf(request)}"`;
  // An MCP client asks its traveller for the scopes named here and for nothing else (MCP, Authorization, Scope Selection).
  const wanted = resourceOf(request) === 'mcp' ? `${scope}, ${metadata}` : metadata;
  switch (code) {
    case 'token_missing':
      return wanted;
    case 'invalid_token': {
      const { error, description } = request.authentication?.flaw ?? { error: 'invalid_token', description: null };
      const described = description === null ? '' : `error_description="${description}", `;
      return `error="${error}", ${described}${wanted}`;
    }
    case 'insufficient_scope':
      return `error="insufficient_scope", ${scope}, ${metadata}`;
    default:
      return null;
  }
};

/** What judges every request once its body is read and before its handler: in the order of docs/decisions.md, Errors. */
export const GUARDS = [ScopesGuard, IdempotencyKeyGuard, WarningsGuard].map((guard) => ({
  provide: APP_GUARD,
  useClass: guard,
}));
