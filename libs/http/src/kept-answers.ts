import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { nextTurn } from '#kernel';
import { codedTag, type Coding, codingOf, compressedAs, endPacked, isLong, varyOf } from './compression.js';
import { isKnown, type Prepared, type RepeatableAnswer } from './etag.js';
import { type Head, setHead } from './cors.js';
import { hasUnknown } from './warnings.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** How it is answered again, where its operation has said so. */
    repeatable: RepeatableAnswer | null;
  }
}

/** The headers that belong to the answer, and not to the request or the connection; the tag and the type come with its bytes. */
const HEADERS = ['cache-control'] as const;

interface KeptAnswer {
  readonly answer: RepeatableAnswer;
  readonly head: Head;
  /** What it differs by beside its coding. */
  readonly vary: string | undefined;
}

interface Ready {
  readonly to: ServerResponse;
  readonly head: string[];
  /** None: 304. */
  readonly body: Buffer | null;
}

/** Bytes kept in all; what an answer takes at least. */
const [MOST, LEAST] = [16 * 1024 * 1024, 1_024];

/** Public reads answered without their operation. What is kept is how an answer is made from memory, so it is never stale. */
export class KeptAnswers {
  private readonly answers = new LRUCache<string, KeptAnswer>({
    maxSize: MOST,
    sizeCalculation: ({ answer }, key) => LEAST + 2 * key.length + answer.holds,
  });

  /** Written together when the turn ends: writing to callers that all wait for the next of them wakes each one for itself. */
  private ready: Ready[] = [];

  /** Sends what was sent before, with this request's `head`; returns whether it does. `ask`: the operation. Limits come first. */
  send(request: FastifyRequest, reply: FastifyReply, head: Head, ask: () => void): boolean {
    // `Prefer: handling=strict` is for the operation to judge (RFC 7240).
    if (request.method !== 'GET' || request.headers.prefer !== undefined) return false;
    const kept = this.answers.get(keyOf(request));
    if (!kept) return false;
    try {
      const now = kept.answer.now();
      const send = (prepared: Prepared): void => this.sendPrepared(request, reply, prepared, head, kept);
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

  /** Sends an answer, or 304 to whom has it already, and leaves nothing to Fastify. */
  private sendPrepared(
    { headers }: FastifyRequest,
    reply: FastifyReply,
    prepared: Prepared,
    head: Head,
    kept: KeptAnswer,
  ): void {
    const { body, etag } = prepared;
    const whole = [...head, ...kept.head];
    const vary = varyOf(body, kept.vary);
    if (vary !== undefined) whole.push('vary', vary);
    reply.hijack();
    const send = (bytes: Buffer | null, tag: string, coding?: Coding): void =>
      this.push(reply.raw, [...whole, ...headOf(bytes, tag, coding)], bytes);
    const condition = headers['if-none-match'];
    const coding = codingOf(body, headers['accept-encoding']);
    const tag = coding === null ? etag : codedTag(etag, coding);
    const known = [tag, etag].find((one) => isKnown(one, condition));
    if (known !== undefined) send(null, known);
    else if (coding === null) send(body, etag);
    else {
      const sendAs = (bytes: Buffer | null): void => (bytes ? send(bytes, tag, coding) : send(body, etag));
      const compressed = compressedAs(coding, prepared);
      if (compressed instanceof Promise) void compressed.then(sendAs);
      else sendAs(compressed);
    }
  }

  private push(to: ServerResponse, head: string[], body: Buffer | null): void {
    if (this.ready.length === 0) void nextTurn().then(() => this.write());
    this.ready.push({ to, head, body });
  }

  private write(): void {
    const { ready } = this;
    this.ready = [];
    for (const { to, head, body } of ready) {
      if (to.destroyed || to.headersSent) continue; // its caller has left, or has another answer already
      if (body && isLong(body)) endPacked(to.writeHead(200, head), body);
      else if (body) to.writeHead(200, head).end(body);
      else to.writeHead(304, head).end();
    }
  }

  keep(request: FastifyRequest, reply: FastifyReply): void {
    const { repeatable } = request;
    const isWhole = request.method === 'GET' && (reply.statusCode === 200 || reply.statusCode === 304);
    // What warns of this request alone is no answer to keep.
    if (repeatable === null || !isWhole || hasUnknown(request)) return;
    const head = HEADERS.flatMap((name) => {
      const value = reply.getHeader(name);
      return value === undefined ? [] : [name, String(value)];
    });
    const vary = reply.getHeader('vary');
    this.answers.set(keyOf(request), { answer: repeatable, head, vary: typeof vary === 'string' ? vary : undefined });
  }
}

/** Keeps how the operations answered that can be answered again. */
export const keepAnswers = (fastify: FastifyInstance, kept: KeptAnswers): void => {
  fastify.addHook('onSend', (request, reply, body, done) => {
    kept.keep(request, reply);
    done(null, body);
  });
};

/** The headers that belong to these bytes; null: 304. */
const headOf = (bytes: Buffer | null, tag: string, coding?: Coding): Head => [
  ...['etag', tag],
  ...(bytes ? ['content-type', 'application/json; charset=utf-8', 'content-length', String(bytes.length)] : []),
  ...(coding === undefined ? [] : ['content-encoding', coding]),
];

/** Answers differ by the addresses that their links begin with, and by path and query. */
const keyOf = ({ urls: { base, site }, url }: FastifyRequest): string => `${site} ${base} ${url}`;
