import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { RunningApi } from '../../apps/api/src/start.js';
import { startServiceInMemory } from '../support/service.js';

const LATE = { HEADERS_SECONDS: '1', REQUEST_SECONDS: '2' };
const FEW = { LIMIT_CONNECTIONS: '60', LIMIT_CONNECTIONS_BY_ADDRESS: '40' };

/** Where every address counts, and where loopback ones do not. */
let counting: RunningApi;
let lenient: RunningApi;
beforeAll(async () => {
  counting = await startServiceInMemory({ ...FEW, ...LATE, TRUST_PROXY: 'none' });
  lenient = await startServiceInMemory({ LIMIT_CONNECTIONS: '60' });
});
afterAll(async () => {
  for (const service of [counting, lenient]) await service.stop();
});

/** A connection from an address of this machine, and all that comes back until it ends. */
const open = (service: RunningApi, localAddress: string) => {
  const socket = connect({ port: Number(new URL(service.origin).port), host: '127.0.0.1', localAddress });
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  socket.on('error', () => undefined);
  return { socket, answer: new Promise<string>((resolve) => socket.once('close', () => resolve(text))) };
};

const HALF_A_BODY =
  'POST /api/v1/webmcp/call HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{';
const HALF_A_HEAD = 'GET /api/v1/health HTTP/1.1\r\nHost: x\r\n';

const healthFrom = async (service: RunningApi, localAddress: string): Promise<number | undefined> => {
  const sent = request(`${service.origin}/api/v1/health`, { localAddress, agent: false }).end();
  const [{ statusCode }] = (await once(sent, 'response')) as [{ readonly statusCode?: number }];
  return statusCode;
};

/** Opens 1,100 connections with half a request, a few at a time; answers those that are still open at the end. */
const flood = async (service: RunningApi, localAddress: string): Promise<readonly Socket[]> => {
  const opened: Socket[] = [];
  for (let wave = 0; wave < 22; wave += 1) {
    const sockets = Array.from({ length: 50 }, () => open(service, localAddress).socket);
    opened.push(...sockets);
    await Promise.all(sockets.map((socket) => once(socket, 'connect').catch(() => undefined)));
    for (const socket of sockets) socket.write(HALF_A_BODY);
    // What the server ends is ended here once it has answered: it has then seen all of this wave.
    expect(await healthFrom(service, '127.0.0.9')).toBe(200);
  }
  return opened.filter(({ destroyed }) => !destroyed);
};

it.each([
  ['body', HALF_A_BODY],
  ['head', HALF_A_HEAD],
])('half a %s is ended with 408, in our form', async (_, half) => {
  const { socket, answer } = open(counting, '127.0.0.1');
  socket.write(half);
  const [head = '', body = ''] = (await answer).split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  expect(JSON.parse(body)).toEqual({
    error: 'request_timeout',
    message: 'A requisição não chegou inteira a tempo.',
    doc_url: expect.stringMatching(/\/docs\/erros\/request_timeout$/),
    requestId: expect.any(String),
  });
});

/** What comes back for a body of blanks, each a chunk of its own, whose end the caller keeps to itself. */
const answerToChunks = (operation: string, chunks: number): Promise<string> => {
  const { socket, answer } = open(lenient, '127.0.0.1');
  const head = `${operation} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
  socket.write(head + '1\r\n \r\n'.repeat(chunks));
  return answer;
};

it.each(['/api/v1/webmcp/call', '/oauth/token', '/mcp'])(
  'a body in very many chunks is refused by %s',
  async (path) => {
    const [head = '', body = ''] = (await answerToChunks(`POST ${path}`, 1_025)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 413 /);
    expect(JSON.parse(body)).toMatchObject({ requestId: expect.any(String) });
  },
);

it.each(['POST /nowhere', 'GET /api/v1/health'])(
  'chunks that %s does not read end with the answer',
  async (operation) => {
    const answer = await answerToChunks(operation, 10);
    expect(answer).toMatch(/\r\nconnection: close\r\n/i);
    expect(answer).not.toContain('HTTP/1.1 408'); // nobody waits for the rest
  },
);

it('who is refused and does not close its side has it closed', async () => {
  const { hostname, port } = new URL(counting.origin);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  const cut = new Promise<Error>((resolve) => socket.once('error', resolve));
  socket.write('no request at all\r\n\r\n');
  await once(socket.resume(), 'end');
  while (!socket.destroyed) {
    socket.write('.'); // what is closed at the other end answers with a reset
    await pause(20);
  }
  expect(await cut).toMatchObject({ code: expect.stringMatching(/^(?:ECONNRESET|EPIPE)$/) });
});

it('an answer that nobody reads holds its place for a while only', async () => {
  const { hostname, port } = new URL(counting.origin);
  const unread = Array.from({ length: 40 }, () => {
    const socket = connect({ port: Number(port), host: hostname, localAddress: '127.0.0.3' });
    socket.on('error', () => undefined);
    // More than the buffers between here and there take.
    socket.write('GET /api/v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(16));
    return socket;
  });
  await Promise.all(unread.map((socket) => once(socket, 'readable')));
  await expect(healthFrom(counting, '127.0.0.3')).rejects.toThrow();
  let status: number | null = null;
  while (status !== 200) {
    await pause(200);
    status = await healthFrom(counting, '127.0.0.3').then(
      (answered) => answered ?? null,
      () => null,
    );
  }
  for (const socket of unread) socket.destroy();
});

it('1,100 connections with half a request shut nobody out: one address gets its share', async () => {
  const left = await flood(counting, '127.0.0.2');
  expect(left.length).toBeLessThanOrEqual(40);
  for (const socket of left) socket.destroy();
});

it('nor where loopback addresses are not counted: who has waited longest makes room', async () => {
  const left = await flood(lenient, '127.0.0.1');
  expect(left.length).toBeLessThanOrEqual(60);
  expect(left.length).toBeGreaterThan(40);
  expect(await healthFrom(lenient, '127.0.0.1')).toBe(200);
  for (const socket of left) socket.destroy();
});
