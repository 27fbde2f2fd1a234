import process from 'node:process';
import Fastify from 'fastify';

/** The peer of the reads: Fastify with one route that sends its standard input, and 304 for the tag it was given. */
const [, , etag = '"the same"'] = process.argv;
const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
const body = Buffer.concat(chunks);

const server = Fastify();
server.get('/*', (request, reply) => {
  if (request.headers['if-none-match'] === etag) return reply.header('etag', etag).code(304).send();
  return reply.header('content-type', 'application/json; charset=utf-8').header('etag', etag).send(body);
});
console.log(await server.listen({ host: '127.0.0.1', port: 0 }));
