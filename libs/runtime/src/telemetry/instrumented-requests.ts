import type { CommandBus, ICommand } from '@nestjs/cqrs';
import {
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { asDomainError, type RequestInstrumentation } from '#http';
import { type Ending, type Instruments, measure } from './instrumentation.js';

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const UNMATCHED = 'unmatched';

/** A span and duration of each request, by its route's pattern: paths, headers and bodies name people and hold secrets. */
export const instrumentedRequests = ({ tracing, metrics, clock }: Instruments): RequestInstrumentation => {
  const spans = new WeakMap<FastifyRequest, Span>();
  const start = (request: FastifyRequest): Span | undefined => {
    const { method, route } = operationOf(request);
    const span = tracing?.start({
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
    onRequest: (request, reply) => {
      const began = clock.monotonic();
      const span = start(request);
      // Emitted for every request, answered or given up by its caller.
      reply.raw.once('close', () => {
        const { status, statusClass } = endOf(reply);
        const labels = { ...operationOf(request), status_class: statusClass };
        metrics?.requests.observe(labels, (clock.monotonic() - began) / 1_000);
        span?.setAttribute('http.response.status_code', status);
        if (statusClass === 'aborted') span?.setAttribute('error.type', 'aborted');
        else if (status >= 500) span?.setAttribute('error.type', `${status}`).setStatus({ code: SpanStatusCode.ERROR });
        span?.end();
      });
    },
    wrap: (request, work) => {
      const span = spans.get(request);
      if (tracing && span) tracing.within(span, work);
      else work();
    },
  };
};

/** Method and route pattern, both from closed lists. */
const operationOf = ({ method, routeOptions }: FastifyRequest) => ({
  method: METHODS.has(method) ? method : '_OTHER',
  route: routeOptions.url ?? UNMATCHED,
});

const endOf = ({ raw }: FastifyReply) => ({
  status: raw.statusCode,
  statusClass: raw.writableFinished ? `${Math.floor(raw.statusCode / 100)}xx` : 'aborted',
});

const W3C = new W3CTraceContextPropagator();

/** The caller's own span (W3C Trace Context), which is a link and never the parent (docs/adr/0054). */
const callersOf = ({ headers: { traceparent } }: FastifyRequest): readonly SpanContext[] => {
  const caller = trace.getSpanContext(W3C.extract(ROOT_CONTEXT, { traceparent }, defaultTextMapGetter));
  return caller ? [{ ...caller, traceFlags: TraceFlags.NONE }] : [];
};

/** Measures every command that `bus` executes from now on. Of a command only its name is recorded. */
export const instrumentCommands = (bus: CommandBus, instruments: Instruments): void => {
  const execute: (command: ICommand) => Promise<unknown> = bus.execute.bind(bus);
  const measured = (command: ICommand): Promise<unknown> => {
    const name = command.constructor.name;
    return measure(
      instruments,
      {
        span: { name: `command ${name}`, attributes: { 'alcada.command': name } },
        outcomeOf,
        onEnd: (outcome, seconds) => instruments.metrics?.commands.observe({ command: name, outcome }, seconds),
      },
      () => execute(command),
    );
  };
  Object.assign(bus, { execute: measured });
};

/** `ok`, or the error code. */
const outcomeOf = (ending: Ending<unknown>): string => ('error' in ending ? asDomainError(ending.error).code : 'ok');
