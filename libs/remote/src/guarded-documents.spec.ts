import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { FixedClock, ManualClock } from '#testing';
import { GuardedDocuments } from './guarded-documents.js';
import { INTERNET, type Network } from './guarded-request.js';
import { DocumentUnread, type Unread } from './remote-documents.port.js';
import {
  answerJson,
  type DocumentServer,
  internetOf,
  LOCAL_CERTIFICATE,
  PUBLIC_ADDRESS,
  serveDocuments,
} from './testing/index.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const served = async (answer: Handler): Promise<DocumentServer> => {
  const server = await serveDocuments(answer);
  ends.push(() => server.close());
  return server;
};

/** The fetcher of a service on the internet; agente.example is a server with these answers. */
const agentWith = async (answer: Handler, clock = new FixedClock()) => {
  const server = await served(answer);
  const network = internetOf({ 'agente.example': server.port });
  return { server, clock, documents: new GuardedDocuments(clock, { network, allowsLoopback: false }) };
};

/** The end of a connection, well or not. */
const closeOf = (emitter: NodeJS.EventEmitter) => new Promise((resolve) => emitter.once('close', resolve));

const DOCUMENT = 'https://agente.example/client.json';

const refuses = async (work: Promise<unknown>, reason: Unread) => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(DocumentUnread);
  expect(error).toMatchObject({ reason });
};

