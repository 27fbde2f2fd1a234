import { DomainError } from '#kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';

const EXPOSED = 'Retry-After, WWW-Authenticate, X-Request-Id, Idempotent-Replayed';

/**
 * Lets in programs, which send no `Origin`, and pages of our own and of allowed origins, which may then read the answer
 * (MCP, Transports, Security Warning: a page must not reach a server of its visitor's by DNS rebinding).
 *
 * @throws DomainError `origin_forbidden`
 */
export const checkOrigin = (
  { headers, urls }: FastifyRequest,
  reply: FastifyReply,
  allowed: readonly string[],
): void => {
  void reply.header('vary', 'Origin');
  const { origin } = headers;
  if (origin === undefined) return;
  if (origin !== new URL(urls.site).origin && !allowed.includes(origin)) throw new DomainError('origin_forbidden');
  void reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', EXPOSED);
};

/** What a page may send, once its origin is let in (Fetch Standard §3.2.2). */
export const PREFLIGHT = {
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key, MCP-Protocol-Version, X-Request-Id',
  'access-control-max-age': '600',
} as const;
