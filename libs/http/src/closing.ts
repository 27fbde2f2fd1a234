import type { FastifyInstance } from 'fastify';

/** How long (ms) requests under way may take once the server is told to stop; then their connections are cut. */
const DRAIN = 8_000;

/**
 * Lets the server stop as soon as what is under way is answered: a connection that was busy when the end began would
 * otherwise be kept alive, and waited for. Answers whether the end has begun.
 */
export const endConnections = (fastify: FastifyInstance): (() => boolean) => {
  let isClosing = false;
  fastify.addHook('preClose', (done) => {
    isClosing = true;
    setTimeout(() => fastify.server.closeAllConnections(), DRAIN).unref();
    done();
  });
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    if (isClosing) void reply.header('connection', 'close');
    done(null, payload);
  });
  return () => isClosing;
};