describe('a document of a stranger', () => {
  it('is the JSON object at its address, asked for without credentials', async () => {
    let headers: IncomingMessage['headers'] = {};
    const { documents } = await agentWith((request, response) => {
      headers = request.headers;
      answerJson(response, { client_id: DOCUMENT }, { 'content-type': 'Application/Vnd.x+JSON; charset=utf-8' });
    });
    const document = await documents.get(DOCUMENT);
    expect(document).toMatchObject({ body: { client_id: DOCUMENT }, mediaType: 'application/vnd.x+json' });
    expect(Object.keys(headers).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent']);
    expect(headers).toMatchObject({ host: 'agente.example', 'accept-encoding': 'identity' });
  });

  it.each([
    'http://agente.example/client.json',
    'ftp://agente.example/client.json',
    'https://user@agente.example/client.json',
    'https://:pw@agente.example/client.json',
    'https://agente.example/client.json#top',
    'agente.example/client.json',
    `https://agente.example/${'a'.repeat(2_000)}`,
  ])('is not asked for at %s', async (url) => {
    const { documents, server } = await agentWith((_, response) => answerJson(response, {}));
    await refuses(documents.get(url), 'address_flawed');
    expect(server.connections()).toBe(0);
  });

  it.each<[what: string, answer: Handler, reason: Unread]>([
    ['text', (_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('{}'), 'media_type'],
    ['of no type', (_, response) => response.writeHead(200).end('{}'), 'media_type'],
    ['compressed', (_, response) => answerJson(response, {}, { 'content-encoding': 'gzip' }), 'media_type'],
    ['a list', (_, response) => answerJson(response, []), 'not_an_object'],
    ['no JSON', (_, response) => response.setHeader('content-type', 'application/json').end('{'), 'not_an_object'],
    [
      'not UTF-8',
      (_, response) => response.setHeader('content-type', 'application/json').end(Buffer.from([0x7b, 0xff, 0x7d])),
      'not_an_object',
    ],
    ['an error', (_, response) => response.writeHead(500).end('{}'), 'status_not_200'],
    ['not there', (_, response) => response.writeHead(404).end('{}'), 'gone'],
    ['not there any more', (_, response) => response.writeHead(410).end('{}'), 'gone'],
    ['too long', (_, response) => answerJson(response, { padding: 'a'.repeat(5_120) }), 'too_large'],
    [
      'said to be a gigabyte',
      (_, response) => answerJson(response, {}, { 'content-length': '1073741824' }),
      'too_large',
    ],
    [
      'another protocol that it switches to',
      (_, response) => response.writeHead(101, { connection: 'upgrade', upgrade: 'websocket' }).end(),
      'unreachable',
    ],
    ['under a head of 9 KB', (_, response) => answerJson(response, {}, { 'x-a': 'a'.repeat(9_216) }), 'unreachable'],
  ])('is refused where it is %s', async (_, answer, reason) => {
    const { documents } = await agentWith(answer);
    await refuses(documents.get(DOCUMENT), reason);
    expect(documents.kept(DOCUMENT)).toBeNull();
  });

  it('is not read any further once it is too long, though it has no end', async () => {
    const block = Buffer.alloc(65_536, 'a');
    let ended: Promise<unknown> = Promise.resolve();
    const { documents } = await agentWith((_, response) => {
      ended = closeOf(response);
      response.writeHead(200, { 'content-type': 'application/json' });
      const write = () => {
        while (!response.destroyed && response.write(block));
      };
      response.on('drain', write);
      write();
    });
    await refuses(documents.get(DOCUMENT), 'too_large');
    await ended;
  });

  it('is not looked for elsewhere: a redirect is no document', async () => {
    const inside = await served((_, response) => answerJson(response, { secret: true }));
    const { documents } = await agentWith((_, response) =>
      response
        .writeHead(302, { location: `https://127.0.0.1:${inside.port}/`, 'content-type': 'application/json' })
        .end('{}'),
    );
    await refuses(documents.get(DOCUMENT), 'status_not_200');
    expect(inside.connections()).toBe(0);
  });

  it.each<[what: string, answer: Handler]>([
    ['headers', () => undefined],
    ['a body', (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{')],
  ])('is given up after three seconds of waiting for %s, and its connection ends', async (_, answer) => {
    const clock = new ManualClock();
    let isAsked = () => {};
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    let ended: Promise<unknown> = Promise.resolve();
    const server = await served((request, response) => {
      ended = closeOf(request.socket);
      answer(request, response);
      isAsked();
    });
    const network = internetOf({ 'agente.example': server.port });
    const documents = new GuardedDocuments(clock, { network, allowsLoopback: false });
    const fetched = documents.get(DOCUMENT);
    await asked;
    clock.advance(3_000);
    await refuses(fetched, 'too_slow');
    await ended;
  });

  it('is given up after three seconds of waiting for a name, or for a word of TLS', async () => {
    const clock = new ManualClock();
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    ends.push(async () => new Promise((resolve) => silent.close(resolve)));
    const accepted = once(silent, 'connection');
    const network = internetOf({ 'agente.example': (silent.address() as AddressInfo).port });
    const mute = new GuardedDocuments(clock, { network, allowsLoopback: false }).get(DOCUMENT);
    const nameless = new GuardedDocuments(clock, {
      network: { ...network, resolve: () => new Promise(() => undefined) },
      allowsLoopback: false,
    }).get(DOCUMENT);
    await accepted;
    clock.advance(3_000);
    await refuses(mute, 'too_slow');
    await refuses(nameless, 'too_slow');
  });

  it('is of its host by its certificate', async () => {
    const server = await served((_, response) => answerJson(response, {}));
    const network = internetOf({ 'mal.example': server.port });
    const named = new GuardedDocuments(new FixedClock(), { network, allowsLoopback: false });
    await refuses(named.get('https://mal.example/client.json'), 'unreachable');
    const { dial, resolve } = internetOf({ 'agente.example': server.port });
    const untrusting = new GuardedDocuments(new FixedClock(), { network: { dial, resolve }, allowsLoopback: false });
    await refuses(untrusting.get(DOCUMENT), 'unreachable');
    expect(server.asked).toEqual([]);
  });
});

describe('a request to an inside address', () => {
  it.each(
    'localhost 127.0.0.1 127.1 2130706433 0x7f.0.0.1 0177.0.0.1 [::1] [::ffff:127.0.0.1] [64:ff9b::7f00:1] [2002:7f00:1::] 169.254.169.254 10.0.0.1 0.0.0.0'.split(
      ' ',
    ),
  )('is never made: %s', async (host) => {
    const inside = await served((_, response) => answerJson(response, {}));
    const documents = new GuardedDocuments(new FixedClock(), { network: INTERNET, allowsLoopback: false });
    await refuses(documents.get(`https://${host}:${inside.port}/`), 'address_not_public');
    expect(inside.connections()).toBe(0);
  });

  it.each([['127.0.0.1'], ['169.254.169.254'], ['::1'], ['::ffff:10.0.0.1', '192.168.0.1']])(
    'is not made for a name that points there: %s',
    async (...addresses) => {
      const dialled: string[] = [];
      const network: Network = {
        resolve: () => Promise.resolve(addresses),
        dial: (to, port) => {
          dialled.push(...to);
          return connect(port, '127.0.0.1');
        },
      };
      for (const allowsLoopback of [false, true]) {
        const documents = new GuardedDocuments(new FixedClock(), { network, allowsLoopback });
        await refuses(documents.get(DOCUMENT), 'address_not_public');
      }
      expect(dialled).toEqual([]);
    },
  );

  it('is not made for a name that changes between check and connection: it is resolved once', async () => {
    const { server } = await agentWith((_, response) => answerJson(response, {}));
    const outside = internetOf({ 'agente.example': server.port });
    const answers = [[PUBLIC_ADDRESS, '127.0.0.1'], ['127.0.0.1']];
    const dialled: (readonly string[])[] = [];
    const network: Network = {
      ...outside,
      resolve: () => Promise.resolve(answers.shift() ?? []),
      dial: (addresses, port) => {
        dialled.push(addresses);
        return outside.dial(addresses, port);
      },
    };
    await new GuardedDocuments(new FixedClock(), { network, allowsLoopback: false }).get(DOCUMENT);
    expect(dialled).toEqual([[PUBLIC_ADDRESS]]);
    expect(answers).toEqual([['127.0.0.1']]);
  });

  it('ends before a byte is sent where the connection has come out there all the same', async () => {
    let received = 0;
    const inside = createServer((socket) =>
      socket.on('data', ({ length }) => (received += length)).on('error', () => undefined),
    );
    await once(inside.listen(0, '127.0.0.1'), 'listening');
    ends.push(async () => new Promise((resolve) => inside.close(resolve)));
    const { port } = inside.address() as AddressInfo;
    const closed = once(inside, 'connection').then(([socket]) => closeOf(socket as NodeJS.EventEmitter));
    const network: Network = {
      resolve: () => Promise.resolve([PUBLIC_ADDRESS]),
      dial: () => connect(port, '127.0.0.1'),
    };
    const documents = new GuardedDocuments(new FixedClock(), { network, allowsLoopback: false });
    await refuses(documents.get(DOCUMENT), 'address_not_public');
    await closed;
    expect(received).toBe(0);
  });

  it('is made to loopback names alone, and only by a service that is itself at home there', async () => {
    const own = await served((_, response) => answerJson(response, { here: true }));
    const network = { ...INTERNET, ca: LOCAL_CERTIFICATE };
    const documents = new GuardedDocuments(new FixedClock(), { network, allowsLoopback: true });
    for (const host of ['localhost', '127.0.0.1']) {
      expect(await documents.get(`https://${host}:${own.port}/`)).toMatchObject({ body: { here: true } });
    }
    await refuses(documents.get(`https://10.0.0.1:${own.port}/`), 'address_not_public');
  });
});

describe('what is fetched', () => {
  it.each<[headers: Readonly<Record<string, string>>, seconds: number]>([
    [{ 'cache-control': 'public, max-age=3600' }, 3_600],
    [{ 'cache-control': 'max-age=3600', age: '600' }, 3_000],
    [{ 'cache-control': 'max-age=999999999' }, 86_400],
    [{ 'cache-control': 'max-age=1' }, 60],
    [{ 'cache-control': 'no-store, max-age=3600' }, 60],
    [{ 'cache-control': 'no-cache' }, 60],
    [{ date: 'Thu, 15 Jan 2026 12:00:00 GMT', expires: 'Thu, 15 Jan 2026 12:30:00 GMT' }, 1_800],
    [{ expires: '0' }, 60],
    [{ 'cache-control': 'private' }, 600],
    [{}, 600],
  ])('is fresh as its headers say, within bounds: %j for %d s', async (headers, seconds) => {
    const { documents, clock, server } = await agentWith((_, response) => answerJson(response, {}, headers));
    await documents.get(DOCUMENT);
    clock.advance(seconds * 1_000 - 1);
    expect(documents.kept(DOCUMENT)).not.toBeNull();
    await documents.get(DOCUMENT);
    expect(server.asked).toHaveLength(1);
    clock.advance(1);
    expect(documents.kept(DOCUMENT)).toBeNull();
    await documents.get(DOCUMENT);
    expect(server.asked).toHaveLength(2);
  });

  it('is fetched before that for whoever needs a younger one, but not more often than every ten seconds', async () => {
    const { documents, clock, server } = await agentWith((_, response) => answerJson(response, {}));
    await documents.get(DOCUMENT);
    clock.advance(10_000);
    await documents.get(DOCUMENT, 0);
    expect(server.asked).toHaveLength(1);
    clock.advance(1);
    await documents.get(DOCUMENT, 0);
    expect(server.asked).toHaveLength(2);
  });

  it('is not tried again for ten seconds where it failed', async () => {
    let isUp = false;
    const { documents, clock, server } = await agentWith((_, response) =>
      isUp ? answerJson(response, {}) : response.writeHead(500).end(),
    );
    await refuses(documents.get(DOCUMENT), 'status_not_200');
    isUp = true;
    clock.advance(9_999);
    await refuses(documents.get(DOCUMENT), 'status_not_200');
    expect(server.asked).toHaveLength(1);
    clock.advance(1);
    await documents.get(DOCUMENT);
    expect(server.asked).toHaveLength(2);
  });

  it('is one at a time of a host, the same one once for all who ask, and eight at most that wait', async () => {
    let open = 0;
    let most = 0;
    const { documents, server } = await agentWith((_, response) => {
      open += 1;
      most = Math.max(most, open);
      setImmediate(() => {
        open -= 1;
        answerJson(response, {});
      });
    });
    const urls = Array.from({ length: 8 }, (_, index) => `https://agente.example/${index}`);
    const all = [...urls, ...urls].map((url) => documents.get(url));
    await refuses(documents.get('https://agente.example/8'), 'busy');
    await Promise.all(all);
    expect(most).toBe(1);
    expect(server.asked).toEqual(urls.map((url) => new URL(url).pathname));
    await documents.get('https://agente.example/8');
  });
});
