import { openForAll } from '#testing';
import { startThingsApi } from './testing/things-api.js';

const api = openForAll(() => startThingsApi());
let tag: string;
beforeAll(async () => {
  tag = (await api.call('GET', '/api/v1/things')).headers.get('etag') ?? '';
});

const readIf = async (method: string, condition: string) => {
  const { status, headers, body } = await api.call(method, '/api/v1/things', { 'if-none-match': condition });
  return { status, tag: headers.get('etag'), body };
};

describe('a public read', () => {
  it('has a strong tag, the same for the same answer', async () => {
    expect(tag).toMatch(/^"[\w-]{27}"$/);
    expect((await api.call('GET', '/api/v1/things')).headers.get('etag')).toBe(tag);
  });

  it.each([() => tag, () => `W/${tag}`, () => `"other", ${tag}`, () => '*'])(
    'is not sent again to who has it (%#)',
    async (condition) => expect(await readIf('GET', condition())).toEqual({ status: 304, tag, body: null }),
  );

  it.each([() => '"other"', () => tag.slice(1, -1), () => `${tag}x`])(
    'is sent to who has another (%#)',
    async (condition) =>
      expect(await readIf('GET', condition())).toEqual({ status: 200, tag, body: { items: ['one'] } }),
  );

  it('answers HEAD as GET, without the body', async () => {
    const { status, headers, body } = await api.call('HEAD', '/api/v1/things');
    expect([status, headers.get('etag'), body]).toEqual([200, tag, null]);
    expect(headers.get('content-length')).toBe(JSON.stringify({ items: ['one'] }).length.toString());
    expect(await readIf('HEAD', tag)).toEqual({ status: 304, tag, body: null });
  });
});
