import type { FastifyReply, FastifyRequest } from 'fastify';

/** The operation of a request that no route knows. */
export const UNMATCHED = 'unmatched';

/** The part of a request that says which operation it asks for. */
export interface Routed extends Pick<FastifyRequest, 'method'> {
  readonly routeOptions: { readonly url?: string | undefined };
}

/** The operation of a request: method and route pattern, never the path itself, which names things of people. */
export const operationOf = (request: Routed): string =>
  request.routeOptions.url === undefined ? UNMATCHED : `${request.method} ${request.routeOptions.url}`;

/** One JSON line a request: id, correlation id, operation, status, milliseconds, client. Nothing of query, headers or bodies. */
export const logRequest = (request: FastifyRequest, reply: FastifyReply): void => {
  request.log.info(
    {
      correlation: request.cause.correlationId,
      operation: operationOf(request),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      client: request.caller?.clientId,
    },
    'request',
  );
};
