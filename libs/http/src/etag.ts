import { createHash } from 'node:crypto';
import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { concatMap, map, type Observable } from 'rxjs';
import { ApiUnchanged } from './api-errors.js';
import { codedTag, type Kind, markPublic, type Tagged } from './compression.js';
import { configOf } from './request.js';
import { hasUnknown } from './warnings.js';

export interface Prepared {
  readonly body: Buffer;
  /** The entity tag of these bytes, and of no others. */
  readonly etag: string;
}

/** What an operation answers with that can be answered again from memory: what it shows may change, who asks does not matter. */
export class RepeatableAnswer {
  /** `now`: the answer as of now, at once where nothing is to be read; it throws as the operation does. `holds`: bytes it keeps. */
  constructor(
    readonly now: () => Prepared | Promise<Prepared>,
    readonly holds: number,
  ) {}
}

/** A function of what is there at once, or comes later. */
export const whenThere = <One, Other>(one: One | Promise<One>, then: (one: One) => Other): Other | Promise<Other> =>
  one instanceof Promise ? one.then(then) : then(one);

/** The entity tag of these bytes (RFC 9110 §8.8.3). */
export const etagOf = (body: string | Buffer): string =>
  `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;

const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');

/** Whether an `If-None-Match` header says that its sender has what `tag` names (RFC 9110 §13.1.2). */
export const isKnown = (tag: string, condition: string | undefined): boolean =>
  condition !== undefined &&
  (condition.trim() === '*' || condition.split(',').some((one) => opaque(one) === opaque(tag)));

/** Sets the tag of an answer, and 304 if the caller has it already: then there is nothing to send. */
export const isUnchanged = (reply: FastifyReply, tag: string): boolean => {
  void reply.header('etag', tag);
  if (!isKnown(tag, reply.request.headers['if-none-match'])) return false;
  void reply.code(304);
  return true;
};

/** The same of an answer that is for everybody, and so compressed: never to a session or a token. A tag for each coding. */
export const isPublicUnchanged = (reply: FastifyReply, answer: Tagged, kind: Kind = 'answer'): boolean => {
  const { etag } = answer;
  const coding = markPublic(reply, answer, kind);
  if (coding === null) return isUnchanged(reply, etag);
  const isAsItIs = isKnown(etag, reply.request.headers['if-none-match']);
  return isUnchanged(reply, codedTag(etag, coding)) || (isAsItIs && isUnchanged(reply, etag));
};

/** `ETag` and `304` on a read, and compressed to everybody where it is public. It is asked for at every use, unless the operation's `Cache-Control` says otherwise. */
@Injectable()
export class ETagInterceptor implements NestInterceptor<unknown, unknown> {
  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      concatMap(async (answer) => {
        const isRepeatable = answer instanceof RepeatableAnswer;
        const { body, etag } = isRepeatable ? await answer.now() : prepared(answer);
        // What warns of this request alone is no answer to keep.
        if (hasUnknown(reply.request)) return isRepeatable ? (JSON.parse(String(body)) as unknown) : answer;
        if (isRepeatable) reply.request.repeatable = answer;
        if (!reply.hasHeader('cache-control')) void reply.header('cache-control', 'no-cache');
        const isPublic = configOf(reply.request).access === 'public';
        if (isPublic ? isPublicUnchanged(reply, { body, etag }) : isUnchanged(reply, etag)) return undefined;
        void reply.type('application/json; charset=utf-8');
        return body;
      }),
    );
  }
}

/** A traveller's own read: a weak `ETag`, and no shared cache. `running`: a number that changes by itself and is left out. */
export const PrivateRead = (running?: string) =>
  applyDecorators(UseInterceptors(new PrivateETags(running)), ApiUnchanged());

class PrivateETags implements NestInterceptor<unknown, unknown> {
  /** No text of a user can match it: a quotation mark within one has a backslash before it. */
  private readonly running: RegExp | null;

  constructor(running: string | undefined) {
    this.running = running === undefined ? null : new RegExp(`"${running}":\\d+`, 'g');
  }

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(map((answer) => this.tagged(answer, reply)));
  }

  private tagged(answer: unknown, reply: FastifyReply): unknown {
    // What warns of this request alone is no answer to keep.
    if (hasUnknown(reply.request)) {
      void reply.header('cache-control', 'no-store');
      return answer;
    }
    const body = JSON.stringify(answer);
    const tag = etagOf(this.running ? body.replace(this.running, '') : body);
    void reply.header('cache-control', 'private, no-cache').header('vary', 'Authorization, Prefer');
    if (isUnchanged(reply, `W/${tag}`)) return undefined;
    void reply.type('application/json; charset=utf-8');
    return body;
  }
}

const prepared = (answer: unknown) => {
  const body = JSON.stringify(answer);
  return { body, etag: etagOf(body) };
};
