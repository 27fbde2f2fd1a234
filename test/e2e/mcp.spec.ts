import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { delegations } from '#delegation';
import { systemContext } from '#kernel';
import { decodeJwt } from 'jose';
import { type Environment, newFolder, removeFolder, startService } from '../support/service.js';
import { apiAt, PILOT, tokensFor } from '../support/agent.js';
import type { Booking } from '../support/answers.js';
import { bearer, sendMessage } from '../support/doors.js';
import { discover, requestTokens } from '../../apps/cli/src/agent/index.js';
import { mcpClientAt } from '../support/mcp-client.js';
import { openSmallSetting, type SmallSetting } from '../support/setting.js';
import { TRIP, wholeList } from '../support/purchase.js';

const APP = 'https://app.example';
const ENVIRONMENT: Environment = { MCP_ALLOWED_ORIGINS: `${APP}, https://other.example` };

let setting: SmallSetting;
beforeAll(async () => {
  setting = await openSmallSetting(ENVIRONMENT);
});
afterAll(() => setting.close());

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const LIST = { jsonrpc: '2.0', id: 'lista', method: 'tools/list' };
const callOf = (name: string, args: object = {}) => ({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name, arguments: args },
});
const send = (message: unknown, headers: Readonly<Record<string, string>> = {}) =>
  sendMessage(setting.origin, message, headers);

const metadata = () => `resource_metadata="${setting.origin}/.well-known/oauth-protected-resource/mcp"`;
const ALL = 'scope="booking:write order:write mandate:create payment:execute receipt:read"';

describe('POST /mcp', () => {
  it('answers one message in JSON, without a session', async () => {
    const answer = await send(PING);
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('mcp-session-id')]).toEqual([
      200,
      expect.stringMatching(/^application\/json/),
      null,
    ]);
    expect(await answer.json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  });

  it.each([
    ['what is no JSON', 400, '{'],
    ['no body', 400, ''],
    ['what is no message', 400, { hello: 1 }],
    ['many messages at once, which would count as one', 400, [PING, PING]],
    ['a notification', 202, { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['a cancellation', 202, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } }],
    ['a call that nobody waits for', 401, { ...callOf('create_booking', TRIP), id: undefined }],
  ])('with %s is %i', async (_, status, message) => {
    expect((await send(message)).status).toBe(status);
  });

  it.each([
    ['another type', { 'content-type': 'text/plain' }, 415],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['an answer that it cannot give', { accept: 'text/html' }, 406],
    ['a version of the protocol nobody knows', { 'mcp-protocol-version': '1999-01-01' }, 400],
  ])('in or for %s is refused', async (_, headers, status) => {
    expect((await send(PING, headers)).status).toBe(status);
  });

  it('of more than 64 KiB is refused', async () => {
    expect((await send({ ...PING, params: { x: 'x'.repeat(65_536) } })).status).toBe(413);
  });

  it.each(['unknown', '__proto__', 'constructor', 'toString'])(
    'calling %s is an error of the protocol',
    async (name) => {
      const body = (await (await send(callOf(name))).json()) as { readonly error: { readonly code: number } };
      expect(body.error.code).toBe(-32602);
    },
  );

  it.each([
    ['initialize', undefined],
    ['tools/list', { cursor: 1 }],
    ['tools/call', undefined],
    ['tools/call', { name: 1 }],
    ['tools/call', { name: ['search_flights'] }],
    ['tools/call', { name: 'search_flights', arguments: [] }],
    ['tools/call', { name: 'search_flights', arguments: null }],
  ])('asking %s with %j is the client’s error, told without how we are made', async (method, params) => {
    const answer = await send({ jsonrpc: '2.0', id: 'x', method, params });
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { jsonrpc: '2.0', id: 'x', error: { code: -32602, message: 'Os parâmetros da mensagem são inválidos.' } },
    ]);
  });

  it('with bad arguments asks for the token first', async () => {
    expect((await send(callOf('create_booking', []))).status).toBe(401);
  });
});

describe('the other methods of /mcp', () => {
  it.each(['GET', 'DELETE', 'PUT'])('%s is not allowed, and says what is', async (method) => {
    const answer = await fetch(`${setting.origin}/mcp`, { method, headers: { accept: 'text/event-stream' } });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'OPTIONS, POST']);
  });
});

