import { createHash } from 'node:crypto';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';

/**
 * `ETag` and `304` on a public read (RFC 9110 §8.8.3 and §13.1.2): the tag is of the answer's own bytes. It is asked for
 * at every use, unless the operation's `Cache-Control` says otherwise.
 */
@Injectable()
export class ETagInterceptor implements NestInterceptor<unknown, string | undefined> {
  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<string | undefined> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    return next.handle().pipe(
      map((answer) => {
        const body = JSON.stringify(answer);
        const tag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
        void reply.header('etag', tag);
        if (!reply.hasHeader('cache-control')) void reply.header('cache-control', 'no-cache');
        if (isKnown(tag, request.headers['if-none-match'])) {
          void reply.code(304);
          return undefined;
        }
        void reply.type('application/json; charset=utf-8');
        return body;
      }),
    );
  }
}

/** Whether an `If-None-Match` header says that its sender has what `tag` names (RFC 9110 §13.1.2). */
export const isKnown = (tag: string, condition: string | undefined): boolean =>
  condition !== undefined &&
  (condition.trim() === '*' || condition.split(',').some((one) => one.trim().replace(/^W\//, '') === tag));
