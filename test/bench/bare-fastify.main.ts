import Fastify from 'fastify';

/** The peer of the reads: Fastify with one route and nothing else, sending the bytes on standard input. */
const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
const body = Buffer.concat(chunks);

const server = Fastify();
server.get('/*', (_request, reply) =>
  reply.header('content-type', 'application/json; charset=utf-8').header('etag', '"the same"').send(body),
);
console.log(await server.listen({ host: '127.0.0.1', port: 0 }));
