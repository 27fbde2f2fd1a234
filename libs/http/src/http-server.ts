import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Refusal } from '#kernel';
import {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import { rememberRoutes } from './allowed-methods.js';
import { BODY_LIMIT, useBodyParsers } from './body-parsers.js';
import { sendError } from './error.filter.js';
import { type Addresses, API, linksFor } from './links.js';
import { logRequests } from './request-log.js';

/** What the HTTP edge needs to know. */
export interface HttpOptions {
  readonly addresses: Addresses;
  readonly logger: FastifyBaseLogger;
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;
/** Where any origin may read answers (design.md §5, CORS); never credentials, never pages. */
const CORS_PATHS = new RegExp(`^/(?:${API}(?:/|$)|\\.well-known/|webmcp\\.js|oauth/(?:token|revoke|jwks)(?:\\?|$))`);
const EXPOSED = 'ETag, Location, Retry-After, WWW-Authenticate, X-Request-Id, Idempotent-Replayed';

/**
 * Fastify as this service speaks HTTP: request ids, links, parsers, CORS, the log, and every error of the framework
 * itself (router, parser, malformed requests) in the one form.
 */
export const createHttpAdapter = ({ addresses, logger }: HttpOptions): FastifyAdapter => {
  const prepare = (request: FastifyRequest, reply: FastifyReply): void => {
    request.links = linksFor(addresses, request.headers.host);
    request.caller = null;
    request.requiredScopes = [];
    void reply.header('x-request-id', request.id);
  };
  const options: FastifyServerOptions = {
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    routerOptions: { maxParamLength: 256 },
    requestIdHeader: false,
    genReqId: ({ headers }) => {
      const given = headers['x-request-id'];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : crypto.randomUUID();
    },
    frameworkErrors: (error, request, reply) => {
      // Hooks have not run for a request the router refuses.
      prepare(request, reply);
      sendError(error, request, reply);
    },
    clientErrorHandler: (_, socket) => {
      if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    },
  };
  const adapter = new FastifyAdapter(options);
  const fastify = adapter.getInstance();
  const allowedMethods = rememberRoutes(fastify);
  useBodyParsers(fastify);
  logRequests(fastify);

  fastify.addHook('onRequest', (request, reply, done) => {
    prepare(request, reply);
    void reply.header('x-content-type-options', 'nosniff');
    const path = request.url.split('?', 1)[0] ?? '';
    if (CORS_PATHS.test(request.url)) {
      void reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', EXPOSED);
      if (request.method === 'OPTIONS' && request.headers['access-control-request-method']) {
        void reply
          .header('access-control-allow-methods', allowedMethods(path).join(', '))
          .header('access-control-allow-headers', 'Authorization, Content-Type, Idempotency-Key, X-Request-Id')
          .header('access-control-max-age', '600')
          .code(204)
          .send();
        return;
      }
    }
    if (request.is404) {
      const methods = allowedMethods(path);
      if (methods.length > 0) {
        void reply.header('allow', methods.join(', '));
        sendError(new Refusal('method_not_allowed'), request, reply);
        return;
      }
    }
    done();
  });
  return adapter;
};
