import { once } from 'node:events';
import { createServer, request, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { ArrivingMessage, inTurn, MOST_AHEAD } from './connections.js';

const closers: (() => void)[] = [];
afterAll(() => closers.forEach((close) => close()));

/** A server that answers by turns, the paths of what it has begun to answer, and how many heads it has read. */
const open = async (answer: RequestListener) => {
  const begun: string[] = [];
  let heads = 0;
  class Counted extends ArrivingMessage {
    constructor(socket: Socket) {
      super(socket);
      heads += 1;
    }
  }
  const server = createServer(
    { IncomingMessage: Counted },
    inTurn((asked, response) => {
      begun.push(asked.url ?? '');
      answer(asked, response);
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  closers.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  const connected = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  };
  /** Whoever asks on a connection of their own has been answered. */
  const other = async (): Promise<void> => {
    const [answered] = (await once(request({ port, host: '127.0.0.1', path: '/other' }).end(), 'response')) as [
      NodeJS.ReadableStream,
    ];
    await once(answered.resume(), 'end');
  };
  return { begun, connected, other, heads: () => heads };
};

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const numbered = (count: number): string => Array.from({ length: count }, (_, at) => get(`/${at}`)).join('');

it('a request waits until the one before it on its connection is answered, and nobody else does', async () => {
  let end = (): void => undefined;
  const { begun, connected, other } = await open(({ url }, response) => {
    if (url === '/first') end = () => response.end();
    else response.end();
  });
  const socket = await connected();
  socket.write(get('/first') + get('/second'));
  await other();
  while (!begun.includes('/first')) await other();
  await other();
  expect(begun).not.toContain('/second');
  end();
  while (!begun.includes('/second')) await other();
  socket.destroy();
});

it('many requests of a connection let others have their turn between them', async () => {
  const { begun, connected } = await open((_, response) => response.end());
  const [greedy, modest] = [await connected(), await connected()];
  const answered = once(modest, 'data');
  greedy.write(numbered(MOST_AHEAD));
  modest.write(get('/modest'));
  await answered;
  expect(begun.length).toBeLessThan(MOST_AHEAD / 2);
  greedy.destroy();
  modest.destroy();
});

it('of who reads no answer one is held, however many were asked for', async () => {
  const body = Buffer.alloc(2 ** 22);
  const { begun, connected, other } = await open(({ url }, response) => response.end(url === '/other' ? '' : body));
  const socket = await connected();
  socket.pause();
  socket.write(numbered(MOST_AHEAD));
  for (let asked = 0; asked < 100; asked += 1) await other();
  // What the system takes for a connection of its own is some megabytes.
  expect(begun.filter((path) => path !== '/other').length).toBeLessThan(MOST_AHEAD / 2);
  socket.destroy();
});

it('what was sent ahead is begun no more once its caller has left', async () => {
  let end = (): void => undefined;
  const { begun, connected, other } = await open(({ url }, response) => {
    if (url === '/0') end = () => response.end();
    else response.end();
  });
  const socket = await connected();
  socket.write(numbered(10));
  while (!begun.includes('/0')) await other();
  socket.destroy();
  for (let asked = 0; asked < 10; asked += 1) await other();
  end();
  for (let asked = 0; asked < 10; asked += 1) await other();
  expect(begun.filter((path) => path !== '/other')).toEqual(['/0']);
});

it('who sends too many ahead is cut off, and no more of what it sent is read', async () => {
  const { connected, begun, heads } = await open(() => undefined);
  const socket = await connected();
  socket.write(numbered(2_000)); // some 60 KB, which are read as one
  await once(socket, 'close');
  expect([begun, heads()]).toEqual([['/0'], MOST_AHEAD + 3]); // what is begun, what is too much, and what ends the reading
});
