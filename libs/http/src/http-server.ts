import type { IncomingHttpHeaders } from 'node:http';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { DomainError, newCause } from '#kernel';
import {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import { routeTable } from './allowed-methods.js';
import { stripBasePath } from './base-path.js';
import { BODY_LIMIT, useBodyParsers } from './body-parsers.js';
import { answerUnreadable } from './client-error.js';
import { endConnections } from './closing.js';
import { sendError } from './error.filter.js';
import { asDomainError } from './error-answer.js';
import { rateLimitKey } from './rate-limit-key.js';
import { type Addresses, API, baseUrlsFor } from './base-urls.js';
import { prefersHtml } from './prefers-html.js';
import { logRequest } from './request-log.js';
import { type RequestInstrumentation, watchWork } from './request-instrumentation.js';

/** What the HTTP edge needs to know. */
export interface HttpOptions {
  readonly addresses: Addresses;
  readonly logger: FastifyBaseLogger;
  /** The proxies that may say who calls (`X-Forwarded-For`): addresses and networks, comma-separated. Absent: none. */
  readonly trustProxy?: string | null;
  /** What a browser is shown where there is no page; absent: what programs are. */
  readonly sendNotFoundPage?: (request: FastifyRequest, reply: FastifyReply) => void;
  /** Absent: nobody. */
  readonly watch?: RequestInstrumentation | undefined;
  /** Told of every request once it is answered, or its caller has left. It must not throw. Absent: nobody. */
  readonly answered?: (request: FastifyRequest, reply: FastifyReply) => void;
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;
/** Where any origin may read answers (docs/decisions.md, CORS); never credentials, never pages. */
const CORS_PATHS = new RegExp(`^/(?:${API}(?:/|$)|\\.well-known/|webmcp\\.js|oauth/(?:token|revoke|jwks)(?:\\?|$))`);
/** Where only programs ask: what is not there is told in their form, whatever they accept. */
const PROGRAM_PATHS = new RegExp(`^/(?:${API}|mcp|\\.well-known)(?:[/?]|$)`);
const EXPOSED = 'ETag, Location, Retry-After, WWW-Authenticate, X-Request-Id, Idempotent-Replayed';

/**
 * Fastify as this service speaks HTTP: request ids, links, parsers, CORS, the log, and every error of the framework
 * itself (router, parser, malformed requests) in the one form.
 */
export const createHttpAdapter = ({
  addresses,
  logger,
  trustProxy = null,
  sendNotFoundPage,
  watch,
  answered,
}: HttpOptions): FastifyAdapter => {
  const prepare = (request: FastifyRequest, reply: FastifyReply): void => {
    request.cause = newCause(givenId(request.headers) === null ? request.id : undefined);
    request.urls = baseUrlsFor(addresses, request.headers.host);
    request.address = rateLimitKey(request, trustProxy !== null);
    request.resource = 'api';
    request.caller = null;
    request.requiredScopes = [];
    request.tool = null;
    request.refusal = null;
    watch?.came(request, reply);
    // Of a caller that leaves, `onResponse` does not tell, nor does it of what the router refuses.
    if (answered) reply.raw.once('close', () => answered(request, reply));
    void reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    if (isShared(request)) {
      void reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', EXPOSED);
    }
  };
  const local = stripBasePath(addresses.urls, (path) => allowedMethods(path).length > 0);
  const refuse = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const isNowhere = asDomainError(error).code === 'route_not_found';
    if (isNowhere && sendNotFoundPage && asksForPage(request)) sendNotFoundPage(request, reply);
    else sendError(error, request, reply);
  };
  const options: FastifyServerOptions = {
    loggerInstance: logger,
    trustProxy: trustProxy ?? false,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    routerOptions: { maxParamLength: 256 },
    return503OnClosing: false, // we do, in our own form
    requestIdHeader: false,
    ...(local && { rewriteUrl: ({ url = '/' }) => local(url) }),
    genReqId: ({ headers }) => givenId(headers) ?? crypto.randomUUID(),
    frameworkErrors: (error, request, reply) => {
      // Hooks do not run for a request the router refuses.
      prepare(request, reply);
      refuse(error, request, reply);
      logRequest(request, reply);
    },
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket, logger),
  };
  const adapter = new FastifyAdapter(options);
  const fastify = adapter.getInstance();
  const allowedMethods = routeTable(fastify);
  const isClosing = endConnections(fastify);
  useBodyParsers(fastify);
  if (watch) watchWork(fastify, watch);
  fastify.addHook('onResponse', (request, reply, done) => {
    logRequest(request, reply);
    done();
  });

  fastify.addHook('onRequest', (request, reply, done) => {
    prepare(request, reply);
    if (isClosing()) {
      sendError(new DomainError('service_unavailable'), request, reply);
      return;
    }
    if (!request.is404) {
      done();
      return;
    }
    // Answered before the body is looked at: the router comes first (docs/decisions.md, Errors).
    const methods = allowedMethods(request.url.split('?', 1)[0] ?? '');
    if (isPreflight(request)) allow(methods, reply);
    else if (methods.length === 0) refuse(new DomainError('route_not_found'), request, reply);
    else sendError(new DomainError('method_not_allowed'), request, reply.header('allow', methods.join(', ')));
  });
  // What a route itself finds nothing for: a folder's missing file, a name of no letters.
  fastify.addHook('preHandler', (request, reply, done) => {
    if (request.is404) refuse(new DomainError('route_not_found'), request, reply);
    else done();
  });
  return adapter;
};

/** The id that the caller gave its request: a label, which may be that of another request too. */
const givenId = ({ 'x-request-id': given }: IncomingHttpHeaders): string | null =>
  typeof given === 'string' && REQUEST_ID.test(given) ? given : null;

const isShared = ({ url }: FastifyRequest): boolean => CORS_PATHS.test(url);

const asksForPage = ({ url, headers }: FastifyRequest): boolean =>
  !PROGRAM_PATHS.test(url) && prefersHtml(headers.accept);

const isPreflight = (request: FastifyRequest): boolean =>
  isShared(request) && request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;

/** The answer to a preflight (Fetch Standard §3.2.2). */
const allow = (methods: readonly string[], reply: FastifyReply): void => {
  void reply
    .header('access-control-allow-methods', methods.join(', '))
    .header('access-control-allow-headers', 'Authorization, Content-Type, Idempotency-Key, X-Request-Id')
    .header('access-control-max-age', '600')
    .code(204)
    .send();
};
