import { randomBytes } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { openForAll } from '#testing';
import { fastify } from 'fastify';
import { codingFor, compressAnswers, compressedAs, markPublic } from './compression.js';
import { etagOf } from './etag.js';
import { startThingsApi } from './testing/things-api.js';

const api = openForAll(() => startThingsApi());

const MANY = '/api/v1/things/many';
/** What tells an answer from others: its coding, its tag, by what it differs, and what is in it. */
const read = async (path: string, headers: Readonly<Record<string, string>>, method = 'GET') => {
  const { status, headers: answered, body } = await api.call(method, path, headers);
  const [coding, tag, vary] = ['content-encoding', 'etag', 'vary'].map((name) => answered.get(name));
  return { status, coding, tag: tag ?? '', vary, length: answered.get('content-length'), body };
};

describe('what a caller accepts', () => {
  it.each([
    [undefined, null],
    ['', null],
    ['gzip', 'gzip'],
    ['gzip, deflate', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['BR', 'br'],
    ['x-gzip', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br; q=0.000, gzip ; Q=0', null],
    ['*', 'br'],
    ['*;q=0.1, br;q=0', 'gzip'],
    ['*;q=0', null],
    ['identity', null],
    ['identity;q=0.5, gzip;q=0.4', null],
    ['identity;q=0.4, gzip;q=0.5', 'gzip'],
    ['deflate, zstd', null],
    ['gzip;q=2, br;q=x', null],
  ])('(%s) is sent as %s', (field, coding) => expect(codingFor(field)).toBe(coding));
});

describe('a public answer', () => {
  it('is compressed as its caller likes it, and says that it would differ', async () => {
    const plain = await read(MANY, { 'accept-encoding': 'identity' });
    expect(plain).toMatchObject({ status: 200, coding: null, vary: 'Prefer, Accept-Encoding' });
    for (const [accepted, coding] of [
      ['gzip', 'gzip'],
      ['gzip, br', 'br'],
    ] as const) {
      const one = await read(MANY, { 'accept-encoding': accepted });
      expect(one).toMatchObject({ status: 200, coding, vary: plain.vary, body: plain.body });
      expect(Number(one.length)).toBeLessThan(Number(plain.length) / 2);
      expect(one.tag).toBe(`${plain.tag.slice(0, -1)}-${coding}"`);
      const head = await read(MANY, { 'accept-encoding': accepted }, 'HEAD');
      expect(head).toEqual({ ...one, body: null });
    }
  });

  it('is not sent again to who has it in the coding it would get, or as it is', async () => {
    const { tag: plain } = await read(MANY, { 'accept-encoding': 'identity' });
    const { tag } = await read(MANY, { 'accept-encoding': 'br' });
    for (const known of [tag, `W/${tag}`, plain]) {
      const again = await read(MANY, { 'accept-encoding': 'br', 'if-none-match': known });
      expect([again.status, again.tag, again.vary]).toEqual([304, known.replace('W/', ''), 'Prefer, Accept-Encoding']);
    }
    const other = await read(MANY, { 'accept-encoding': 'gzip', 'if-none-match': tag });
    expect([other.status, other.coding]).toEqual([200, 'gzip']);
  });

  it('is sent as it is where it is short', async () => {
    expect(await read('/api/v1/things', { 'accept-encoding': 'br' })).toMatchObject({ coding: null, vary: 'Prefer' });
  });

  it('is compressed once, and goes as it is where too many others are being compressed', async () => {
    const texts = Array.from({ length: 5 }, () => randomBytes(2_000).toString('hex'));
    const answers = texts.map((body) => ({ body, etag: etagOf(body) }));
    const begun = answers.map((answer, place) => compressedAs(place % 2 === 0 ? 'br' : 'gzip', answer));
    expect(begun[4]).toBeNull();
    const first = await begun[0];
    for (const one of begun.slice(0, 4)) expect(await one).not.toBeNull();
    const [one, other] = answers;
    if (!one || !other || !first) throw new Error('nothing was compressed');
    expect(compressedAs('br', one)).toBe(first);
    expect(brotliDecompressSync(first).toString()).toBe(one.body);
    const zipped = compressedAs('gzip', other);
    expect(zipped instanceof Buffer && gunzipSync(zipped).toString()).toBe(other.body);
  });
});

it.each([
  ['is compressed', 'cache-control', 'no-cache', 'br'],
  ['goes as it is with a cookie', 'set-cookie', 'a=b', undefined],
  ['goes as it is where nobody may keep it', 'cache-control', 'no-store', undefined],
  ['goes as it is where one caller alone may keep it', 'cache-control', 'private, no-cache', undefined],
])('what is marked as public %s', async (_, name, value, coding) => {
  const server = fastify();
  server.decorateRequest('compressible', null);
  compressAnswers(server);
  const body = 'pública '.repeat(500);
  server.get('/', (__, reply) => {
    markPublic(reply, { body, etag: etagOf(value) }, 'answer');
    return reply.header(name, value).send(body);
  });
  const { headers } = await server.inject({ url: '/', headers: { 'accept-encoding': 'br' } });
  expect(headers['content-encoding']).toBe(coding);
  await server.close();
});

describe('an answer to a token', () => {
  it('is never compressed, since its length would tell what is in it', async () => {
    const own = await read('/api/v1/things/own', {
      'accept-encoding': 'gzip, br',
      authorization: 'Bearer receipt:read',
    });
    expect(own).toMatchObject({
      status: 200,
      coding: null,
      vary: 'Prefer',
      tag: expect.stringMatching(/^"[\w-]{27}"$/),
    });
  });
});
