import { setImmediate as nextTurn } from 'node:timers/promises';
import { openForAll } from '#testing';
import { startThingsApi } from './testing/things-api.js';

const api = openForAll(() => startThingsApi());

const JSON_BODY = { 'content-type': 'application/json' };
const ALLOWED = { authorization: 'Bearer booking:write receipt:read' };

describe('every answer', () => {
  it.each([
    ['GET', '/api/v1/things', 200],
    ['GET', '/api/v1/nowhere', 404],
    ['GET', '/api/v1/things/%zz', 404],
    ['GET', `/api/v1/things/${'x'.repeat(257)}`, 404],
    ['DELETE', '/api/v1/things/1', 500],
  ])('to %s %s carries the request id, nosniff and CORS', async (method, path, status) => {
    const answer = await api.call(method, path, { 'x-request-id': 'agent-7' });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('x-request-id')).toBe('agent-7');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-expose-headers')).toContain('X-Request-Id');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    expect(api.logged.at(-1)).toMatchObject({ reqId: 'agent-7', status, msg: 'request' });
  });

  it.each(['', 'with space', 'x'.repeat(65), 'a/b'])('names itself where the request id given is %j', async (id) => {
    const { headers } = await api.call('GET', '/api/v1/things', { 'x-request-id': id });
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('outside the shared paths may not be read by another origin', async () => {
    const { headers } = await api.call('GET', '/pages');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('the end of a request', () => {
  it('is told once, of what the router refuses too, and of a caller that left before its answer', async () => {
    api.ends.length = 0;
    await api.call('GET', '/api/v1/things');
    await api.call('GET', '/api/v1/things/%zz');
    const { write, leave } = api.connection();
    await write('GET /api/v1/gate HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await api.gate.entered;
    leave();
    while (api.ends.length < 3) await nextTurn();
    api.gate.letPass();
    await api.call('GET', '/api/v1/things/1');
    expect(api.ends).toEqual([
      { url: '/api/v1/things', isWhole: true, signature: null },
      { url: '/api/v1/things/%zz', isWhole: true, signature: null },
      { url: '/api/v1/gate', isWhole: false, signature: null },
      { url: '/api/v1/things/1', isWhole: true, signature: null },
    ]);
  });
});

describe('a signature', () => {
  const ended = async (method: string, path: string, signature?: string) => {
    api.ends.length = 0;
    const body = method === 'POST' ? '{"size":1}' : undefined;
    const headers = { ...JSON_BODY, ...ALLOWED, ...(signature !== undefined && { 'signature-input': signature }) };
    const answer = await api.call(method, path, headers, body);
    while (api.ends.length === 0) await nextTurn();
    return { ...answer, signature: api.ends[0]?.signature };
  };

  it('is asked for by nobody where there is none', async () => {
    api.signatures.asked = 0;
    expect(await ended('POST', '/api/v1/things')).toMatchObject({ status: 201, signature: null });
    expect(await ended('GET', '/api/v1/things')).toMatchObject({ status: 200, signature: null });
    expect(api.signatures.asked).toBe(0);
  });

  it('that is wrong ends a write before its body is read, and a read not at all', async () => {
    const refused = await ended('POST', '/api/v1/things', 'wrong');
    expect(refused).toMatchObject({ status: 403, signature: 'wrong' });
    expect(refused.body).toMatchObject({ error: 'invalid_signature', details: { reason: 'expired' } });
    expect(refused.headers.get('x-request-id')).toBe(refused.body?.['requestId']);
    expect(await ended('DELETE', '/api/v1/things/1', 'wrong')).toMatchObject({ status: 403 });
    expect(await ended('GET', '/api/v1/things', 'wrong')).toMatchObject({ status: 200, signature: 'wrong' });
  });

  it('of which nothing is known changes nothing', async () => {
    expect(await ended('POST', '/api/v1/things', 'new')).toMatchObject({ status: 201, signature: 'unverified' });
  });

  it('is not looked at where there is no route', async () => {
    expect(await ended('POST', '/api/v1/nowhere', 'wrong')).toMatchObject({ status: 404, signature: null });
  });
});

describe('a preflight', () => {
  it('tells the methods of the path and the headers an agent may send', async () => {
    const asked = { origin: 'https://agent.example', 'access-control-request-method': 'POST' };
    const { status, headers } = await api.call('OPTIONS', '/api/v1/things', asked);
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST');
    expect(headers.get('access-control-allow-headers')).toContain('Authorization');
  });

  it('is no business of a page', async () => {
    const asked = { origin: 'https://agent.example', 'access-control-request-method': 'GET' };
    expect(await api.call('OPTIONS', '/pages', asked)).toMatchObject({ status: 404 });
  });
});

describe('what the router refuses', () => {
  it('is 405 with Allow where the path knows other methods', async () => {
    const { status, headers, body } = await api.call('PUT', '/api/v1/things/1', JSON_BODY, '{');
    expect([status, headers.get('allow')]).toEqual([405, 'DELETE, GET, HEAD, PATCH']);
    expect(body).toMatchObject({ error: 'method_not_allowed' });
  });

  it('is 404 before the body is looked at', async () => {
    const answer = await api.call('POST', '/api/v1/nowhere', { 'content-type': 'text/plain' }, 'x');
    expect(answer).toMatchObject({ status: 404, body: { error: 'route_not_found' } });
  });

  it('is 404 where a slash follows a path that is known without it: no method would help', async () => {
    const answer = await api.call('GET', '/api/v1/things/1/');
    expect(answer).toMatchObject({ status: 404, body: { error: 'route_not_found' } });
    expect(answer.headers.get('allow')).toBeNull();
  });

  it.each(['/nowhere', '/%zz', '/apis', '/mcpx'])('(%s) is a page to who asks for one', async (path) => {
    const answer = await api.call('GET', path, { accept: 'text/html,*/*;q=0.8' });
    expect(answer).toMatchObject({ status: 404, body: { page: 'nowhere' } });
    expect(await api.call('GET', path, { accept: '*/*' })).toMatchObject({ body: { error: 'route_not_found' } });
  });

  it.each(['/api/v1', '/api/v1/nowhere', '/api/v1/things/%zz', '/.well-known/nothing', '/mcp', '/mcp?x'])(
    '(%s) is never a page where only programs ask',
    async (path) => {
      const answer = await api.call('GET', path, { accept: 'text/html' });
      expect(answer).toMatchObject({ status: 404, body: { error: 'route_not_found' } });
    },
  );

  it.each(['/protocol', '/protocol?x', '/protocol/nowhere', '/protocol/%zz'])(
    '(%s) has the form of what it lies below',
    async (path) => expect(await api.call('GET', path)).toMatchObject({ status: 404, body: { plain: true } }),
  );

  it.each(['/protocols', '/x/protocol'])('(%s) lies below nothing that has a form of its own', async (path) =>
    expect(await api.call('GET', path)).toMatchObject({ status: 404, body: { error: 'route_not_found' } }),
  );

  it('is 404 where a known path has a slash too many', async () =>
    expect(await api.call('GET', '/api/v1/things/')).toMatchObject({ status: 404 }));
});

describe('an error that cannot be answered in its form', () => {
  it('is an internal error in the form of every other, and never in that of the framework', async () => {
    const answer = await api.call('PATCH', '/api/v1/things/1');
    expect(answer).toMatchObject({ status: 500, body: { error: 'internal_error', requestId: expect.any(String) } });
    expect(Object.keys(answer.body ?? {})).toEqual(['error', 'message', 'doc_url', 'requestId']);
  });
});

describe('what is no HTTP request', () => {
  it('is answered in the form of every error, and its bytes are not logged', async () => {
    const { write, answer } = api.connection();
    await write('GET /api/v1/things HTTP/1.1\r\nAuthorization: Bearer s3cret\r\nno header\r\n\r\n');
    const [head = '', body = ''] = (await answer).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 /);
    const { requestId, ...error } = JSON.parse(body) as Record<string, unknown>;
    expect(error).toEqual({
      error: 'malformed_json',
      message: expect.any(String),
      doc_url: 'https://voos.example/docs/erros/malformed_json',
    });
    expect(head).toContain(`X-Request-Id: ${String(requestId)}`);
    expect(api.logged.at(-1)).toMatchObject({ reqId: requestId, status: 400, operation: 'unmatched' });
    expect(JSON.stringify(api.logged)).not.toContain('s3cret');
  });
});

describe('a body', () => {
  const post = (body: string, headers: Record<string, string> = JSON_BODY) =>
    api.call('POST', '/api/v1/things', { ...ALLOWED, ...headers }, body);

  it.each([
    ['{', 400, 'malformed_json'],
    ['{"size":1}x', 400, 'malformed_json'],
    ['[]', 422, 'invalid_body'],
    ['null', 422, 'invalid_body'],
    ['"size"', 422, 'invalid_body'],
    ['', 422, 'invalid_body'],
    ['{}', 422, 'invalid_limit'],
    [JSON.stringify({ size: 'x'.repeat(65 * 1024) }), 413, 'payload_too_large'],
  ])('%.20s answers %i %s', async (body, status, error) =>
    expect(await post(body)).toMatchObject({ status, body: { error } }),
  );

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/merge-patch+json', 'nonsense'])(
    'of type %s is 415',
    async (type) =>
      expect(await post('{"size":1}', { 'content-type': type })).toMatchObject({
        status: 415,
        body: { error: 'unsupported_media_type' },
      }),
  );

  it('loses unknown members and prototype keys, and says so of the former', async () => {
    const { status, body } = await post('{"size":1,"more":2,"__proto__":{"admin":true},"constructor":{"x":1}}');
    expect([status, body]).toMatchObject([201, { body: { size: 1 }, holder: 'ana', warnings: [{ field: 'more' }] }]);
  });

  it('is read before the token is asked for, and the token before it is judged', async () => {
    const anonymous = (body: string) => api.call('POST', '/api/v1/things', JSON_BODY, body);
    expect(await anonymous('{')).toMatchObject({ status: 400 });
    expect(await anonymous('{}')).toMatchObject({ status: 401 });
  });
});
