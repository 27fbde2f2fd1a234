import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  StreamableFile,
  UseInterceptors,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { etagOf, isPublicUnchanged, isUnchanged } from '#http';
import type { FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';
import { type Asset, versionOf } from './assets.js';
import { pageHeaders, type PagePolicy } from './page-headers.js';

/** A page ready to be sent. */
export interface Page extends PagePolicy {
  readonly status: number;
  readonly html: string;
}

/** Where a browser goes on by GET after a form (RFC 9700 §4.12). */
export interface SeeOther {
  readonly location: string;
}

/** What a controller of pages answers: a page, a file, another address, or a text. */
export type PageAnswer = Page | Asset | SeeOther | string;

/** Sends a page under its security headers, or what else a page's controller answers. */
export const sendPage = (reply: FastifyReply, answer: PageAnswer): void => {
  void reply.send(written(reply, answer));
};

/** Sets the status and headers of an answer, and gives its body; undefined if there is none. */
const written = (reply: FastifyReply, answer: PageAnswer): string | Buffer | undefined => {
  if (typeof answer === 'string') return answer;
  if ('html' in answer) return pageWritten(reply, answer);
  if ('location' in answer) {
    void reply.code(303).header('location', answer.location).header('cache-control', 'no-store');
    return undefined;
  }
  // What an address with this content's version answers is never another; anything else may be, after a release.
  const isVersioned = answer.isForEver ?? reply.request.url.endsWith(`?v=${versionOf(answer)}`);
  void reply.header('cache-control', isVersioned ? 'public, max-age=31536000, immutable' : 'public, max-age=3600');
  if (isAssetUnchanged(reply, answer, isVersioned)) return undefined;
  void reply.type(answer.type);
  return answer.body;
};

/** Files are for everybody. Those that are no text are compressed already. */
const isAssetUnchanged = (reply: FastifyReply, { body, etag }: Asset, isVersioned: boolean): boolean =>
  typeof body === 'string'
    ? isPublicUnchanged(reply, { body, etag }, isVersioned ? 'file' : 'answer')
    : isUnchanged(reply, etag);

/** A public page is not sent again to a browser that has it (RFC 9110 §13.1.2). */
const pageWritten = (reply: FastifyReply, { status, html, ...policy }: Page): string | undefined => {
  void reply.code(status).headers(pageHeaders(policy));
  const isForAll = policy.isPublic && status === 200;
  return isForAll && isPublicUnchanged(reply, { body: html, etag: etagOf(html) }) ? undefined : html;
};

/** What is sent: of a file that is made as it is read, its stream. */
type Sent = string | Buffer | StreamableFile | undefined;

/** Sends what a handler answers. */
@Injectable()
class PageInterceptor implements NestInterceptor<PageAnswer | StreamableFile, Sent> {
  intercept(context: ExecutionContext, next: CallHandler<PageAnswer | StreamableFile>): Observable<Sent> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(map((answer) => (answer instanceof StreamableFile ? answer : written(reply, answer))));
  }
}

/** A controller whose handlers answer pages and files as values, and which is no part of the API's description. */
export const AnswersPages = () => applyDecorators(UseInterceptors(PageInterceptor), ApiExcludeController());
