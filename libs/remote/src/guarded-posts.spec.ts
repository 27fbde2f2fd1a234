import { createServer as createPlain, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FixedClock, ManualClock } from '#testing';
import { GuardedPosts } from './guarded-posts.js';
import { INTERNET, type Network } from './guarded-request.js';
import { DocumentUnread, type Unread } from './remote-documents.port.js';
import { answerJson, internetOf, LOCAL_CERTIFICATE, serveDocuments } from './testing/index.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const served = async (answer: Handler) => {
  const server = await serveDocuments(answer);
  ends.push(() => server.close());
  return server;
};

const MESSAGE = { headers: { 'webhook-id': 'a' }, body: '{"ação":1}' };
const URL_OF_AGENT = 'https://agente.example/avisos?a=b';

const agentWith = async (answer: Handler, clock: FixedClock | ManualClock = new FixedClock()) => {
  const server = await served(answer);
  const network = internetOf({ 'agente.example': server.port });
  return { server, posts: new GuardedPosts(clock, { network, allowsLoopback: false }) };
};

const refuses = async (work: Promise<unknown>, reason: Unread) => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(DocumentUnread);
  expect(error).toMatchObject({ reason });
};

describe('a message to an address of a stranger', () => {
  it('is a POST of JSON, of whose answer the status is known and how long to leave it alone', async () => {
    const seen: string[] = [];
    const { posts } = await agentWith((request, response) => {
      request.setEncoding('utf8').on('data', (text: string) => seen.push(text));
      const { 'content-type': type, 'webhook-id': id, host } = request.headers;
      seen.push(`${request.method} ${request.url} ${host} ${type} ${String(id)}`);
      request.on('end', () => response.writeHead(503, { 'retry-after': '120' }).end('nothing that is read'));
    });
    expect(await posts.post(URL_OF_AGENT, MESSAGE)).toEqual({ status: 503, retryAfter: 120 });
    expect(seen).toEqual(['POST /avisos?a=b agente.example application/json a', MESSAGE.body]);
  });

  it.each([
    ['Thu, 15 Jan 2026 12:05:00 GMT', 300],
    ['Thu, 15 Jan 2026 11:00:00 GMT', 0],
    ['soon', null],
  ])('knows how long that is where it is said as %s', async (said, retryAfter) => {
    const { posts } = await agentWith((_, response) => response.writeHead(429, { 'retry-after': said }).end());
    expect(await posts.post(URL_OF_AGENT, MESSAGE)).toEqual({ status: 429, retryAfter });
  });

  it('ends its connection with the head of the answer, though a gigabyte or no end follows', async () => {
    const block = Buffer.alloc(65_536, 'a');
    let ended: Promise<unknown> = Promise.resolve();
    const { posts } = await agentWith((_, response) => {
      ended = new Promise((resolve) => response.once('close', resolve));
      response.writeHead(200, { 'content-length': String(2 ** 30) });
      const write = () => {
        while (!response.destroyed && response.write(block));
      };
      response.on('drain', write);
      write();
    });
    expect(await posts.post(URL_OF_AGENT, MESSAGE)).toMatchObject({ status: 200 });
    await ended;
    await refuses(posts.ask(URL_OF_AGENT, MESSAGE), 'too_large');
  });

  it('goes nowhere else: a redirect is an answer', async () => {
    const inside = await served((_, response) => response.end());
    const { posts } = await agentWith((_, response) =>
      response.writeHead(307, { location: `https://127.0.0.1:${inside.port}/` }).end(),
    );
    expect(await posts.post(URL_OF_AGENT, MESSAGE)).toMatchObject({ status: 307 });
    await refuses(posts.ask(URL_OF_AGENT, MESSAGE), 'status_not_200');
    expect(inside.connections()).toBe(0);
  });

  it('is given up after 15 seconds without an answer, a question after five, and at once where it is ended', async () => {
    const clock = new ManualClock();
    let count = 0;
    let asked = () => {};
    const { posts } = await agentWith(() => {
      count += 1;
      asked();
    }, clock);
    const reached = (number: number) => new Promise<void>((resolve) => (asked = () => count === number && resolve()));
    const end = new AbortController();
    const all = reached(3);
    const [posted, question, ended] = [
      posts.post(URL_OF_AGENT, MESSAGE),
      posts.ask(URL_OF_AGENT, MESSAGE),
      posts.post(URL_OF_AGENT, MESSAGE, end.signal),
    ];
    await all;
    end.abort();
    await refuses(ended, 'unreachable');
    clock.advance(5_000);
    await refuses(question, 'too_slow');
    clock.advance(10_000);
    await refuses(posted, 'too_slow');
  });

  it('may be answered with a JSON object, where that is asked for', async () => {
    const { posts } = await agentWith((_, response) => answerJson(response, { challenge: 'x' }));
    expect(await posts.ask(URL_OF_AGENT, MESSAGE)).toEqual({ challenge: 'x' });
  });
});