describe('a token shown to /mcp', () => {
  it('that is bad is refused whatever is asked, so that its client renews it', async () => {
    for (const message of [PING, LIST, callOf('search_flights'), callOf('create_booking')]) {
      const answer = await send(message, bearer('x'));
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
        401,
        `Bearer error="invalid_token", ${ALL}, ${metadata()}`,
      ]);
      expect(await answer.json()).toMatchObject({ error: 'invalid_token', message: expect.any(String) });
    }
  });

  it('must be for it: one for the API alone is bad here, and the other way round', async () => {
    const { refresh_token } = await tokensFor(setting.origin);
    const server = await discover(setting.origin);
    const narrowed = async (resource: string, refresh: string) => {
      const registration = { ...PILOT, redirectUri: '' };
      return requestTokens(server, registration, { grant_type: 'refresh_token', refresh_token: refresh, resource });
    };
    const forApi = await narrowed(`${setting.origin}/api/v1`, refresh_token);
    const forMcp = await narrowed(`${setting.origin}/mcp`, forApi.refresh_token);
    const statuses = async (token: string) => [
      (await send(LIST, bearer(token))).status,
      (await apiAt(setting.origin, token).get('/bookings')).status,
    ];
    expect(await statuses(forApi.access_token)).toEqual([401, 200]);
    expect(await statuses(forMcp.access_token)).toEqual([200, 401]);
  });

  it('says which tools are listed: those it allows', async () => {
    const scopes = ['booking:write', 'order:write'];
    const { access_token } = await tokensFor(setting.origin, { scopes });
    const listed = async (headers: Readonly<Record<string, string>>) => {
      const { result } = (await (await send(LIST, headers)).json()) as { result: { tools: { name: string }[] } };
      return result.tools.map(({ name }) => name);
    };
    const open = ['search_flights', 'get_flight', 'quote_fares'];
    expect(await listed({})).toEqual(open);
    expect(await listed({ authorization: 'Basic eDp5' })).toEqual(open);
    expect(await listed(bearer(access_token))).toEqual([...open, 'create_booking', 'get_booking', 'change_booking']);
  });

  it('without a scope is refused with what it had and what it needs', async () => {
    const { access_token } = await tokensFor(setting.origin, { scopes: ['receipt:read', 'catalog:read'] });
    const answer = await send(callOf('place_order'), bearer(access_token));
    const wanted = 'scope="catalog:read order:write payment:execute receipt:read"';
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
      403,
      `Bearer error="insufficient_scope", ${wanted}, ${metadata()}`,
    ]);
  });

  it('of none is asked for where a tool needs one', async () => {
    const answer = await send(callOf('get_receipt', { orderId: 'x' }));
    const challenge = `Bearer ${ALL}, ${metadata()}, DPoP algs="ES256 EdDSA Ed25519"`;
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, challenge]);
  });
});

describe('a page that calls /mcp', () => {
  const PREFLIGHT = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' };
  const preflight = (origin: string) =>
    fetch(`${setting.origin}/mcp`, { method: 'OPTIONS', headers: { origin, ...PREFLIGHT } });

  it.each([APP, 'https://other.example'])('from %s, which is allowed, may read the answer', async (origin) => {
    const asked = await preflight(origin);
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, origin]);
    expect(asked.headers.get('access-control-allow-headers')).toMatch(/Authorization.*MCP-Protocol-Version/);
    for (const message of [PING, callOf('get_receipt')]) {
      const { headers } = await send(message, { origin });
      expect([headers.get('access-control-allow-origin'), headers.get('vary')]).toEqual([origin, 'Origin']);
      expect(headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
    }
  });

  it('of our own is let in, under whatever name it was reached', async () => {
    expect((await send(PING, { origin: setting.origin })).status).toBe(200);
  });

  it.each(['https://evil.example', 'null', 'https://app.example.evil.example', 'http://app.example'])(
    'from %s is refused before anything is looked at',
    async (origin) => {
      expect((await preflight(origin)).status).toBe(403);
      const answer = await send(PING, { origin, ...bearer('x') });
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([403, null]);
      expect(await answer.json()).toMatchObject({ error: 'origin_forbidden' });
    },
  );
});

describe('an agent on /mcp', () => {
  it('creates once under one Idempotency-Key, whatever number its message has', async () => {
    const { access_token } = await tokensFor(setting.origin);
    const count = async () => (await wholeList(setting.ana, '/bookings')).length;
    const before = await count();
    const book = async (id: number) => {
      const headers = { ...bearer(access_token), 'idempotency-key': 'chave-mcp' };
      const answer = await send({ ...callOf('create_booking', TRIP), id }, headers);
      const { result } = (await answer.json()) as { result: { structuredContent: Booking } };
      return [result.structuredContent.id, answer.headers.get('idempotent-replayed')];
    };
    const [first, again] = [await book(1), await book(2)];
    expect(again).toEqual([first[0], 'true']);
    expect(await count()).toBe(before + 1);
  });

  it('that goes away leaves what it began to be finished', async () => {
    const mcp = await mcpClientAt(setting.origin);
    const { access_token } = await tokensFor(setting.origin);
    mcp.provider.saveTokens({ access_token, token_type: 'bearer' });
    const before = (await wholeList(setting.ana, '/bookings')).length;
    const left = new AbortController();
    const calling = mcp.client.callTool({ name: 'create_booking', arguments: TRIP }, undefined, {
      signal: left.signal,
    });
    left.abort();
    await expect(calling).rejects.toThrow();
    while ((await wholeList(setting.ana, '/bookings')).length === before);
    expect((await send(PING)).status).toBe(200);
    await mcp.client.close();
  });

  it('is limited by its address as public reads are', async () => {
    const folder = await newFolder();
    const service = await startService(folder, { LIMIT_PUBLIC_READS: '2', TRUST_PROXY: '127.0.0.1' });
    const ask = async () => (await sendMessage(service.origin, PING, { 'x-forwarded-for': '198.51.100.1' })).status;
    expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 429]);
    await service.stop();
    await removeFolder(folder);
  });

  it('whose traveller revoked it while its grant still lives is refused over HTTP, like by a dead one', async () => {
    const folder = await newFolder();
    const service = await startService(folder);
    const { access_token } = await tokensFor(service.origin);
    const { sub: holder = '' } = decodeJwt(access_token);
    const delegation = { holder, clientId: PILOT.clientId };
    await service.dependencies.aggregates.handle(
      delegations,
      delegation,
      { type: 'RevokeAgent' },
      systemContext('a test'),
    );
    const answer = await sendMessage(service.origin, callOf('create_booking', TRIP), bearer(access_token));
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringMatching(/invalid_token/),
    ]);
    await service.stop();
    await removeFolder(folder);
  });
});
