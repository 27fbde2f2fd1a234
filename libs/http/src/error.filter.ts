import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { DomainError, ErrorCode } from '#kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerOf, asDomainError } from './error-answer.js';
import { ERROR_CATALOGUE } from './error-catalogue.js';
import { wellKnown } from './base-urls.js';

/** Sends every refusal and every failure in the one form; the cause stays in the log. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    sendError(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }
}

/** Answers `error` on `reply`; a 5xx is logged with its cause. */
export const sendError = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
  const refusal = asDomainError(error);
  const { status, body } = answerOf(refusal, request.id);
  request.refusal = refusal.code;
  logFailure(refusal, request);
  const retryAfter = refusal.retryAfter ?? RETRY_AFTER[refusal.code];
  if (retryAfter !== undefined) void reply.header('retry-after', retryAfter.toString());
  const challenge = bearerChallenge(refusal, request);
  if (challenge !== null) void reply.header('www-authenticate', challenge);
  void reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body));
};

/** Logs a failure of ours with its cause; a refusal is none. */
export const logFailure = (refusal: DomainError, { log }: FastifyRequest): void => {
  if (ERROR_CATALOGUE[refusal.code].status < 500) return;
  log.error({ err: refusal.cause ?? refusal, code: refusal.code }, 'request failed');
};

/** Seconds after which another try may find things changed, where the refusal itself does not know better. */
const RETRY_AFTER: Readonly<Partial<Record<ErrorCode, number>>> = {
  service_unavailable: 1,
  order_in_progress: 1,
  idempotency_in_flight: 1,
  rate_limited: 60,
};

/** Where the metadata of the resource asked is (RFC 9728 §3). */
const metadataOf = ({ resource, urls }: FastifyRequest): string =>
  wellKnown('oauth-protected-resource', resource === 'mcp' ? `${urls.site}/mcp` : urls.base);

/** RFC 6750 §3: a request without a token learns where to get one; a bad token and missing scopes say so. */
const bearerChallenge = ({ code }: DomainError, request: FastifyRequest): string | null => {
  const scope = `scope="${request.requiredScopes.join(' ')}"`;
  const metadata = `resource_metadata="${metadataOf(request)}"`;
  // An MCP client asks its traveller for what this names, and for nothing else (MCP, Authorization, Scope Selection).
  const wanted = request.resource === 'mcp' ? `${scope}, ${metadata}` : metadata;
  switch (code) {
    case 'token_missing':
      return `Bearer ${wanted}`;
    case 'invalid_token':
      return `Bearer error="invalid_token", ${wanted}`;
    case 'insufficient_scope':
      return `Bearer error="insufficient_scope", ${scope}, ${metadata}`;
    default:
      return null;
  }
};
