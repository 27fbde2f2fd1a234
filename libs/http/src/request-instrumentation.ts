import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** What may watch the requests. It must not throw. */
export interface RequestInstrumentation {
  /** A request has come; its route and its ids are known. Told of every one, refused by the router or not. */
  readonly came: (request: FastifyRequest, reply: FastifyReply) => void;
  /** Runs what the request is for: everything from the guards on. */
  readonly around: (request: FastifyRequest, work: () => void) => void;
}

/** Lets `watch` stand around the work of every request. */
export const watchWork = (fastify: FastifyInstance, watch: RequestInstrumentation): void => {
  // The last hook before the guards: what ran before it was called from the socket, where no context is kept.
  fastify.addHook('preHandler', (request, _reply, done) => watch.around(request, done));
};
