import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { prefersHtml } from '#http';
import { DomainError } from '#kernel';
import { sendPage } from '#site';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OAUTH_ERRORS, OAuthError, RefusedByRedirect } from './oauth-error.js';
import { errorPage } from './pages/error.page.js';

/** The one form of an error of the authorization server, whatever was thrown; the cause of what was not foreseen is logged. */
const asOAuthError = (error: unknown, { log }: FastifyRequest): OAuthError => {
  if (error instanceof OAuthError && error.reason !== 'server_error') return error;
  if (error instanceof DomainError && error.code === 'rate_limited')
    return new OAuthError('rate_limited', { cause: error });
  log.error({ err: error instanceof OAuthError ? error.cause : error }, 'request failed');
  const isDown = error instanceof DomainError && error.code === 'service_unavailable';
  return new OAuthError(isDown ? 'temporarily_unavailable' : 'server_error', { cause: error });
};

/** When another try makes sense, where that is known. */
const tellWhen = ({ reason, cause }: OAuthError, reply: FastifyReply): void => {
  const known = cause instanceof DomainError ? cause.retryAfter : undefined;
  const seconds = known ?? (OAUTH_ERRORS[reason].status === 503 ? 1 : undefined);
  if (seconds !== undefined) void reply.header('retry-after', seconds.toString());
};

const sendJson = ({ reason }: OAuthError, request: FastifyRequest, reply: FastifyReply): void => {
  const { status, error, description, message } = OAUTH_ERRORS[reason];
  // Always Basic, however the client tried (RFC 6749 §5.2; RFC 9110 §15.5.2).
  if (status === 401) void reply.header('www-authenticate', 'Basic realm="alcada", charset="UTF-8"');
  const body = { error, error_description: description, message, requestId: request.id };
  void reply.code(status).header('cache-control', 'no-store').header('pragma', 'no-cache').send(body);
};

/** Errors of the endpoints that programs call: always JSON. */
@Catch()
export class OAuthErrorFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const refused = asOAuthError(error, request);
    tellWhen(refused, reply);
    sendJson(refused, request, reply);
  }
}

/** Errors of what a browser visits: by redirect, as a page, or as JSON to what asks for no page. */
@Catch()
export class PageErrorFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    if (error instanceof RefusedByRedirect) {
      void reply.code(302).header('location', error.location).header('cache-control', 'no-store').send();
      return;
    }
    const refused = asOAuthError(error, request);
    tellWhen(refused, reply);
    if (prefersHtml(request.headers.accept)) sendPage(reply, errorPage(refused.reason, request.urls, request.id));
    else sendJson(refused, request, reply);
  }
}
