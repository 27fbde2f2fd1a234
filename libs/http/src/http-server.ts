import { createServer, type IncomingHttpHeaders } from 'node:http';
import cookie, { type CookieSerializeOptions, type ParseOptions } from '@fastify/cookie';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import {
  type FastifyBaseLogger,
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerFactory,
  LogController,
  type RawServerDefault,
} from 'fastify';
import { type Clock, DomainError, type Ids, newCause, RandomIds, SystemClock } from '#kernel';
import { answerPreflight, isPreflight, routeTable, setHead, sharingHead } from './cors.js';
import { type Addresses, API, baseUrlsFor, stripBasePath } from './base-urls.js';
import { BODY_LIMIT, useBodyParsers } from './body-parsers.js';
import { compressAnswers, packLongAnswers } from './compression.js';
import { type ConnectionLimits, OpenConnections, silenceOf, timeoutsOf } from './connection-limits.js';
import { answerUnreadable, ArrivingMessage, endConnections, inTurn } from './connections.js';
import { asDomainError } from './error-answer.js';
import { type ErrorFormat, sendError } from './error.filter.js';
import { countBody, countRequest } from './request-limits.js';
import { type RateLimiter, rateLimitKey } from './rate-limiter.js';
import { keepAnswers, type KeptAnswers } from './kept-answers.js';
import {
  configOf,
  decorateRequests,
  judgeSignature,
  logRequest,
  prefersHtml,
  type RequestSignatures,
} from './request.js';
import { addWarnings } from './warnings.js';

/** What instruments requests. It must not throw. */
export interface RequestInstrumentation {
  /** A request has arrived, whether the router knows its path or not; its route and its ids are known. */
  readonly onRequest: (request: FastifyRequest, reply: FastifyReply) => void;
  /** Runs the work of a request: everything from the guards on. */
  readonly wrap: (request: FastifyRequest, work: () => void) => void;
}

export interface HttpOptions {
  readonly addresses: Addresses;
  readonly logger: FastifyBaseLogger;
  readonly ids?: Ids;
  readonly clock?: Clock;
  /** The proxies that may say who calls, comma-separated; `none`: there is none. Absent: loopback addresses are nobody's. */
  readonly trustProxy?: string | null;
  /** Shows browsers a page where there is none; absent: they get what programs get. */
  readonly sendNotFoundPage?: (request: FastifyRequest, reply: FastifyReply) => void;
  /** The form of refusals below a first segment of paths, where no route says another; absent: the API's own. */
  readonly errorsBelow?: ReadonlyMap<string, ErrorFormat>;
  /** Bounds connections and the time that callers take; absent: as Fastify has it, and as many as there are. */
  readonly connections?: ConnectionLimits | undefined;
  /** Counts requests by address; absent: none is limited. */
  readonly rates?: RateLimiter | undefined;
  /** Verifies signatures of requests; absent: nobody looks at them. */
  readonly signatures?: RequestSignatures | undefined;
  /** Keeps the answers of public reads; absent: each is made again. */
  readonly kept?: KeptAnswers | undefined;
  /** Absent: nothing is instrumented. */
  readonly instrumentation?: RequestInstrumentation | undefined;
  /** Called for every request once it is answered or its caller has left. It must not throw. */
  readonly answered?: ((request: FastifyRequest, reply: FastifyReply) => void) | undefined;
}

/** No route of ours has a schema that Fastify is to compile: without this it would load two compilers. */
const NO_SCHEMAS = { compilersFactory: { buildValidator: neverAsked, buildSerializer: neverAsked } };

function neverAsked(): never {
  throw new Error('no route has a schema of Fastify');
}

/** How cookies are read. No value of ours has an escape, and each one that is flawed would cost an exception with its stack. */
const AS_WRITTEN: CookieSerializeOptions & ParseOptions = { decode: (value) => value };

const RANDOM = new RandomIds();
const SYSTEM_CLOCK = new SystemClock();
const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;
/** Paths that only programs ask for: what is missing there is answered in their form, whatever they accept. */
const PROGRAM_PATHS = new RegExp(`^/(?:${API}|mcp|ucp|\\.well-known)(?:[/?]|$)`);

