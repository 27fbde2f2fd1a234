import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { ErrorCode, Refusal } from '#kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerOf, asRefusal } from './error-answer.js';
import { wellKnown } from './links.js';

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
  const refusal = asRefusal(error);
  const { status, body } = answerOf(refusal, request.id);
  if (status >= 500) request.log.error({ err: refusal.cause ?? refusal, code: refusal.code }, 'request failed');
  const retryAfter = refusal.retryAfter ?? RETRY_AFTER[refusal.code];
  if (retryAfter !== undefined) void reply.header('retry-after', retryAfter.toString());
  const challenge = bearerChallenge(refusal, request);
  if (challenge !== null) void reply.header('www-authenticate', challenge);
  void reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body));
};

/** Seconds after which another try may find things changed, where the refusal itself does not know better. */
const RETRY_AFTER: Readonly<Partial<Record<ErrorCode, number>>> = {
  service_unavailable: 1,
  order_in_progress: 1,
  idempotency_in_flight: 1,
  rate_limited: 60,
};

/** RFC 6750 §3: a request without a token learns where to get one; a bad token and missing scopes say so. */
const bearerChallenge = ({ code }: Refusal, { links, requiredScopes }: FastifyRequest): string | null => {
  const metadata = `resource_metadata="${wellKnown('oauth-protected-resource', links.base)}"`;
  switch (code) {
    case 'token_missing':
      return `Bearer ${metadata}`;
    case 'invalid_token':
      return `Bearer error="invalid_token", ${metadata}`;
    case 'insufficient_scope':
      return `Bearer error="insufficient_scope", scope="${requiredScopes.join(' ')}", ${metadata}`;
    default:
      return null;
  }
};
