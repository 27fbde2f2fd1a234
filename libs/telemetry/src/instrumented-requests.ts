import type { RequestInstrumentation } from '#http';
import {
  isSpanContextValid,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
} from '@opentelemetry/api';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Metrics } from './metrics.js';
import type { Tracing } from './tracing.js';

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const UNMATCHED = 'unmatched';

/**
 * The server's span and duration of each request, named by the route's pattern as the semantic conventions for HTTP have
 * it. Paths, queries, headers, bodies and addresses are left out: they name people and hold secrets.
 */
export const instrumentedRequests = (tracing: Tracing | null, metrics: Metrics | null): RequestInstrumentation => {
  const spans = new WeakMap<FastifyRequest, Span>();
  const began = (request: FastifyRequest): Span | undefined => {
    const { method, route } = operationOf(request);
    const span = tracing?.begin({
      name: route === UNMATCHED ? method : `${method} ${route}`,
      kind: SpanKind.SERVER,
      attributes: {
        'http.request.method': method,
        'url.scheme': request.protocol,
        ...(route !== UNMATCHED && { 'http.route': route }),
      },
      root: request.cause,
      links: callersOf(request),
    });
    if (span) spans.set(request, span);
    return span;
  };
  return {
    came: (request, reply) => {
      const start = performance.now();
      const span = began(request);
      // It closes however it ends, answered or left by its caller.
      reply.raw.once('close', () => {
        const { status, statusClass } = endOf(reply);
        const labels = { ...operationOf(request), status_class: statusClass };
        metrics?.requests.observe(labels, (performance.now() - start) / 1_000);
        span?.setAttribute('http.response.status_code', status);
        if (statusClass === 'aborted') span?.setAttribute('error.type', 'aborted');
        else if (status >= 500) span?.setAttribute('error.type', `${status}`).setStatus({ code: SpanStatusCode.ERROR });
        span?.end();
      });
    },
    around: (request, work) => {
      const span = spans.get(request);
      if (tracing && span) tracing.within(span, work);
      else work();
    },
  };
};

/** Method and route pattern, both from lists of ours. */
const operationOf = ({ method, routeOptions }: FastifyRequest) => ({
  method: METHODS.has(method) ? method : '_OTHER',
  route: routeOptions.url ?? UNMATCHED,
});

const endOf = ({ raw }: FastifyReply) => ({
  status: raw.statusCode,
  statusClass: raw.writableFinished ? `${Math.floor(raw.statusCode / 100)}xx` : 'aborted',
});

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/;

/** The caller's own span (W3C Trace Context §3.2): a link, whatever else it says (docs/adr/0054). */
const callersOf = ({ headers: { traceparent } }: FastifyRequest): readonly SpanContext[] => {
  const [, traceId = '', spanId = ''] = TRACEPARENT.exec(typeof traceparent === 'string' ? traceparent : '') ?? [];
  const caller = { traceId, spanId, traceFlags: TraceFlags.NONE, isRemote: true };
  return isSpanContextValid(caller) ? [caller] : [];
};