/** Fastify as this service speaks HTTP: ids, links, parsers, cookies, CORS, the log, and all errors in the one form. */
export const createHttpAdapter = (options: HttpOptions): FastifyAdapter => {
  const {
    addresses,
    logger,
    ids = RANDOM,
    clock = SYSTEM_CLOCK,
    trustProxy = null,
    instrumentation,
    connections,
    signatures,
    kept,
    rates,
  } = options;
  const refuse = refusalOf(options);
  const open = connections && new OpenConnections(connections, { clock, log: logger, rates, trustProxy });
  const strip = stripBasePath(addresses.urls, (path) => allowedMethods(path).length > 0);
  const server: FastifyHttpOptions<RawServerDefault> = {
    loggerInstance: logger,
    trustProxy: trustProxy !== null && trustProxy !== 'none' && trustProxy,
    serverFactory: serverTaking(connections, open),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    schemaController: NO_SCHEMAS,
    routerOptions: { maxParamLength: 256 },
    return503OnClosing: false, // we do, in our own form
    requestIdHeader: false,
    rewriteUrl: ({ url = '/' }) => (strip ? strip(asPath(url)) : asPath(url)),
    genReqId: ({ headers }) => givenId(headers) ?? ids.next(),
    frameworkErrors: (error, request, reply) => {
      // Hooks do not run for an address that cannot be read. It is not counted: another refusal would cost no less.
      setHead(reply, arrive(request, reply, options));
      refuse(error, request, reply);
      logRequest(request, reply);
    },
    clientErrorHandler: (error, socket) =>
      answerUnreadable(error, socket, logger, { ids, clock, urls: addresses.urls }),
  };
  const adapter = new FastifyAdapter(server);
  const fastify = adapter.getInstance<FastifyInstance>();
  const allowedMethods = routeTable(fastify);
  const refusalAtOnce = refusalOfAny(options, endConnections(fastify, clock));
  if (open) {
    open.watch(fastify.server);
    fastify.addHook('preClose', (done) => {
      open.end();
      done();
    });
  }
  // An expectation that nobody knows is ignored (RFC 9110 §10.1.1): Node's own refusal is empty.
  fastify.server.on('checkExpectation', (request, response) => fastify.server.emit('request', request, response));
  decorateRequests(fastify);
  if (kept) keepAnswers(fastify, kept);
  compressAnswers(fastify); // after what is kept, which has its coding each time
  packLongAnswers(fastify);
  useBodyParsers(fastify);
  if (rates) fastify.addHook('preParsing', countBody(rates));
  void fastify.register(cookie, { parseOptions: AS_WRITTEN });
  // The last hook before the guards: what ran before it was called from the socket, where no context is kept.
  if (instrumentation) fastify.addHook('preHandler', (request, _reply, done) => instrumentation.wrap(request, done));
  fastify.addHook('preSerialization', addWarnings);
  fastify.addHook('onResponse', (request, reply, done) => {
    logRequest(request, reply);
    done();
  });

  fastify.addHook('onRequest', (request, reply, done) => {
    const head = arrive(request, reply, options);
    const refusal = refusalAtOnce(request, head);
    const judged = signatures && !refusal && !request.is404 ? judgeSignature(signatures, request) : undefined;
    if (!refusal && !request.is404 && kept?.send(request, reply, head, done)) return;
    setHead(reply, head);
    if (refusal) {
      const send = (): void => refuse(refusal, request, reply);
      if (open && asDomainError(refusal).code === 'rate_limited') open.hold(reply.raw, HELD, send);
      else send();
      return;
    }
    if (!request.is404) {
      if (judged)
        judged.then(
          () => done(),
          (error: unknown) => refuse(error, request, reply),
        );
      else done();
      return;
    }
    // Answered before the body is looked at: the router comes first (docs/decisions.md, Errors).
    const methods = allowedMethods(request.url.split('?', 1)[0] ?? '');
    if (isPreflight(request)) answerPreflight(methods, reply);
    else if (methods.length === 0) refuse(new DomainError('route_not_found'), request, reply);
    else refuse(new DomainError('method_not_allowed'), request, reply.header('allow', methods.join(', ')));
  });
  // A route may find nothing itself: a missing file of a folder, a name without letters.
  fastify.addHook('preHandler', (request, reply, done) => {
    if (request.is404) refuse(new DomainError('route_not_found'), request, reply);
    else done();
  });
  return adapter;
};

