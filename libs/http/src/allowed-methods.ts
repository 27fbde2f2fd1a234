import type { FastifyInstance } from 'fastify';

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
