import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Refusal } from '#kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerOf, asRefusal } from './error-answer.js';

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
  for (const [name, value] of Object.entries(headersOf(refusal, request))) void reply.header(name, value);
  void reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body));
};

/** RFC 6750 §3: a request without a token learns where to get one; a bad token and missing scopes say so. */
const headersOf = (refusal: Refusal, request: FastifyRequest): Record<string, string> => {
  const metadata = `resource_metadata="${request.links.auth}/.well-known/oauth-protected-resource/api/v1"`;
  switch (refusal.code) {
    case 'token_missing':
      return { 'www-authenticate': `Bearer ${metadata}` };
    case 'invalid_token':
      return { 'www-authenticate': `Bearer error="invalid_token", ${metadata}` };
    case 'insufficient_scope': {
      const scope = request.requiredScopes.join(' ');
      return { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}", ${metadata}` };
    }
    case 'service_unavailable':
    case 'order_in_progress':
      return { 'retry-after': '1' };
    default:
      return {};
  }
};
