import { once } from 'node:events';
import { get } from 'node:http';
import { expect, it } from '@jest/globals';
import { fastify } from 'fastify';
import { statusOf } from './status-of.js';

it('is no success where the caller left before the answer was made', async () => {
  const app = fastify();
  const told = new Promise<number>((resolve) => {
    app.addHook('onResponse', (request, reply, done) => {
      resolve(statusOf(request, reply));
      done();
    });
  });
  app.get('/', async ({ raw }) => {
    asked.destroy();
    await once(raw.socket, 'close');
    return 'too late';
  });
  const asked = get(await app.listen({ host: '127.0.0.1', port: 0 })).on('error', () => undefined);
  expect(await told).toBe(499);
  await app.close();
});
