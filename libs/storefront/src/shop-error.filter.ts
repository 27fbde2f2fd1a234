import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { asDomainError, prefersHtml, sendError } from '#http';
import type { ErrorCode } from '#kernel';
import { sendPage } from '#site';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { notFoundPage } from './not-found.page.js';
import { refusedPage } from './refused.page.js';

/** What says that an address leads nowhere. */
const NOWHERE: readonly ErrorCode[] = ['route_not_found', 'invalid_cursor'];

/** Errors of the public pages: a page to browsers, the one form to programs; the cause stays in the log. */
@Catch()
export class ShopErrorFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const refusal = asDomainError(error);
    void reply.header('vary', 'Accept');
    if (!prefersHtml(request.headers.accept)) {
      sendError(error, request, reply);
      return;
    }
    if (NOWHERE.includes(refusal.code)) {
      sendPage(reply, notFoundPage(request.urls));
      return;
    }
    request.log.error({ err: refusal.cause ?? refusal, code: refusal.code }, 'request failed');
    if (refusal.retryAfter !== undefined) void reply.header('retry-after', refusal.retryAfter.toString());
    sendPage(reply, refusedPage(refusal, request.urls, request.id));
  }
}
