import { openForAll } from '#testing';
import { authorizeUrl, type Fields, locationOf, newTokens, reachConsent } from '../testing/agent.js';
import { Browser, formTo } from '../testing/browser.js';
import { startTestServer } from '../testing/test-server.js';
import { CALLBACK, ISSUER, PASSWORD } from '../testing/test-settings.js';

const server = openForAll(() => startTestServer());

type Row = readonly [attack: string, rfc: string, change: Fields | string, description: string];

/** Rows whose error must be shown here, since client or redirect URI are not validated (RFC 6749 §4.1.2.1). */
const SHOWN: readonly Row[] = [
  ['no client', 'RFC 6749 §4.1.2.1', { client_id: undefined }, 'client_id is unknown'],
  ['an unknown client', 'RFC 6749 §4.1.2.1', { client_id: 'outro' }, 'client_id is unknown'],
  ['a client id of the prototype', 'RFC 6749 §10.14', { client_id: '__proto__' }, 'client_id is unknown'],
  ['two clients', 'RFC 6749 §3.1', '&client_id=outro', 'repeated'],
  ['no redirect URI', 'RFC 6749 §3.1.2.3', { redirect_uri: undefined }, 'redirect_uri'],
  ['two redirect URIs', 'RFC 6749 §3.1', '&redirect_uri=https%3A%2F%2Fevil.example', 'repeated'],
  ['another port', 'RFC 9700 §4.1', { redirect_uri: 'http://127.0.0.1:8766/callback' }, 'redirect_uri'],
  ['another case', 'RFC 9700 §4.1', { redirect_uri: 'http://127.0.0.1:8765/Callback' }, 'redirect_uri'],
  ['another case of the host', 'RFC 9700 §4.1', { redirect_uri: 'http://LOCALHOST:8765/callback' }, 'redirect_uri'],
  ['a slash more', 'RFC 9700 §4.1', { redirect_uri: `${CALLBACK}/` }, 'redirect_uri'],
  ['a query', 'RFC 9700 §4.1', { redirect_uri: `${CALLBACK}?next=https://evil.example` }, 'redirect_uri'],
  ['a fragment', 'RFC 6749 §3.1.2', { redirect_uri: `${CALLBACK}#evil` }, 'redirect_uri'],
  ['a path that climbs', 'RFC 9700 §4.1', { redirect_uri: `${CALLBACK}/../evil` }, 'redirect_uri'],
  ['a user in front', 'RFC 9700 §4.1', { redirect_uri: 'http://127.0.0.1:8765@evil.example/callback' }, 'redirect_uri'],
  ['another scheme', 'RFC 9700 §4.1', { redirect_uri: 'https://127.0.0.1:8765/callback' }, 'redirect_uri'],
  ['a script', 'RFC 9700 §4.11', { redirect_uri: 'javascript:alert(1)' }, 'redirect_uri'],
  ['the placeholder itself', 'RFC 9700 §4.1', { redirect_uri: '{auth_url}/oauth/playground' }, 'redirect_uri'],
  [
    "another issuer's playground",
    'RFC 9700 §4.1',
    { redirect_uri: 'https://evil.example/oauth/playground' },
    'redirect_uri',
  ],
  [
    "another client's redirect URI",
    'RFC 9700 §4.1',
    { redirect_uri: 'https://outro.example/volta?a=1' },
    'redirect_uri',
  ],
  ['an oversized redirect URI', 'RFC 6749 §10.14', { redirect_uri: `${CALLBACK}?${'a'.repeat(3_000)}` }, 'too long'],
];

