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

@Injectable()
class PageInterceptor implements NestInterceptor<PageAnswer | StreamableFile, Sent> {
  intercept(context: ExecutionContext, next: CallHandler<PageAnswer | StreamableFile>): Observable<Sent> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(map((answer) => (answer instanceof StreamableFile ? answer : written(reply, answer))));
  }
}

/** A controller with handlers that return pages and files as values. The API's description leaves it out. */
export const AnswersPages = () => applyDecorators(UseInterceptors(PageInterceptor), ApiExcludeController());

export interface PagePolicy {
  /** Where its forms may lead, redirects included, beside its own origin (CSP source expressions). */
  readonly formTargets?: readonly string[];
  /** What its script may call beside its own origin (CSP source expressions). Absent: no script runs. */
  readonly scriptTargets?: readonly string[] | 'none';
  /** Whether its address may hold a secret: then no referrer is sent, and its forms send `Origin: null`. */
  readonly isAddressSecret?: boolean;
  /** Whether it is for everybody: caches may keep it if they ask again, and agents in the browser may use its tools. */
  readonly isPublic?: boolean;
}

/** What browsers want of a page that offers tools to agents, and of none that it could be confused with (WebMCP, Security). */
const FOR_EVERYBODY = {
  'cache-control': 'no-cache',
  'permissions-policy': 'tools=(self)',
  // The window in which a traveller lets an agent in is one that this page opened.
  'cross-origin-opener-policy': 'same-origin-allow-popups',
};

/** Security headers of every page. Not `Referrer-Policy: no-referrer`, with which forms send `Origin: null`. */
export const pageHeaders = (policy: PagePolicy = {}): Readonly<Record<string, string>> => {
  const { formTargets = [], scriptTargets, isAddressSecret = false, isPublic = false } = policy;
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [
      "default-src 'none'",
      ...(scriptTargets ? ["script-src 'self'", `connect-src ${connections(scriptTargets)}`] : []),
      "style-src 'self'",
      "img-src 'self'",
      `form-action ${["'self'", ...formTargets].join(' ')}`,
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ].join('; '),
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': isAddressSecret ? 'no-referrer' : 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    ...(isPublic ? FOR_EVERYBODY : { 'cache-control': 'no-store' }),
  };
};

const connections = (targets: readonly string[] | 'none'): string =>
  targets === 'none' ? "'none'" : ["'self'", ...targets].join(' ');

/** The CSP source of a redirect's target: its origin, or its scheme where that is no source (CSP Level 3 §2.3.1). */
export const formTarget = (url: string): string => {
  const { origin, protocol, hostname } = new URL(url);
  return origin === 'null' || hostname.startsWith('[')
    ? protocol
    : origin.replaceAll(';', '%3B').replaceAll(',', '%2C');
};
