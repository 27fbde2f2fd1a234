import { once } from 'node:events';
import { request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { pino } from 'pino';
import { baseUrlsAt } from './base-urls.js';
import { etagOf, isPublicUnchanged, RepeatableAnswer } from './etag.js';
import { createHttpAdapter } from './http-server.js';
import { KeptAnswers } from './kept-answers.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const LENGTH = 2 ** 20;
const FIGURES = Array.from({ length: LENGTH / 64 }, (_, at) => `{"calls":${at * 7},"errors":`.padEnd(64)).join('');
let made = 0;
/** A text of a megabyte that is like no other one, as figures are. */
const newText = (): string => {
  made += 1;
  return `{"${made}":`.padEnd(64) + FIGURES.slice(64);
};

const adapter = createHttpAdapter({
  addresses: { urls: baseUrlsAt('http://127.0.0.1:3000'), followLoopback: true },
  logger: pino({ level: 'silent' }),
  kept: new KeptAnswers(),
});
const fastify = adapter.getInstance();
/** How often each was answered. */
let begun = 0;
fastify.get('/text', (_, reply) => {
  begun += 1;
  return reply.type('text/csv').send(newText());
});
fastify.get('/bytes', (_, reply) => {
  begun += 1;
  const body = Buffer.from(newText());
  return isPublicUnchanged(reply, { body, etag: etagOf(body) }) ? reply.send() : reply.type('text/html').send(body);
});
fastify.get('/repeated/:name', (request, reply) => {
  request.repeatable = new RepeatableAnswer(() => {
    begun += 1;
    const body = Buffer.from(newText());
    return { body, etag: etagOf(body) };
  }, 0);
  return reply.send('the first time');
});

let port: number;
beforeAll(async () => {
  await fastify.listen({ host: '127.0.0.1', port: 0 });
  ({ port } = fastify.server.address() as AddressInfo);
});
afterAll(() => fastify.close());

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

const read = async (path: string, method = 'GET') => {
  const sent = request({ port, host: '127.0.0.1', path, method, agent: false }).end();
  const [answer] = (await once(sent, 'response')) as [NodeJS.ReadableStream & { headers: Record<string, string> }];
  const pieces: Buffer[] = [];
  answer.on('data', (piece: Buffer) => pieces.push(piece));
  await once(answer, 'end');
  return { headers: answer.headers, text: Buffer.concat(pieces).toString() };
};

const held = (): number => {
  collectGarbage();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + Math.max(external, arrayBuffers);
};

/** Bytes of ours that an unread answer may hold, with its connection and the requests behind it. */
const MOST = 256 * 1024;
const [CALLERS, AHEAD] = [6, 14];

const askAndReadNothing = async (path: string, callers = CALLERS): Promise<void> => {
  for (let caller = 0; caller < callers; caller += 1) {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.pause();
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(AHEAD));
  }
};

/** Lets the server go on until it has begun all that it begins. */
const settled = async (): Promise<void> => {
  for (let before = -1; before !== begun;) {
    before = begun;
    for (let asked = 0; asked < 20; asked += 1) await read('/nowhere');
  }
};

describe('a long answer', () => {
  it('holds few pieces of it while nobody reads it', async () => {
    const paths = ['/text', '/bytes', '/repeated/one'];
    // What is made once only is made now.
    for (const path of paths) await askAndReadNothing(path, 1);
    await settled();
    for (const socket of sockets.splice(0)) socket.destroy();
    let before = Infinity;
    for (let now = held(); now < before - 2 ** 18; now = held()) {
      before = now;
      for (let looks = 0; looks < 5; looks += 1) await settled();
    }
    begun = 0;
    for (const path of paths) await askAndReadNothing(path);
    await settled();
    const asked = paths.length * CALLERS;
    expect(begun).toBeLessThan(asked * AHEAD);
    // What it was made of is given back by and by.
    const each = (): number => (held() - before) / asked;
    for (let looks = 0; looks < 20 && each() > MOST; looks += 1) await settled();
    expect(each()).toBeLessThanOrEqual(MOST);
  });

  it('is sent whole to who reads it, under its length', async () => {
    await read('/repeated/two'); // from now on it is kept
    for (const path of ['/text', '/bytes', '/repeated/two']) {
      const { headers, text } = await read(path);
      expect([headers['content-length'], headers['content-encoding'], text.length]).toEqual([
        `${LENGTH}`,
        undefined,
        LENGTH,
      ]);
      expect(text).toBe(`{"${made}":`.padEnd(64) + FIGURES.slice(64));
      if (path !== '/repeated/two') expect((await read(path, 'HEAD')).headers['content-length']).toBe(`${LENGTH}`);
    }
  });
});
