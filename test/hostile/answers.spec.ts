import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { sendRaw } from '../support/raw-request.js';
import { SmallSetting } from '../support/setting.js';

const setting = new SmallSetting();

const send = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  sendRaw(setting.origin, { path, headers });
/** An error in our form, under its status. */
const errorIn = ({ status, text }: { readonly status: number; readonly text: string }): unknown => {
  const { error, message, requestId, doc_url: page, ...rest } = JSON.parse(text) as Readonly<Record<string, unknown>>;
  expect([typeof message, typeof requestId, rest]).toEqual(['string', 'string', {}]);
  expect(String(page)).toMatch(new RegExp(`/docs/erros/${String(error)}$`));
  return [status, error];
};

describe('a Host that no address has', () => {
  const HOSTS = [
    '127.0.0.1:99999',
    '127.0.0.1:65536',
    '[::1]:99999',
    'localhost:x',
    '127.0.0.1:',
    '[::1',
    'a b',
    '%00',
  ];

  it.each(HOSTS)('(%s) is answered as the default address is', async (host) => {
    const answer = await send('/api/v1/flights/AL1201', { host });
    const asKnown = await send('/api/v1/flights/AL1201', { host: 'voos.example' });
    expect([answer.status, answer.text]).toEqual([200, asKnown.text]);
  });

  it.each(HOSTS)('(%s) changes no error', async (host) => {
    expect(errorIn(await send('/api/v1/nowhere', { host }))).toEqual([404, 'route_not_found']);
    expect(errorIn(await send('/api/v1/mandates', { host }))).toEqual([401, 'token_missing']);
    expect(errorIn(await send('/mcp', { host }))).toEqual([405, 'method_not_allowed']);
  });
});

describe('a head that Node would answer by itself', () => {
  const answerTo = async (head: string) => {
    const { hostname, port } = new URL(setting.origin);
    const socket = connect(Number(port), hostname);
    socket.end(`GET /api/v1/flights/AL1201 ${head}\r\nConnection: close\r\n\r\n`);
    const [start = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    return { status: Number(start.split(' ')[1]), text: body };
  };

  it('(HTTP/1.1 without a Host, or with two) is refused in our form, and HTTP/1.0 needs none', async () => {
    expect(errorIn(await answerTo('HTTP/1.1'))).toEqual([400, 'malformed_json']);
    expect(errorIn(await answerTo('HTTP/1.1\r\nHost: x\r\nhOST: y'))).toEqual([400, 'malformed_json']);
    expect((await answerTo('HTTP/1.0')).status).toBe(200);
  });

  it('(an expectation that nobody knows) is answered as if there were none', async () => {
    expect((await answerTo('HTTP/1.1\r\nHost: x\r\nExpect: the-unexpected')).status).toBe(200);
  });
});

describe('a path that means another one', () => {
  it.each([
    '/docs/%2e%2e/x',
    '/docs/..%2f..%2fpackage.json',
    '/docs/..%5c..%5cpackage.json',
    '/docs/%00',
    '/docs/en%00.js',
    '/docs/%252e%252e/package.json',
    '/docs/%zz',
    '/docs//etc/passwd',
    '/assets/%2e%2e/package.json',
    '/api/v1/%2e%2e/%2e%2e/package.json',
    '/%00',
    '/.git/config',
    '//evil.example/docs',
    '*',
    '*docs',
    'ftp://evil.example/docs',
  ])('(%s) leads nowhere, in our form', async (path) =>
    expect(errorIn(await send(path))).toEqual([404, 'route_not_found']),
  );
});

describe('the reference of the API', () => {
  it.each(['/docs', '/docs/', '/docs/en', '/docs/en/', '/docs/flights', '/docs/search?q=x'])(
    'is sent from %s under the headers of a page that calls nobody, and not again to who has it',
    async (path) => {
      const { status, headers } = await send(path);
      expect([status, headers['x-frame-options'], headers['x-content-type-options']]).toEqual([200, 'DENY', 'nosniff']);
      expect(headers['content-security-policy']).toBe(
        "default-src 'none'; script-src 'self'; connect-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      );
      const again = await send(path, { 'if-none-match': String(headers['etag']) });
      expect([again.status, again.text]).toEqual([304, '']);
    },
  );

  it('names the loopback address that it was asked for under, and no other', async () => {
    const [one, other] = [
      await send('/docs/flights', { host: 'localhost:9' }),
      await send('/docs/flights', { host: 'evil.example' }),
    ];
    expect(one.text).toContain('http://localhost:9/api/v1/flights');
    expect(other.text).not.toMatch(/localhost:9|evil/);
  });
});