/** Rows whose error is sent to the client by redirect. */
const REDIRECTED: readonly Row[] = [
  ['no response type', 'RFC 6749 §3.1.1', { response_type: undefined }, 'invalid_request'],
  ['the implicit grant', 'RFC 9700 §2.1.2', { response_type: 'token' }, 'unsupported_response_type'],
  ['a hybrid', 'RFC 9700 §2.1.2', { response_type: 'code token' }, 'unsupported_response_type'],
  ['no challenge', 'RFC 7636 §4.4.1', { code_challenge: undefined }, 'invalid_request'],
  ['no method', 'RFC 9700 §4.8', { code_challenge_method: undefined }, 'invalid_request'],
  ['the plain method', 'RFC 7636 §7.2', { code_challenge_method: 'plain' }, 'invalid_request'],
  ['a method in lower case', 'RFC 7636 §4.3', { code_challenge_method: 's256' }, 'invalid_request'],
  ['a short challenge', 'RFC 7636 §4.2', { code_challenge: 'a'.repeat(42) }, 'invalid_request'],
  ['a long challenge', 'RFC 7636 §4.2', { code_challenge: 'a'.repeat(44) }, 'invalid_request'],
  ['a challenge that is not base64url', 'RFC 7636 §4.2', { code_challenge: `${'a'.repeat(42)}=` }, 'invalid_request'],
  ['an answer in the fragment', 'RFC 9700 §2.1.2', { response_mode: 'fragment' }, 'invalid_request'],
  ['an answer by form', 'RFC 9700 §2.1.2', { response_mode: 'form_post' }, 'invalid_request'],
  ['a request object', 'OpenID Connect Core §6.1', { request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
  [
    'a request object elsewhere (SSRF)',
    'OpenID Connect Core §6.2',
    { request_uri: 'http://169.254.169.254/' },
    'request_uri_not_supported',
  ],
  ['no scope', 'RFC 6749 §3.3', { scope: undefined }, 'invalid_scope'],
  ['an empty scope', 'RFC 6749 §3.3', { scope: '' }, 'invalid_scope'],
  ['an unknown scope among known ones', 'RFC 6749 §3.3', { scope: 'booking:write admin' }, 'invalid_scope'],
  ['an unknown resource', 'RFC 8707 §2', { resource: 'https://evil.example/api' }, 'invalid_target'],
  [
    'a known and an unknown resource',
    'RFC 8707 §2',
    `&resource=${ISSUER}/mcp&resource=https://evil.example`,
    'invalid_target',
  ],
  ['a resource with a slash more', 'RFC 8707 §2', { resource: `${ISSUER}/mcp/` }, 'invalid_target'],
  ['two scopes', 'RFC 6749 §3.1', '&scope=payment:execute', 'invalid_request'],
  ['two challenges', 'RFC 6749 §3.1', `&code_challenge=${'a'.repeat(43)}`, 'invalid_request'],
  ['an unknown parameter twice', 'RFC 6749 §3.1', '&a=1&a=2', 'invalid_request'],
  ['an unknown prompt', 'OpenID Connect Core §3.1.2.1', { prompt: 'login admin' }, 'invalid_request'],
  ['a prompt in upper case', 'OpenID Connect Core §3.1.2.1', { prompt: 'None' }, 'invalid_request'],
  ['no page and a login at once', 'OpenID Connect Core §3.1.2.1', { prompt: 'none login' }, 'invalid_request'],
  ['two prompts', 'RFC 6749 §3.1', '&prompt=none&prompt=login', 'invalid_request'],
  ['a negative max_age', 'OpenID Connect Core §3.1.2.1', { max_age: '-1' }, 'invalid_request'],
  ['a max_age that is no number', 'OpenID Connect Core §3.1.2.1', { max_age: '1e3' }, 'invalid_request'],
];

const urlOf = (change: Fields | string): string =>
  typeof change === 'string' ? authorizeUrl() + change : authorizeUrl(change);

describe('GET /oauth/authorize', () => {
  it.each(SHOWN)('shows the error of %s and redirects nowhere (%s)', async (_, __, change, description) => {
    const json = await new Browser(server).get(urlOf(change), { accept: 'application/json' });
    expect(json.status).toBe(400);
    expect(json.headers).not.toHaveProperty('location');
    expect(JSON.parse(json.body)).toMatchObject({
      error: 'invalid_request',
      error_description: expect.stringContaining(description),
      message: expect.stringMatching(/\.$/),
      requestId: json.headers['x-request-id'],
    });
    const page = await new Browser(server).get(urlOf(change));
    expect(page).toMatchObject({ status: 400, headers: { 'content-type': 'text/html; charset=utf-8' } });
    expect(page.headers).not.toHaveProperty('location');
    expect(page.body).not.toContain('evil');
  });

  it.each(REDIRECTED)(
    'tells the client of %s by redirect, with state and issuer (%s)',
    async (_, __, change, error) => {
      const { status, headers, body } = await new Browser(server).get(urlOf(change));
      expect([status, body]).toEqual([302, '']);
      const back = new URL(headers['location'] ?? '');
      expect(`${back.origin}${back.pathname}`).toBe(CALLBACK);
      expect(Object.fromEntries(back.searchParams)).toMatchObject({ error, state: 'estado', iss: ISSUER });
    },
  );

  it('echoes a state of up to 1,024 characters', async () => {
    const state = 'a'.repeat(1_024);
    const { headers } = await new Browser(server).get(authorizeUrl({ state, max_age: '-1' }));
    expect(new URL(headers['location'] ?? '').searchParams.get('state')).toBe(state);
  });

  it.each([
    ['repeated', 'RFC 6749 §3.1', `${authorizeUrl()}&state=outro`],
    ['with a line break (header injection)', 'RFC 6749 §10.14', authorizeUrl({ state: 'a\r\nSet-Cookie: x=y' })],
    ['not ASCII', 'RFC 6749 A.5', authorizeUrl({ state: 'é' })],
    ['oversized', 'RFC 6749 §10.14', authorizeUrl({ state: 'a'.repeat(1_025) })],
  ])('does not echo a state that is %s (%s)', async (_, __, url) => {
    const { headers, cookies } = await new Browser(server).get(url);
    const back = new URL(headers['location'] ?? '');
    expect([back.searchParams.get('error'), back.searchParams.has('state')]).toEqual(['invalid_request', false]);
    expect(cookies).toEqual([]);
  });

  it('answers in the query to a client that asks for it explicitly', async () => {
    expect(await new Browser(server).get(authorizeUrl({ response_mode: 'query' }))).toMatchObject({ status: 200 });
  });

  it('accepts several resources, the one parameter that may repeat (RFC 8707 §2)', async () => {
    const url = `${authorizeUrl()}&resource=${ISSUER}/mcp&resource=${ISSUER}/api/v1`;
    expect(await new Browser(server).get(url)).toMatchObject({ status: 200 });
  });

  it('keeps the redirect URI’s own query on an error', async () => {
    const change = { client_id: 'outro agente', redirect_uri: 'https://outro.example/volta?a=1', scope: 'admin' };
    const { headers } = await new Browser(server).get(authorizeUrl(change));
    expect(Object.fromEntries(new URL(headers['location'] ?? '').searchParams)).toMatchObject({
      a: '1',
      error: 'invalid_scope',
      state: 'estado',
    });
  });

  it('shows pages that cannot be framed, cached or scripted by others (RFC 9700 §4.16)', async () => {
    const login = await new Browser(server).get(authorizeUrl());
    const [script = ''] = /<script.*?<\/script>/.exec(login.body) ?? [];
    expect(script).toMatch(/^<script type="module" src="\/assets\/page\.js\?v=[\w-]+"><\/script>$/);
    expect(login.headers['content-security-policy']).toContain("script-src 'self'; connect-src 'none'");
    for (const page of [{ ...login, body: login.body.replace(script, '') }, await reachConsent(new Browser(server))]) {
      expect(page.headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
      expect(page.headers).toMatchObject({
        'x-frame-options': 'DENY',
        'cache-control': 'no-store',
        'referrer-policy': 'same-origin',
      });
      expect(page.body).not.toMatch(/<script|<style| style=| on[a-z]+=|javascript:/i);
      expect(page.body).toContain('<html lang="pt-BR">');
    }
  });
});

describe('the forms', () => {
  it('contain an id and a CSRF token, and nothing of the request', async () => {
    const consent = await reachConsent(new Browser(server));
    expect(Object.keys(formTo(consent, '/oauth/consent').fields)).toEqual(['request', 'csrf']);
  });

  it('cannot change the request: parameters sent with the form are ignored', async () => {
    const browser = new Browser(server);
    const consent = await reachConsent(browser, { scope: 'catalog:read' });
    const more = {
      decision: 'approve',
      scope: 'payment:execute',
      redirect_uri: 'https://evil.example',
      client_id: 'outro agente',
    };
    const back = locationOf(await browser.post(formTo(consent, '/oauth/consent'), more));
    expect(`${back.origin}${back.pathname}`).toBe(CALLBACK);
  });

  it.each(['', 'Approve', 'yes', 'true', 'allow'])('do not accept decision=%j as consent', async (decision) => {
    const browser = new Browser(server);
    const form = formTo(await reachConsent(browser), '/oauth/consent');
    expect((await browser.post(form, { decision })).status).toBe(400);
    expect((await browser.post(form, { decision: 'approve' })).status).toBe(303);
  });

  it('are decided once', async () => {
    const browser = new Browser(server);
    const form = formTo(await reachConsent(browser), '/oauth/consent');
    const answers = await Promise.all([1, 2, 3].map(() => browser.post(form, { decision: 'approve' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 400, 400]);
  });

  it('are worthless after a quarter of an hour', async () => {
    const browser = new Browser(server);
    const form = formTo(await reachConsent(browser), '/oauth/consent');
    server.clock.advance(15 * 60_000);
    expect((await browser.post(form, { decision: 'approve' })).status).toBe(400);
  });

  it.each<[string, Fields]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['an opaque origin', { origin: 'null' }],
    ['another name of this host', { origin: 'http://localhost:3000' }],
  ])('are refused from %s (RFC 6749 §10.12)', async (_, headers) => {
    const browser = new Browser(server);
    const form = formTo(await reachConsent(browser), '/oauth/consent');
    const sent = await browser.post(form, { decision: 'approve' }, headers as Record<string, string>);
    expect(sent.status).toBe(403);
    expect(sent.headers).not.toHaveProperty('location');
  });

  it.each(['/oauth/login', '/oauth/consent', '/oauth/logout'])(
    'are refused at %s without their CSRF token (RFC 6749 §10.12)',
    async (action) => {
      const browser = new Browser(server);
      const { fields } = formTo(await reachConsent(browser), '/oauth/consent');
      for (const csrf of ['', 'x', fields['csrf']?.replace(/^./, (first) => (first === '-' ? '_' : '-')) ?? '']) {
        const more = { csrf, decision: 'approve', username: 'ana@example.com', password: PASSWORD };
        expect((await browser.post({ action, fields }, more)).status).toBe(403);
      }
    },
  );

  it('of one browser are worthless in another (login CSRF)', async () => {
    const evil = formTo(await new Browser(server).get(authorizeUrl()), '/oauth/login');
    const victim = new Browser(server);
    await victim.get(authorizeUrl());
    expect((await victim.post(evil, { username: 'bruno@example.com', password: PASSWORD })).status).toBe(403);
  });

  it('cannot be decided by a bearer token', async () => {
    const { access } = await newTokens(server);
    const form = formTo(await reachConsent(new Browser(server)), '/oauth/consent');
    const sent = await new Browser(server).post(form, { decision: 'approve' }, { authorization: `Bearer ${access}` });
    expect(sent.status).toBe(403);
  });
});

describe('the session', () => {
  it('begins under a new id at login, whatever id the browser had (session fixation)', async () => {
    const browser = new Browser(server);
    await browser.get(authorizeUrl());
    const planted = browser.cookies.get('alcada_session') ?? '';
    await reachConsent(browser);
    expect(browser.cookies.get('alcada_session')).not.toBe(planted);
    const attacker = new Browser(server);
    attacker.cookies.set('alcada_session', planted);
    expect((await attacker.get(authorizeUrl())).body).toContain('name="password"');
  });

  it('is over after "Sair", even for somebody who kept its cookie', async () => {
    const browser = new Browser(server);
    const consent = await reachConsent(browser);
    const kept = browser.cookies.get('alcada_session') ?? '';
    await browser.post(formTo(consent, '/oauth/logout'));
    const thief = new Browser(server);
    thief.cookies.set('alcada_session', kept);
    expect((await thief.get(authorizeUrl())).body).toContain('name="password"');
  });
});
