import type { FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify';
import { BODY_LIMIT } from './body-parsers.js';
import type { Quota, RateLimiter, RateName } from './rate-limiter.js';
import { configOf, configureRoute } from './request.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What its requests count as where they are limited; absent: what their method says. */
    counted?: Counted;
  }
}

export interface Counted {
  readonly under: RateName;
  readonly weight?: number;
}

/** Says what a controller or an operation counts as, where that is not what `countedAs` finds by itself. */
export const LimitedBy = (under: RateName, weight = 1) => configureRoute({ counted: { under, weight } });

/** Bytes of a body that one more is counted for: reading and judging as many costs about what the cheapest request does. */
const UNIT = 2_048;

/** How much more than a request without a body one of such a length counts. What is longer than may be is not read. */
const weightOf = (bytes: number): number => Math.max(0, Math.ceil(Math.min(bytes, BODY_LIMIT) / UNIT) - 1);

/** Counts a request before its body is read, and writes what is left into `head`. @throws DomainError `rate_limited` */
export const countRequest = (rates: RateLimiter, request: FastifyRequest, head: string[]): void => {
  const { under, weight = 1 } = countedAs(request);
  const whole = weight + weightOf(Number(request.headers['content-length'] ?? 0));
  rates.take(under, request.address, whole, (quota) => {
    head.push('ratelimit-policy', `"${quota.name}";q=${quota.burst};w=${quota.window}`);
    head.push('ratelimit', leftText(quota));
  });
};

const leftText = ({ name, remaining, seconds }: Quota): string => `"${name}";r=${remaining};t=${seconds}`;

/** Counts a request as `whole`, a body's length apart, where what it asks for costs more than its operation says. */
export const countInAll = (rates: RateLimiter, reply: FastifyReply, whole: number): void => {
  const { under, weight = 1 } = countedAs(reply.request);
  if (whole <= weight) return;
  rates.count(under, reply.request.address, whole - weight, (quota) => void reply.header('ratelimit', leftText(quota)));
};

/** Counts a body of unknown length as it arrives. */
export const countBody =
  (rates: RateLimiter): preParsingHookHandler =>
  (request, _reply, payload, done) => {
    const { method, headers, address } = request;
    if (headers['transfer-encoding'] !== undefined && method !== 'GET' && method !== 'HEAD') {
      const { under } = countedAs(request);
      let bytes = 0;
      payload.on('data', (piece: Buffer) => {
        const counted = weightOf(bytes);
        bytes += piece.length;
        const more = weightOf(bytes) - counted;
        if (more > 0) rates.count(under, address, more);
      });
    }
    done(null, payload);
  };

const countedAs = (request: FastifyRequest): Counted => {
  const { method, is404 } = request;
  const { counted, access } = configOf(request);
  if (counted) return counted;
  if (access !== undefined && access !== 'public') return { under: 'operations' };
  const isRead = is404 || ['GET', 'HEAD', 'OPTIONS'].includes(method);
  return { under: isRead ? 'publicReads' : 'formPosts' };
};
