import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { prefersHtml } from '#http';
import { DomainError } from '#kernel';
import { sendPage } from '#site';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorPage } from './error.page.js';
import { ProtocolError, RequestError } from './protocol-error.js';

/** Whatever was thrown, as an error in OAuth's form; what nobody foresaw is logged. */
const asProtocolError = (error: unknown, { log }: FastifyRequest): ProtocolError => {
  if (error instanceof ProtocolError && error.reason !== 'server_error') return error;
  if (error instanceof DomainError && error.code === 'rate_limited')
    return new RequestError('rate_limited', { cause: error });
  log.error({ err: error instanceof ProtocolError ? error.cause : error }, 'request failed');
  const isDown = error instanceof DomainError && error.code === 'service_unavailable';
  return new RequestError(isDown ? 'temporarily_unavailable' : 'server_error', { cause: error });
};

/** When another try makes sense, where that is known. */
const setRetryAfter = ({ answer, cause }: ProtocolError, reply: FastifyReply): void => {
  const known = cause instanceof DomainError ? cause.retryAfter : undefined;
  const seconds = known ?? (answer.status === 503 ? 1 : undefined);
  if (seconds !== undefined) void reply.header('retry-after', seconds.toString());
};

const sendJson = ({ answer }: ProtocolError, request: FastifyRequest, reply: FastifyReply): void => {
  const { status, error, description, message } = answer;
  // Always Basic, however the client tried (RFC 6749 §5.2; RFC 9110 §15.5.2).
  if (status === 401) void reply.header('www-authenticate', 'Basic realm="alcada", charset="UTF-8"');
  const body = { error, error_description: description, message, requestId: request.id };
  void reply.code(status).header('cache-control', 'no-store').header('pragma', 'no-cache').send(body);
};

/** Errors of the endpoints that programs call: always JSON. */
@Catch()
export class ProtocolErrorFilter implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const error = asProtocolError(thrown, request);
    setRetryAfter(error, reply);
    sendJson(error, request, reply);
  }
}

/** Errors of what a browser visits: a page, or JSON for a caller that asks for no page. */
@Catch()
export class PageErrorFilter implements ExceptionFilter {
  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const error = asProtocolError(thrown, request);
    setRetryAfter(error, reply);
    if (prefersHtml(request)) sendPage(reply, errorPage(error.answer, request.urls, request.id));
    else sendJson(error, request, reply);
  }
}
