import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { API } from './base-urls.js';

/** Headers as Node takes them in one piece: names and values by turns. */
export type Head = readonly string[];

export const setHead = (reply: FastifyReply, head: Head): void => {
  for (let place = 0; place < head.length; place += 2) void reply.header(head[place] ?? '', head[place + 1]);
};

/** Where any origin may read answers (docs/decisions.md, CORS); never with credentials, and never pages. */
const SHARED_PATHS = new RegExp(
  `^/(?:${API}(?:/|$)|\\.well-known/|webmcp\\.js|tlog(?:[/?]|$)|oauth/(?:token|par|revoke|register|jwks|schemas/[^/?]+)(?:\\?|$))`,
);
const EXPOSED =
  'DPoP-Nonce, ETag, Location, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id, Idempotent-Replayed, Preference-Applied';

const isShared = ({ url }: FastifyRequest): boolean => SHARED_PATHS.test(url);

const SHARED: Head = ['access-control-allow-origin', '*', 'access-control-expose-headers', EXPOSED];
const OWN: Head = [];

/** What lets pages of any origin read the answer, also that of an error and of a path that no route knows. */
export const sharingHead = (request: FastifyRequest): Head => (isShared(request) ? SHARED : OWN);

export const isPreflight = (request: FastifyRequest): boolean =>
  isShared(request) && request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;

/** Answers a preflight with the methods of its path (Fetch Standard §3.2.2). */
export const answerPreflight = (methods: readonly string[], reply: FastifyReply): void => {
  void reply
    .header('access-control-allow-methods', methods.join(', '))
    .header(
      'access-control-allow-headers',
      'Authorization, Content-Type, DPoP, Idempotency-Key, If-None-Match, Prefer, X-Request-Id',
    )
    .header('access-control-max-age', '600')
    .code(204)
    .send();
};

interface Route {
  readonly method: string;
  readonly path: RegExp;
}

/** A route's pattern as an expression: `:name` is one segment, `*` the rest. */
const pathOf = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replace(/:[^/]+/g, '[^/]+')
      .replace(/\*/g, '.*')}$`,
  );

/** Remembers the routes; returns the methods that a path knows, for `Allow` where a method is 405 (RFC 9110 §15.5.6). */
export const routeTable = (fastify: FastifyInstance): ((path: string) => readonly string[]) => {
  const routes: Route[] = [];
  fastify.addHook('onRoute', ({ method, url }) => {
    if (url.startsWith('*') || url === '/*') return;
    for (const one of [method].flat()) routes.push({ method: one, path: pathOf(url) });
  });
  return (path) => [...new Set(routes.filter((route) => route.path.test(path)).map(({ method }) => method))].sort();
};
