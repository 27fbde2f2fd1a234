import { openForAll } from '#testing';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import {
  approved,
  authorizeUrl,
  basic,
  callApi,
  codeFields,
  locationOf,
  newCode,
  newTokens,
  postToken,
  reachConsent,
  refreshFields,
} from './testing/agent.js';
import { Browser, formTo } from './testing/browser.js';
import { startTestServer } from './testing/test-server.js';
import { CALLBACK, ISSUER, OTHER_CLIENT, PASSWORD, PUBLIC_CLIENT } from './testing/test-settings.js';
import { delegations } from '#mandate';

const server = openForAll(() => startTestServer());

const getJson = async <Body>(path: string): Promise<Body> =>
  JSON.parse((await new Browser(server).get(path)).body) as Body;

describe('an agent that asks its traveller for access', () => {
  it('gets a code, tokens, new tokens, and access to the API', async () => {
    const back = await approved(server);
    expect(`${back.origin}${back.pathname}`).toBe(CALLBACK);
    expect([back.searchParams.get('state'), back.searchParams.get('iss')]).toEqual(['estado', ISSUER]);

    const first = await postToken(server, codeFields(back.searchParams.get('code') ?? ''));
    expect(first).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
    expect(first.body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'booking:write receipt:read' });

    const second = await postToken(server, refreshFields(first.body['refresh_token']));
    expect(second.status).toBe(200);
    expect(second.body['refresh_token']).not.toBe(first.body['refresh_token']);
    for (const { body } of [first, second]) {
      const called = await callApi(server, `Bearer ${body['access_token'] ?? ''}`);
      expect(called.body).toMatchObject({ clientId: 'alcada-pilot', scopes: ['booking:write', 'receipt:read'] });
    }
  });

  it('gets an access token that anybody can check (RFC 9068)', async () => {
    const { access } = await newTokens(server);
    const keys = createLocalJWKSet(await getJson<JSONWebKeySet>('/oauth/jwks'));
    const { payload, protectedHeader } = await jwtVerify(access, keys, {
      issuer: ISSUER,
      audience: `${ISSUER}/api/v1`,
      typ: 'at+jwt',
      algorithms: ['RS256'],
      currentDate: new Date(server.clock.now()),
    });
    expect(Object.keys(payload).sort()).toEqual(['aud', 'client_id', 'exp', 'iat', 'iss', 'jti', 'scope', 'sub']);
    expect(Object.keys(protectedHeader).sort()).toEqual(['alg', 'kid', 'typ']);
    expect(payload).toMatchObject({ client_id: 'alcada-pilot', aud: [`${ISSUER}/api/v1`, `${ISSUER}/mcp`] });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3600);
  });

  it('is authorized in the log, under the grant of its tokens', async () => {
    const { access } = await newTokens(server);
    const { body: caller } = await callApi(server, `Bearer ${access}`);
    const events = [];
    for await (const event of server.eventStore.readStream(
      delegations.streamOf({ holder: String(caller['holder']), clientId: 'alcada-pilot' }),
    )) {
      events.push(event);
    }
    expect(events.at(-1)).toMatchObject({
      type: 'AgentAuthorized',
      data: { holder: caller['holder'], clientId: 'alcada-pilot', grantId: caller['grantId'] },
    });
  });

  it('learns that the traveller said no', async () => {
    const browser = new Browser(server);
    const consent = await reachConsent(browser);
    const back = await browser.post(formTo(consent, '/oauth/consent'), { decision: 'deny' });
    expect(back.status).toBe(303);
    expect(Object.fromEntries(locationOf(back).searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'estado',
      iss: ISSUER,
    });
  });

  it('may leave out state, since PKCE is required', async () => {
    expect((await approved(server, { state: undefined })).searchParams.has('state')).toBe(false);
  });

  it('may come back to the playground, whose address follows the issuer', async () => {
    const back = await approved(server, { redirect_uri: `${ISSUER}/oauth/playground` });
    expect(`${back.origin}${back.pathname}`).toBe(`${ISSUER}/oauth/playground`);
  });

  it('may be public: it has no secret, and refreshes without one', async () => {
    const client_id = PUBLIC_CLIENT;
    const first = await postToken(server, { ...codeFields(await newCode(server, { client_id })), client_id }, {});
    expect(first.status).toBe(200);
    expect(await postToken(server, { ...refreshFields(first.body['refresh_token']), client_id }, {})).toMatchObject({
      status: 200,
    });
  });

  it('may send its secret form-decoded, raw, or in the body (RFC 6749 §2.3.1)', async () => {
    const { clientId, secret } = OTHER_CLIENT;
    const change = { client_id: clientId, redirect_uri: 'https://outro.example/volta?a=1' };
    const encoded = new URLSearchParams({ [clientId]: secret }).toString().split('=');
    for (const headers of [
      { authorization: basic(encoded[0] ?? '', encoded[1] ?? '') },
      { authorization: basic(clientId, secret) },
    ]) {
      expect(await postToken(server, codeFields(await newCode(server, change)), headers)).toMatchObject({
        status: 200,
      });
    }
    const posted = { ...codeFields(await newCode(server, change)), client_id: clientId, client_secret: secret };
    expect(await postToken(server, posted, {})).toMatchObject({ status: 200 });
  });

  it('may speak JSON to the token endpoint', async () => {
    const body = JSON.stringify({ ...codeFields(await newCode(server)), redirect_uri: CALLBACK });
    const headers = { 'content-type': 'application/json', authorization: basic('alcada-pilot', 'alcada-pilot-secret') };
    expect(await postToken(server, body, headers)).toMatchObject({ status: 200 });
  });

  it('gets a token for the resource that it names, and for all of them where it names none (RFC 8707)', async () => {
    const { body } = await postToken(server, {
      ...codeFields(await newCode(server, { resource: `${ISSUER}/mcp` })),
      resource: `${ISSUER}/mcp`,
    });
    expect(await callApi(server, `Bearer ${body['access_token'] ?? ''}`)).toMatchObject({ status: 401 });
    const wide = await newTokens(server);
    const narrowed = await postToken(server, { ...refreshFields(wide.refresh), resource: `${ISSUER}/mcp` });
    expect(await callApi(server, `Bearer ${narrowed.body['access_token'] ?? ''}`)).toMatchObject({ status: 401 });
    const again = await postToken(server, refreshFields(narrowed.body['refresh_token']));
    expect(await callApi(server, `Bearer ${again.body['access_token'] ?? ''}`)).toMatchObject({ status: 200 });
  });

  it('may narrow an access token and keeps what was granted', async () => {
    const { refresh } = await newTokens(server);
    const narrow = await postToken(server, { ...refreshFields(refresh), scope: 'receipt:read' });
    expect(narrow.body['scope']).toBe('receipt:read');
    expect(await callApi(server, `Bearer ${narrow.body['access_token'] ?? ''}`)).toMatchObject({ status: 403 });
    const wide = await postToken(server, refreshFields(narrow.body['refresh_token']));
    expect(wide.body['scope']).toBe('booking:write receipt:read');
  });

  it('is served under the loopback name that it uses, and its token is valid under all of them', async () => {
    const browser = new Browser(server, 'localhost:49152');
    const { body } = await browser.get('/.well-known/oauth-authorization-server');
    expect(JSON.parse(body)).toMatchObject({ issuer: 'http://localhost:49152' });
    const consent = await reachConsent(browser);
    const back = locationOf(await browser.post(formTo(consent, '/oauth/consent'), { decision: 'approve' }));
    expect(back.searchParams.get('iss')).toBe('http://localhost:49152');
    for (const host of ['localhost:49152', '127.0.0.1:3000', '[::1]:80']) {
      const code = await newCode(server);
      const tokens = await postToken(server, codeFields(code), {
        host,
        authorization: basic('alcada-pilot', 'alcada-pilot-secret'),
      });
      expect(await callApi(server, `Bearer ${tokens.body['access_token'] ?? ''}`)).toMatchObject({ status: 200 });
    }
  });

  it('is given the default addresses under any other host, never that host', async () => {
    const { body } = await new Browser(server, 'evil.example').get('/.well-known/oauth-authorization-server');
    expect(JSON.parse(body)).toMatchObject({ issuer: ISSUER });
    expect(body).not.toContain('evil');
  });
});

