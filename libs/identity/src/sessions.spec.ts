import { type Addresses, baseUrlsAt, createHttpAdapter } from '#http';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { newSecret } from './secrets.js';
import { sessionIdIn, setSessionId } from './sessions.js';

const id = newSecret();

/** A server at this address that sets the cookie at `/set`, and answers the session id that it reads at `/read`. */
const serverAt = (address: string): FastifyInstance => {
  const addresses: Addresses = { urls: baseUrlsAt(address), followLoopback: false };
  const logger = pino({ level: 'silent' });
  const server = createHttpAdapter({ addresses, logger }).getInstance<FastifyInstance>();
  server.get('/set', (_, reply) => {
    setSessionId(reply, id);
    return 'set';
  });
  server.get('/read', (request) => ({ id: sessionIdIn(request) }));
  return server;
};

let plain: FastifyInstance;
let secure: FastifyInstance;
beforeAll(() => {
  plain = serverAt('http://127.0.0.1:3000');
  secure = serverAt('https://alcada.example');
});
afterAll(() => Promise.all([plain.close(), secure.close()]));

const cookieOf = async (server: FastifyInstance) => (await server.inject('/set')).headers['set-cookie'];
const idReadBy = async (server: FastifyInstance, cookie: string | undefined) => {
  const headers = cookie === undefined ? {} : { cookie };
  return (await server.inject({ url: '/read', headers })).json<{ id: string | null }>().id;
};

describe('the session cookie', () => {
  it('is out of reach of scripts and other sites', async () => {
    expect(await cookieOf(plain)).toBe(`alcada_session=${id}; Max-Age=43200; Path=/; HttpOnly; SameSite=Lax`);
  });

  it('is bound to host and https where there is https', async () => {
    expect(await cookieOf(secure)).toBe(
      `__Host-alcada_session=${id}; Max-Age=43200; Path=/; HttpOnly; Secure; SameSite=Lax`,
    );
  });

  it('is found among others', async () => {
    expect(await idReadBy(plain, `a=b; alcada_session=${id}; c=d`)).toBe(id);
    expect(await idReadBy(secure, `__Host-alcada_session=${id}`)).toBe(id);
  });

  it.each([undefined, '', 'alcada_session=', `xalcada_session=${id}`, `alcada_session=${id}x`, 'alcada_session=../x'])(
    'is not read from %j',
    async (cookies) => {
      expect(await idReadBy(plain, cookies)).toBeNull();
    },
  );

  it('is taken as it is written, as all cookies are: thousands of flawed escapes in one head would take long', async () => {
    expect(await idReadBy(plain, `a=%; alcada_session=${id}; b=%`)).toBe(id);
    expect(await idReadBy(plain, `alcada_session=%${id.charCodeAt(0).toString(16)}${id.slice(1)}`)).toBeNull();
  });

  it('without the prefix is not accepted over https', async () => {
    expect(await idReadBy(secure, `alcada_session=${id}`)).toBeNull();
  });
});