/** How long (ms) a refused request waits for its answer, which says a second or more: a connection gets as many refusals. */
const HELD = 1_000;

/** Makes the server, which answers the requests of a connection by turns, within the times that its callers have. */
const serverTaking =
  (limits?: ConnectionLimits, open?: OpenConnections): FastifyServerFactory =>
  (answer) => {
    const times = limits ? timeoutsOf(limits) : { keepAliveTimeout: 72_000, requestTimeout: 0 };
    // A host is required in our own form.
    const options = { ...times, requireHostHeader: false, IncomingMessage: ArrivingMessage };
    const server = createServer(options, inTurn(answer, open && ((socket) => open.cutOff(socket))));
    return server.setTimeout(limits ? silenceOf(limits) : 0);
  };

/** A target such as `*` as a path that leads nowhere: Nest would refuse it before our hooks run, without a request id. */
const asPath = (target: string): string =>
  target.startsWith('/') || /^https?:\/\//i.test(target) ? target : `/${target}`;

/** A request of HTTP/1.1 must name its host, and none may name two (RFC 9112 §3.2). */
const isOfNoHost = ({ raw: { httpVersion, rawHeaders }, headers: { host } }: FastifyRequest): boolean =>
  host === undefined ? httpVersion === '1.1' : rawHeaders.filter((name, at) => at % 2 === 0 && isHost(name)).length > 1;
const isHost = (name: string): boolean => name.length === 4 && name.toLowerCase() === 'host';

/** What happens to every request first, whatever becomes of it; returns the head that its answer has in any case. */
const arrive = (request: FastifyRequest, reply: FastifyReply, options: HttpOptions): string[] => {
  const { addresses, ids = RANDOM, trustProxy = null, instrumentation, answered } = options;
  const cause = newCause(ids, givenId(request.headers) === null ? request.id : undefined);
  request.cause = { ...cause, requestId: request.id };
  request.urls = baseUrlsFor(addresses, request.headers.host);
  request.address = rateLimitKey(request, trustProxy !== null);
  instrumentation?.onRequest(request, reply);
  // `onResponse` is not called for a caller that leaves, nor for what the router refuses.
  if (answered) reply.raw.on('close', () => answered(request, reply));
  return ['x-request-id', request.id, 'x-content-type-options', 'nosniff', ...sharingHead(request)];
};

/** What a request is refused for before anything of it is looked at: the end of the process, its limit, or its form; null: nothing. */
const refusalOfAny =
  ({ rates }: HttpOptions, isClosing: () => boolean) =>
  (request: FastifyRequest, head: string[]): unknown => {
    if (isClosing()) return new DomainError('service_unavailable');
    try {
      if (rates) countRequest(rates, request, head);
    } catch (error) {
      return error;
    }
    return isOfNoHost(request) ? new DomainError('malformed_json') : null;
  };

/** Answers what is refused before Nest: browsers see a page where no route is. */
const refusalOf =
  ({ sendNotFoundPage, errorsBelow }: HttpOptions) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const isPage = !PROGRAM_PATHS.test(request.url) && prefersHtml(request);
    const isNowhere = asDomainError(error).code === 'route_not_found';
    if (isNowhere && sendNotFoundPage && isPage) sendNotFoundPage(request, reply);
    else sendError(error, request, reply, configOf(request).errors ?? errorsBelow?.get(firstSegmentOf(request.url)));
  };

const firstSegmentOf = (url: string): string => url.split(/[/?]/, 2)[1] ?? '';

/** The id that the caller gave its request: a label, which another request may have as well. */
const givenId = ({ 'x-request-id': given }: IncomingHttpHeaders): string | null =>
  typeof given === 'string' && REQUEST_ID.test(given) ? given : null;
