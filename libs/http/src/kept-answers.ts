import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { ServerResponse } from 'node:http';
import { nextTurn } from '#kernel';
import { isKnown } from './etag.js';
import { type Head, setHead } from './head.js';
import type { Prepared, RepeatableAnswer } from './repeatable-answer.js';
import { hasUnknown } from './warnings.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** How it is answered again, where its operation has said so. */
    repeatable: RepeatableAnswer | null;
  }
}

/** The headers that belong to the answer, and not to the request or the connection; the tag and the type come with its bytes. */
const HEADERS = ['cache-control', 'vary'] as const;

/** How a request was answered. */
interface KeptAnswer {
  readonly answer: RepeatableAnswer;
  readonly head: Head;
}

/** An answer that is to be written. */
interface Ready {
  readonly to: ServerResponse;
  readonly head: string[];
  /** None: 304. */
  readonly body: Buffer | null;
}

/** Bytes kept in all; what an answer takes at least. */
const [MOST, LEAST] = [16 * 1024 * 1024, 1_024];

/**
 * Answers of public reads that are given again without their operation. What is kept is how the answer is made of what is in
 * memory, so it always shows what is there now, and nothing has to be dropped when that changes.
 */
export class KeptAnswers {
  private readonly answers = new LRUCache<string, KeptAnswer>({
    maxSize: MOST,
    sizeCalculation: ({ answer }, key) => LEAST + 2 * key.length + answer.holds,
  });

  /** Written together when the turn ends: writing to callers that all wait for the next of them wakes each one for itself. */
  private ready: Ready[] = [];

  /**
   * Answers again what was answered before, with `head` of this request; says whether it does. `ask`: asks the operation after
   * all. Limits come first.
   */
  send(request: FastifyRequest, reply: FastifyReply, head: Head, ask: () => void): boolean {
    // `Prefer: handling=strict` is for the operation to judge (RFC 7240).
    if (request.method !== 'GET' || request.headers.prefer !== undefined) return false;
    const kept = this.answers.get(keyOf(request));
    if (!kept) return false;
    try {
      const now = kept.answer.now();
      const send = (prepared: Prepared): void => this.sendPrepared(request, reply, prepared, [...head, ...kept.head]);
      if (now instanceof Promise)
        now.then(send, () => {
          setHead(reply, head);
          ask();
        });
      else send(now);
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Sends an answer, or 304 to whom has it already. Nothing that Fastify could do is left to be done: its hooks look at bodies
   * sent here, cookies and the end of the server.
   */
  private sendPrepared(
    { headers }: FastifyRequest,
    reply: FastifyReply,
    { body, etag }: Prepared,
    head: string[],
  ): void {
    head.push('etag', etag);
    const isWanted = !isKnown(etag, headers['if-none-match']);
    if (isWanted) head.push('content-type', 'application/json; charset=utf-8', 'content-length', String(body.length));
    reply.hijack();
    if (this.ready.length === 0) void nextTurn().then(() => this.write());
    this.ready.push({ to: reply.raw, head, body: isWanted ? body : null });
  }

  private write(): void {
    const { ready } = this;
    this.ready = [];
    for (const { to, head, body } of ready) {
      if (to.destroyed || to.headersSent) continue; // its caller has left, or was told something else meanwhile
      if (body) to.writeHead(200, head).end(body);
      else to.writeHead(304, head).end();
    }
  }

  /** Keeps how a request was answered, as its answer is about to be sent. */
  keep(request: FastifyRequest, reply: FastifyReply): void {
    const { repeatable } = request;
    const isWhole = request.method === 'GET' && (reply.statusCode === 200 || reply.statusCode === 304);
    // What warns of this request alone is no answer to keep.
    if (repeatable === null || !isWhole || hasUnknown(request)) return;
    const head = HEADERS.flatMap((name) => {
      const value = reply.getHeader(name);
      return value === undefined ? [] : [name, String(value)];
    });
    this.answers.set(keyOf(request), { answer: repeatable, head });
  }
}

/** Keeps how the operations answered that can be answered again. */
export const keepAnswers = (fastify: FastifyInstance, kept: KeptAnswers): void => {
  fastify.addHook('onSend', (request, reply, body, done) => {
    kept.keep(request, reply);
    done(null, body);
  });
};

/** Answers differ by the addresses that their links begin with, and by path and query. */
const keyOf = ({ urls: { base, site }, url }: FastifyRequest): string => `${site} ${base} ${url}`;