describe('a message to an inside address', () => {
  it.each(
    'localhost 127.0.0.1 127.1 2130706433 0x7f.0.0.1 0177.0.0.1 [::1] [::ffff:127.0.0.1] [64:ff9b::7f00:1] [2002:7f00:1::] 169.254.169.254 10.0.0.1 0.0.0.0'.split(
      ' ',
    ),
  )('is never sent: %s', async (host) => {
    const inside = await served((_, response) => response.end());
    const posts = new GuardedPosts(new FixedClock(), { network: INTERNET, allowsLoopback: false });
    await refuses(posts.post(`https://${host}:${inside.port}/`, MESSAGE), 'address_not_public');
    await refuses(posts.post(`http://${host}:${inside.port}/`, MESSAGE), 'address_flawed');
    expect(inside.connections()).toBe(0);
  });

  it('is not sent for a name that leads there, or that turns there between check and connection', async () => {
    const server = await served((_, response) => response.end());
    const outside = internetOf({ 'agente.example': server.port });
    const answers = [['169.254.169.254'], ['127.0.0.1'], ['93.184.216.34', '10.0.0.1'], ['127.0.0.1']];
    const dialled: (readonly string[])[] = [];
    const network: Network = {
      ...outside,
      resolve: () => Promise.resolve(answers.shift() ?? []),
      dial: (addresses, port) => {
        dialled.push(addresses);
        return outside.dial(addresses, port);
      },
    };
    const posts = new GuardedPosts(new FixedClock(), { network, allowsLoopback: false });
    for (let name = 0; name < 2; name += 1) await refuses(posts.post(URL_OF_AGENT, MESSAGE), 'address_not_public');
    await posts.post(URL_OF_AGENT, MESSAGE);
    expect(dialled).toEqual([['93.184.216.34']]);
  });

  it.each([
    'ftp://agente.example/',
    'https://u@agente.example/',
    'https://agente.example/#a',
    'agente.example',
    'http://agente.example/',
  ])('or of another form is not sent: %s', async (url) => {
    const { posts, server } = await agentWith((_, response) => response.end());
    await refuses(posts.post(url, MESSAGE), 'address_flawed');
    expect(posts.takes(url)).toBe(false);
    expect(server.connections()).toBe(0);
  });

  it('is sent by a service at home on loopback, there alone, without TLS too', async () => {
    const plain = createPlain((request, response) => request.resume().on('end', () => response.writeHead(204).end()));
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    ends.push(() => new Promise((resolve) => plain.close(resolve)));
    const { port } = plain.address() as AddressInfo;
    const network = { ...INTERNET, ca: LOCAL_CERTIFICATE };
    const posts = new GuardedPosts(new FixedClock(), { network, allowsLoopback: true });
    for (const host of ['localhost', '127.0.0.1'])
      expect(await posts.post(`http://${host}:${port}/`, MESSAGE)).toEqual({ status: 204, retryAfter: null });
    await refuses(posts.post(`http://10.0.0.1:${port}/`, MESSAGE), 'address_flawed');
    await refuses(posts.post(`https://10.0.0.1:${port}/`, MESSAGE), 'address_not_public');
  });
});
