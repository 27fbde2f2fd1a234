import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { RandomIds, SystemClock } from '#kernel';
import { baseUrlsAt } from './base-urls.js';
import { answerUnreadable } from './connections.js';
import { startThingsApi } from './testing/things-api.js';

it('a server told to stop answers what is under way, keeps no connection for it, and is gone', async () => {
  const { gate, call, beginToStop } = await startThingsApi();
  const underWay = call('GET', '/api/v1/gate');
  await gate.entered;
  const { end } = await beginToStop();
  gate.letPass();
  const { status, headers } = await underWay;
  expect([status, headers.get('connection')]).toEqual([200, 'close']);
  await end;
  await expect(call('GET', '/api/v1/things')).rejects.toThrow();
});

it('a server told to stop refuses a request that only then is complete, in the form of every error', async () => {
  const { call, connection, beginToStop } = await startThingsApi();
  const { write, answer } = connection();
  await write('GET /api/v1/things HTTP/1.1\r\nHost: 127.0.0.1\r\n');
  await call('GET', '/api/v1/things'); // the first half is read by now
  const { end } = await beginToStop();
  await write('\r\n');
  const [head = '', body = ''] = (await answer).split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 503 [\s\S]*connection: close/i);
  expect(JSON.parse(body)).toMatchObject({ error: 'service_unavailable', requestId: expect.any(String) });
  await end;
});

it('an answer that is on its way gets no other one into it, whatever its caller sends meanwhile', async () => {
  const context = { ids: new RandomIds(), clock: new SystemClock(), urls: baseUrlsAt('http://127.0.0.1:3000') };
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': 100 });
    response.write('begun');
  });
  server.on('clientError', (error, socket) => answerUnreadable(error, socket, { info: () => undefined }, context));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
  let received = '';
  socket.on('data', (bytes) => {
    if (received === '') socket.write('no request\r\n\r\n');
    received += String(bytes);
  });
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.on('close', resolve));
  server.close();
  expect(received).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*begun$/);
});
