import { openForAll } from '#testing';
import { startThingsApi } from './testing/things-api.js';

const api = openForAll(() => startThingsApi());

const create = async (authorization?: string) => {
  const headers = { 'content-type': 'application/json', ...(authorization !== undefined && { authorization }) };
  const answer = await api.call('POST', '/api/v1/things', headers, '{"size":1}');
  return { status: answer.status, error: answer.body?.['error'], challenge: answer.headers.get('www-authenticate') };
};
const metadata = () => `resource_metadata="${api.origin}/.well-known/oauth-protected-resource/api/v1"`;

describe('a protected operation', () => {
  it('tells a request without a token where to get one, and no more', async () =>
    expect(await create()).toEqual({ status: 401, error: 'token_missing', challenge: `Bearer ${metadata()}` }));

  it('tells a bad token that it is one', async () =>
    expect(await create('Basic x')).toEqual({
      status: 401,
      error: 'invalid_token',
      challenge: `Bearer error="invalid_token", ${metadata()}`,
    }));

  it('needs all of its scopes, and names them all', async () =>
    expect(await create('Bearer booking:write')).toEqual({
      status: 403,
      error: 'insufficient_scope',
      challenge: `Bearer error="insufficient_scope", scope="booking:write receipt:read", ${metadata()}`,
    }));

  it('takes a token that has more', async () =>
    expect(await create('Bearer catalog:read receipt:read booking:write')).toMatchObject({ status: 201 }));

  it('leaves its caller in the log, and never the token', async () => {
    await create('Bearer booking:write receipt:read');
    expect(api.logged.at(-1)).toMatchObject({ client: 'pilot', operation: 'POST /api/v1/things', status: 201 });
    expect(JSON.stringify(api.logged)).not.toContain('Bearer');
  });
});

describe('a public operation', () => {
  it('does not look at the token', async () =>
    expect(await api.call('GET', '/api/v1/things', { authorization: 'Basic x' })).toMatchObject({ status: 200 }));

  it('has a link under the name it was asked by', async () => {
    const { body } = await api.call('GET', '/api/v1/things/7');
    expect(body).toEqual({ id: '7', url: `${api.origin}/api/v1/things/7` });
  });
});

describe('an operation of the API that is marked neither public nor with scopes', () => {
  it('is closed', async () => {
    const { status, body } = await api.call('GET', '/api/v1/forgotten');
    expect([status, body?.['error']]).toEqual([500, 'internal_error']);
    const failure = api.logged.findLast((line) => line['msg'] === 'request failed');
    expect(JSON.stringify(failure)).toContain('GET /api/v1/forgotten needs @RequireScopes() or @Public()');
  });
});

describe('a refusal for load', () => {
  it('is answered 503, and is no error in the log', async () => {
    const { status, body } = await api.call('GET', '/api/v1/gate/full');
    expect([status, body?.['error']]).toEqual([503, 'service_unavailable']);
    const [line, ...more] = api.logged.slice(-2);
    expect(line).toMatchObject({ level: 30, msg: 'refused for load' });
    expect(more).toMatchObject([{ level: 30, msg: 'request', status: 503 }]);
    expect(line).not.toHaveProperty('err');
  });
});

describe('a failure', () => {
  it('tells nothing of itself, and leaves its cause in the log', async () => {
    const { status, body, headers } = await api.call('DELETE', '/api/v1/things/7');
    expect([status, body]).toEqual([
      500,
      {
        error: 'internal_error',
        message: expect.any(String),
        doc_url: expect.stringMatching(/\/docs\/erros\/internal_error$/),
        requestId: headers.get('x-request-id'),
      },
    ]);
    const failure = api.logged.findLast(({ msg }) => msg === 'request failed');
    expect(failure).toMatchObject({ reqId: headers.get('x-request-id'), code: 'internal_error' });
    expect(JSON.stringify(failure)).toContain('cannot delete 7');
  });
});
