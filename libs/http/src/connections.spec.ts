import { expect, it } from '@jest/globals';
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
