import type { FastifyRequest } from 'fastify';
import type { RateLimiter, RateName } from './rate-limiter.js';
import { configOf } from './request.js';
import { configureRoute } from './route-config.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What its requests count as where they are limited; absent: what their method says. */
    counted?: Counted;
  }
}

/** What a request counts as. */
export interface Counted {
  readonly under: RateName;
  /** As how many of the cheapest requests it counts. */
  readonly weight?: number;
}

/** Says what a controller or an operation counts as, where that is not what `countedAs` finds by itself. */
export const LimitedBy = (under: RateName, weight = 1) => configureRoute({ counted: { under, weight } });

/**
 * Counts a request under the one limit that it has, and writes into the head of its answer how much of that is left
 * (draft-ietf-httpapi-ratelimit-headers-10). Called for every request before its body is read, also where there is no route:
 * nothing that is served is without a limit (docs/decisions.md, Limits).
 *
 * @throws DomainError `rate_limited`
 */
export const countRequest = (rates: RateLimiter, request: FastifyRequest, head: string[]): void => {
  const { under, weight = 1 } = countedAs(request);
  rates.take(under, request.address, weight, ({ name, limit, remaining, seconds }) => {
    head.push('ratelimit-policy', `"${name}";q=${limit};w=60`, 'ratelimit', `"${name}";r=${remaining};t=${seconds}`);
  });
};

const countedAs = (request: FastifyRequest): Counted => {
  const { method, is404 } = request;
  const { counted, access } = configOf(request);
  if (counted) return counted;
  if (access !== undefined && access !== 'public') return { under: 'operations' };
  const isRead = is404 || ['GET', 'HEAD', 'OPTIONS'].includes(method);
  return { under: isRead ? 'publicReads' : 'formPosts' };
};