describe('the discovery of a client', () => {
  it('names what exists and nothing else (RFC 8414)', async () => {
    const metadata = await getJson<Record<string, unknown>>('/.well-known/oauth-authorization-server');
    expect(metadata).toMatchObject({
      issuer: ISSUER,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    });
    for (const [name, address] of Object.entries(metadata).filter(([name]) => /_(endpoint|uri)$/.test(name))) {
      const { status } = await new Browser(server).get(new URL(String(address)).pathname);
      expect([name, status]).not.toEqual([name, 404]);
    }
  });

  it.each([
    ['', 'api/v1'],
    ['/api/v1', 'api/v1'],
    ['/mcp', 'mcp'],
  ])('names the resource at /.well-known/oauth-protected-resource%s (RFC 9728)', async (path, resource) => {
    expect(await getJson(`/.well-known/oauth-protected-resource${path}`)).toMatchObject({
      resource: `${ISSUER}/${resource}`,
      authorization_servers: [ISSUER],
      bearer_methods_supported: ['header'],
    });
  });

  it('contains the private part of no key', async () => {
    const { keys } = await getJson<JSONWebKeySet>('/oauth/jwks');
    expect(keys).toHaveLength(1);
    expect(Object.keys(keys[0] ?? {}).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
  });
});

describe('a traveller', () => {
  it('sees who asks, for what, in whose name, and where the answer goes', async () => {
    const { body, headers } = await reachConsent(new Browser(server), { scope: 'payment:execute catalog:read' });
    for (const text of [
      'Agente piloto',
      'cliente piloto de testes',
      'Cobrar dentro do teto',
      'ana@example.com',
      '127.0.0.1:8765',
    ]) {
      expect(body).toContain(text);
    }
    expect(body).not.toContain('Criar e alterar reservas');
    expect(headers['content-security-policy']).toContain("form-action 'self' http://127.0.0.1:8765;");
  });

  it('logs in once and then decides further requests', async () => {
    const browser = new Browser(server);
    await reachConsent(browser);
    const { body } = await browser.get(authorizeUrl({ scope: 'catalog:read' }));
    expect(body).toContain('ana@example.com');
    expect(body).toContain('Consultar voos');
  });

  it('has to log in again after twelve hours', async () => {
    const browser = new Browser(server);
    await reachConsent(browser);
    server.clock.advance(12 * 3_600_000);
    expect((await browser.get(authorizeUrl())).body).toContain('name="password"');
  });

  it('may log out, and another one may log in', async () => {
    const browser = new Browser(server);
    const consent = await reachConsent(browser);
    const left = await browser.post(formTo(consent, '/oauth/logout'));
    const login = await browser.get(locationOf(left).pathname);
    const entered = await browser.post(formTo(login, '/oauth/login'), {
      username: ' Bruno@Example.com',
      password: PASSWORD,
    });
    expect((await browser.get(locationOf(entered).pathname)).body).toContain('bruno@example.com');
  });

  it.each([
    ['ana@example.com', 'errada'],
    ['ninguem@example.com', PASSWORD],
    ['ana@example.com', ''],
    ['', ''],
  ])('cannot log in as %j with %j, and learns no more than that', async (username, password) => {
    const browser = new Browser(server);
    const login = formTo(await browser.get(authorizeUrl()), '/oauth/login');
    const { status, body } = await browser.post(login, { username, password });
    expect(status).toBe(403);
    expect(body).toContain('E-mail ou senha incorretos.');
    expect(body).toContain('role="alert"');
  });
});
