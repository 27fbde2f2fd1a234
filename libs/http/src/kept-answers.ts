import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { isUnchanged } from './etag.js';
import { configOf } from './request.js';
import { configureRoute } from './route-config.js';
import { hasUnknown } from './warnings.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The read model whose documents alone an answer shows, in the same way at any time; absent: answers are not kept. */
    shows?: string;
  }
  interface FastifyRequest {
    /** The version of what the answer shows, taken before it was looked at; null: it is not kept. */
    shownVersion: string | null;
  }
}

/** Keeps the answers of a read that shows nothing but documents of this read model. */
export const KeptWhileUnchanged = (shows: string) => configureRoute({ shows });

/** The version that the documents of a read model have now: another one after each change. Null where it is not known. */
export type VersionOf = (readModel: string) => string | null;

/** The headers that belong to the answer, and not to the request or the connection. */
const HEADERS = ['content-type', 'cache-control', 'etag', 'vary'] as const;

/** An answer as it was sent. */
interface KeptAnswer {
  readonly version: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly etag: string;
  readonly body: Buffer;
}

/** Bytes kept of bodies in all; what an answer takes beside its body. */
const [MOST, BESIDE] = [32 * 1024 * 1024, 1_024];

/**
 * Answers of public reads as bytes already made. An answer is kept with the version of the read model that it was made
 * from, and sent again while that is the version; it is made anew afterwards.
 */
export class KeptAnswers {
  private readonly answers = new LRUCache<string, KeptAnswer>({
    maxSize: MOST,
    sizeCalculation: ({ body }, key) => body.length + key.length + BESIDE,
  });

  constructor(private readonly versionOf: VersionOf) {}

  /** Sends the kept answer, if there is one that still holds; answers whether it did. Limits and hooks come first. */
  send(request: FastifyRequest, reply: FastifyReply): boolean {
    const { shows } = configOf(request);
    // `Prefer: handling=strict` is for the operation to judge (RFC 7240).
    if (shows === undefined || request.method !== 'GET' || request.headers.prefer !== undefined) return false;
    request.shownVersion = this.versionOf(shows);
    const kept = this.answers.get(keyOf(request));
    if (!kept || kept.version !== request.shownVersion) return false;
    void reply.headers(kept.headers);
    void reply.send(isUnchanged(reply, kept.etag) ? undefined : kept.body);
    return true;
  }

  /** Keeps an answer as it is about to be sent. */
  keep(request: FastifyRequest, reply: FastifyReply, body: unknown): void {
    const { shownVersion: version } = request;
    const etag = reply.getHeader('etag');
    const isWhole = reply.statusCode === 200 && typeof body === 'string' && typeof etag === 'string';
    // What warns of this request alone is no answer to keep.
    if (version === null || !isWhole || hasUnknown(request)) return;
    const headers = HEADERS.flatMap((name) => {
      const value = reply.getHeader(name);
      return value === undefined ? [] : [[name, String(value)] as const];
    });
    this.answers.set(keyOf(request), { version, headers: Object.fromEntries(headers), etag, body: Buffer.from(body) });
  }
}

/** Keeps the answers of operations marked `KeptWhileUnchanged`. */
export const keepAnswers = (fastify: FastifyInstance, kept: KeptAnswers): void => {
  fastify.decorateRequest('shownVersion', null);
  fastify.addHook('onSend', (request, reply, body, done) => {
    if (request.shownVersion !== null && !Buffer.isBuffer(body)) kept.keep(request, reply, body);
    done(null, body);
  });
};

/** Answers differ by the addresses that their links begin with, and by path and query. */
const keyOf = ({ urls: { base, site }, url }: FastifyRequest): string => `${site} ${base} ${url}`;
