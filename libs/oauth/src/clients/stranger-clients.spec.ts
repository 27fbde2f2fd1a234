import { millisecondsOf } from '#kernel';
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { answerJson, type DocumentServer, internetOf, serveDocuments } from '../../../remote/src/testing/index.js';
import {
  approved,
  authorizeUrl,
  basic,
  callApi,
  codeFields,
  type Fields,
  newCode,
  postToken,
  reachConsent,
  refreshFields,
  verifier,
} from '../testing/agent.js';
import { Browser } from '../testing/browser.js';
import { send } from '../testing/send.js';
import { startTestServer, type TestServer } from '../testing/test-server.js';
import { CALLBACK, HOST, ISSUER } from '../testing/test-settings.js';
import { Clients } from './clients.js';

const DAY = 86_400_000;
const HOME = 'https://agente.example';
const SIGNING = { token_endpoint_auth_method: 'private_key_jwt' };

/** What the server of agente.example answers, by path: a document or a status; none: 404. */
const documents = new Map<string, object | number>();
let agent: DocumentServer;
let server: TestServer;
beforeAll(async () => {
  agent = await serveDocuments(({ url = '' }, response) => {
    const document = documents.get(url);
    if (typeof document === 'object') answerJson(response, document);
    else response.writeHead(document ?? 404).end();
  });
  const on = { metadataClients: true, dynamicRegistration: true };
  server = await startTestServer(on, {}, [], internetOf({ 'agente.example': agent.port }));
});
afterAll(async () => {
  await server.close();
  await agent.close();
});

let last = 0;
const published = (change: object = {}, at = `/agente-${(last += 1)}.json`): string => {
  const url = `${HOME}${at}`;
  documents.set(at, { client_id: url, client_name: 'Agente Longe', redirect_uris: [CALLBACK], ...change });
  return url;
};

const authorize = (clientId: string, redirectUri = CALLBACK) =>
  new Browser(server).get(authorizeUrl({ client_id: clientId, redirect_uri: redirectUri }));

const tokensOf = async (clientId: string) => {
  const code = await newCode(server, { client_id: clientId });
  return postToken(server, { ...codeFields(code), client_id: clientId }, {});
};
const refreshed = (clientId: string, refreshToken = '') =>
  postToken(server, { ...refreshFields(refreshToken), client_id: clientId }, {});

const register = async (metadata: unknown, from = server) => {
  const headers = { host: HOST, 'content-type': 'application/json' };
  const sent = { method: 'POST', path: '/oauth/register', headers, body: JSON.stringify(metadata) } as const;
  const { status, body } = await send(from.port, sent);
  return { status, body: JSON.parse(body) as Readonly<Record<string, string>> };
};

const STRANGER = {
  name: 'a',
  secretHash: null,
  redirectUris: [CALLBACK],
  pilot: false,
  registration: 'dynamic',
} as const;

describe('both ways of clients that nobody registered', () => {
  it('are named in the metadata where they are on', async () => {
    const { body } = await new Browser(server).get('/.well-known/oauth-authorization-server');
    expect(JSON.parse(body)).toMatchObject({
      client_id_metadata_document_supported: true,
      registration_endpoint: `${ISSUER}/oauth/register`,
    });
  });
});

describe('a client that is known by its document alone', () => {
  it('is let in by a traveller who sees where it comes from, and that nobody knows it', async () => {
    const clientId = published({ client_name: 'Agente <b>Longe</b>' });
    const { body } = await reachConsent(new Browser(server), { client_id: clientId });
    expect(body).toContain('Agente &lt;b&gt;Longe&lt;/b&gt;');
    expect(body).not.toContain('<b>Longe');
    expect(body).toContain('não verificado');
    expect(body).toContain('<strong>agente.example</strong>');
    expect(body).toContain(clientId);
    expect(body).toContain('programa neste computador');

    const { body: tokens } = await tokensOf(clientId);
    const { client_id: inside } = decodeJwt(tokens['access_token'] ?? '');
    expect(inside).toMatch(/^cimd-[\w-]{43}$/);
    expect(await callApi(server, `Bearer ${tokens['access_token'] ?? ''}`)).toMatchObject({ status: 200 });
    expect(await refreshed(clientId, tokens['refresh_token'])).toMatchObject({ status: 200 });
    // It goes by its address alone.
    expect(await authorize(String(inside))).toMatchObject({ status: 400 });
    expect(await refreshed(String(inside), tokens['refresh_token'])).toMatchObject({ status: 401 });
  });

  it('may sign what it sends, with a key of its document: an assertion of its address', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const clientId = published({
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [await exportJWK(publicKey)] },
    });
    const seconds = Math.floor(millisecondsOf(server.clock.now()) / 1_000);
    const signed = await new SignJWT({ iss: clientId, sub: clientId, aud: ISSUER, jti: 'um', exp: seconds + 60 })
      .setProtectedHeader({ alg: 'ES256' })
      .sign(privateKey);
    const assertion = {
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: signed,
    };
    const code = codeFields(await newCode(server, { client_id: clientId }));
    expect(await postToken(server, { ...code, client_id: clientId }, {})).toMatchObject({ status: 401 });
    expect(await postToken(server, { ...code, ...assertion }, {})).toMatchObject({ status: 200 });
  });

  it('may say where its keys are instead', async () => {
    expect(await authorize(published({ ...SIGNING, jwks_uri: `${HOME}/jwks` }))).toMatchObject({ status: 200 });
  });

  it('is asked about each time: nothing is remembered of it', async () => {
    const clientId = published({ redirect_uris: ['https://agente.example/volta'] });
    const change = { client_id: clientId, redirect_uri: 'https://agente.example/volta' };
    expect((await approved(server, change)).searchParams.get('code')).not.toBeNull();
    expect(await reachConsent(new Browser(server), change)).toMatchObject({ status: 200 });
  });

  it('shows a traveller which host the answer goes to, where it leaves this computer', async () => {
    const clientId = published({ redirect_uris: ['https://recebe.example/volta'] });
    const change = { client_id: clientId, redirect_uri: 'https://recebe.example/volta' };
    const { body } = await reachConsent(new Browser(server), change);
    expect(body).toContain('A resposta vai para <strong>recebe.example</strong>');
    expect(body).not.toContain('programa neste computador');
  });

  it.each<[what: string, change: object]>([
    ['of another client', { client_id: `${HOME}/outro.json` }],
    ['with a secret', { client_secret: 's' }],
    ['with a secret that expires', { client_secret_expires_at: 0 }],
    ['of a client with a secret', { token_endpoint_auth_method: 'client_secret_basic' }],
    ['of a client that signs, without keys', { token_endpoint_auth_method: 'private_key_jwt' }],
    ['of a client that signs, with keys in two places', { ...SIGNING, jwks: { keys: [] }, jwks_uri: `${HOME}/jwks` }],
    ...['http://127.0.0.1/jwks', `${HOME}/jwks#a`, 'https://a@agente.example/jwks', `${HOME}/${'a'.repeat(480)}`].map(
      (address): [string, object] => [`whose keys are at ${address}`, { ...SIGNING, jwks_uri: address }],
    ),
    ['without redirect URIs', { redirect_uris: [] }],
    ['with a redirect URI that anybody can read', { redirect_uris: [CALLBACK, 'http://agente.example/volta'] }],
    ['with a script for a redirect URI', { redirect_uris: [CALLBACK, 'javascript:alert(1)'] }],
    ['with a redirect URI of 501 characters', { redirect_uris: [CALLBACK, `${HOME}/${'a'.repeat(480)}`] }],
    ['with eleven redirect URIs', { redirect_uris: Array.from({ length: 11 }, () => CALLBACK) }],
    ['whose name turns the text around', { client_name: 'Agente \u202e' }],
    ['whose name is invisible', { client_name: 'Ag\u200bente' }],
    ['whose name has two lines', { client_name: 'Agente\nverificado' }],
    ['whose name is a blank letter', { client_name: '\u3164' }],
    ['whose name covers what is around it', { client_name: `a${'\u0336'.repeat(4)}` }],
    ...['\u034f', '\u17b4', '\u180b', '\ufe0f', '\u3000', '\u2800', '\u00a0\u00a0', '\u2d7f', '\u{1d159}'].map(
      (hidden): [string, object] => [`whose name hides ${JSON.stringify(hidden)}`, { client_name: `Alc${hidden}ada` }],
    ),
    ['whose name is too long', { client_name: 'a'.repeat(81) }],
    ['whose name is no text', { client_name: { pt: 'Agente' } }],
    ['without codes', { grant_types: ['client_credentials'] }],
    ['with another response', { response_types: ['token'] }],
  ])('is refused by a document %s', async (_, change) => {
    const clientId = published(change);
    const { status, body } = await authorize(clientId);
    expect(status).toBe(400);
    expect(body).toContain('ler o documento com que este aplicativo se apresenta');
  });

  it.each([
    `${HOME}/${'a'.repeat(480)}`,
    `${HOME}/a/../b.json`,
    `${HOME}:443/b.json`,
    'https://AGENTE.example/b.json',
    'https://agente.example./b.json',
    `${HOME}/%62.json`,
    `${HOME}/b.json#a`,
    HOME,
  ])('has an address in one spelling, without a fragment: not %s', async (clientId) => {
    const { pathname } = new URL(clientId);
    documents.set(pathname, { client_id: clientId, redirect_uris: [CALLBACK] });
    expect(await authorize(clientId)).toMatchObject({ status: 400 });
  });

  it('has its redirect URIs as they are written, but for the port of a loopback address', async () => {
    const clientId = published({
      redirect_uris: ['http://127.0.0.1/volta', 'http://localhost:1234/volta?a=1', 'https://agente.example/volta'],
    });
    for (const uri of [
      'http://127.0.0.1/volta',
      'http://127.0.0.1:50123/volta',
      'http://localhost:9/volta?a=1',
      'https://agente.example/volta',
    ]) {
      expect(await authorize(clientId, uri)).toMatchObject({ status: 200 });
    }
    for (const uri of [
      'http://127.0.0.1:50123/outra',
      'http://127.0.0.1:50123/volta?a=1',
      'http://127.0.0.1:80@mal.example/volta',
      'http://127.0.0.1:50123.mal.example/volta',
      'http://127.0.0.1:99999/volta',
      'http://[::1]:50123/volta',
      'https://127.0.0.1:50123/volta',
      'https://agente.example:8443/volta',
      'https://agente.example/volta/',
    ]) {
      expect(await authorize(clientId, uri)).toMatchObject({ status: 400 });
    }
    // Whom an operator registered is matched exactly.
    expect(await authorize('app-publico', CALLBACK.replace('8765', '8766'))).toMatchObject({ status: 400 });
  });

  it('is what its document says now, and keeps its grants when it changes', async () => {
    const clientId = published();
    const { body: tokens } = await tokensOf(clientId);
    published({ redirect_uris: ['https://agente.example/nova'] }, new URL(clientId).pathname);
    expect(await authorize(clientId)).toMatchObject({ status: 200 });
    server.clock.advance(600_000);
    expect(await authorize(clientId)).toMatchObject({ status: 400 });
    expect(await authorize(clientId, 'https://agente.example/nova')).toMatchObject({ status: 200 });
    expect(await refreshed(clientId, tokens['refresh_token'])).toMatchObject({ status: 200 });
  });

  it.each([
    ['is gone', undefined],
    ['is another client’s', { client_id: `${HOME}/outro.json`, redirect_uris: [CALLBACK] }],
  ])('is refused as soon as its document %s, until it is back', async (_, instead) => {
    const clientId = published();
    const { pathname } = new URL(clientId);
    const document = documents.get(pathname) ?? 404;
    const { body: tokens } = await tokensOf(clientId);
    if (instead) documents.set(pathname, instead);
    else documents.delete(pathname);
    server.clock.advance(600_000);
    const { status, body } = await refreshed(clientId, tokens['refresh_token']);
    expect([status, body['error']]).toEqual([401, 'invalid_client']);
    documents.set(pathname, document);
    server.clock.advance(600_000);
    expect(await refreshed(clientId, tokens['refresh_token'])).toMatchObject({ status: 200 });
  });

  it('is what its document said last for a day in which its host fails, and then refused until it answers', async () => {
    const clientId = published();
    const { pathname } = new URL(clientId);
    const document = documents.get(pathname);
    const { body: tokens } = await tokensOf(clientId);
    documents.set(pathname, 503);
    server.clock.advance(DAY - 1_000);
    const { status, body: fresh } = await refreshed(clientId, tokens['refresh_token']);
    expect(status).toBe(200);
    server.clock.advance(10_000);
    const { status: refused, body } = await refreshed(clientId, fresh['refresh_token']);
    expect([refused, body['error']]).toEqual([401, 'invalid_client']);
    expect(await authorize(clientId)).toMatchObject({ status: 400 });
    documents.set(pathname, document ?? {});
    server.clock.advance(10_000);
    expect(await refreshed(clientId, fresh['refresh_token'])).toMatchObject({ status: 200 });
  });

  it('is unknown where that is off', async () => {
    const off = await startTestServer({}, {}, [], internetOf({ 'agente.example': agent.port }));
    try {
      const asked = agent.asked.length;
      const clientId = published();
      expect(await new Browser(off).get(authorizeUrl({ client_id: clientId }))).toMatchObject({ status: 400 });
      expect(agent.asked).toHaveLength(asked);
      expect(await register({ redirect_uris: [CALLBACK] }, off)).toMatchObject({ status: 404 });
      const metadata = (await new Browser(off).get('/.well-known/oauth-authorization-server')).body;
      expect(metadata).not.toMatch(/client_id_metadata_document|registration_endpoint/);
    } finally {
      await off.close();
    }
  });
});

describe('a client that registers itself (RFC 7591)', () => {
  it('gets an id, and tokens once a traveller has let it in, who sees that nobody knows it', async () => {
    const { status, body } = await register({
      client_name: 'Agente Novo',
      redirect_uris: [CALLBACK],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: 'booking:write',
      logo_uri: 'https://mal.example/rastro.png',
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      client_id: expect.stringMatching(/^dcr-[0-9a-f-]{36}$/),
      client_id_issued_at: expect.any(Number),
      client_name: 'Agente Novo',
      redirect_uris: [CALLBACK],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    });
    const clientId = body['client_id'] ?? '';
    const page = (await reachConsent(new Browser(server), { client_id: clientId })).body;
    expect(page).toContain('não verificado');
    expect(page).toContain('se registrou sozinho');
    expect(page).not.toContain('mal.example');
    expect(await tokensOf(clientId)).toMatchObject({ status: 200 });
    expect(await authorize(clientId, CALLBACK.replace('8765', '50123'))).toMatchObject({ status: 200 });
  });

  it.each<[string, Fields]>([
    ['an unknown response type', { response_type: 'token' }],
    ['an unknown scope', { scope: 'tudo' }],
    ['no PKCE', { code_challenge: undefined }],
    ['no page allowed, and nobody logged in', { prompt: 'none' }],
  ])('sends nobody anywhere who has not seen where to: %s (RFC 9700 §4.11.2)', async (_, change) => {
    const phish = 'https://evil.example/phish';
    const { body } = await register({ redirect_uris: [phish] });
    const address = authorizeUrl({ client_id: body['client_id'], redirect_uri: phish, ...change });
    const page = await new Browser(server).get(address);
    expect([page.status, page.headers['location']]).toEqual([400, undefined]);
    expect(page.body).toContain('Voltar para evil.example');
    expect(page.body).toMatch(/href="https:\/\/evil\.example\/phish\?error=/);
  });

  it('gets a secret where it asks for one, and needs it then', async () => {
    const { body } = await register({ redirect_uris: [CALLBACK], token_endpoint_auth_method: 'client_secret_basic' });
    const { client_id: clientId = '', client_secret: secret = '' } = body;
    expect(body).toMatchObject({ client_name: 'Aplicativo sem nome', client_secret_expires_at: 0 });
    const code = await newCode(server, { client_id: clientId });
    const fields = { ...codeFields(code), code_verifier: verifier };
    expect(await postToken(server, { ...fields, client_id: clientId }, {})).toMatchObject({ status: 401 });
    const authorization = basic(clientId, secret);
    expect(await postToken(server, fields, { authorization })).toMatchObject({ status: 200 });
  });

  it('is held to what it demands of itself', async () => {
    const demands = { require_pushed_authorization_requests: true, dpop_bound_access_tokens: true };
    const { body } = await register({ redirect_uris: [CALLBACK], ...demands });
    expect(body).toMatchObject(demands);
    const refused = await authorize(body['client_id'] ?? '');
    expect([refused.status, refused.body]).toEqual([400, expect.stringContaining('invalid_request')]);
    const { body: bound } = await register({ redirect_uris: [CALLBACK], dpop_bound_access_tokens: true });
    expect(await tokensOf(bound['client_id'] ?? '')).toMatchObject({
      status: 400,
      body: { error: 'invalid_dpop_proof' },
    });
  });

  it.each<[metadata: unknown, error: string]>([
    [[], 'invalid_client_metadata'],
    [{}, 'invalid_client_metadata'],
    [{ redirect_uris: CALLBACK }, 'invalid_client_metadata'],
    [{ redirect_uris: ['http://mal.example/'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['https://mal.example/#a'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: [CALLBACK], token_endpoint_auth_method: 'tls_client_auth' }, 'invalid_client_metadata'],
    [{ redirect_uris: [CALLBACK], client_name: 'a\u0000b' }, 'invalid_client_metadata'],
  ])('is refused with %j', async (metadata, error) => {
    expect(await register(metadata)).toMatchObject({ status: 400, body: { error } });
  });

  it('is forgotten a day later if nobody lets it in, and after 90 days without use', async () => {
    const [{ body: alone }, { body: used }] = [
      await register({ redirect_uris: [CALLBACK] }),
      await register({ redirect_uris: [CALLBACK] }),
    ];
    await tokensOf(used['client_id'] ?? '');
    server.clock.advance(DAY);
    expect(await authorize(alone['client_id'] ?? '')).toMatchObject({ status: 400 });
    server.clock.advance(60 * DAY);
    expect(await authorize(used['client_id'] ?? '')).toMatchObject({ status: 200 });
    server.clock.advance(60 * DAY);
    expect(await authorize(used['client_id'] ?? '')).toMatchObject({ status: 200 });
    server.clock.advance(90 * DAY);
    expect(await authorize(used['client_id'] ?? '')).toMatchObject({ status: 400 });
  });

  it('does not fill the store with ten thousand others, nor does it drive out who was let in', async () => {
    const { body } = await register({ redirect_uris: [CALLBACK] });
    await tokensOf(body['client_id'] ?? '');
    const clients = new Clients(server.documents);
    const ids = Array.from({ length: 10_000 }, (_, client) => `dcr-${client}`);
    while (ids.length > 0) {
      const together = ids.splice(0, 250);
      await Promise.all(
        together.map((clientId) => clients.admit({ ...STRANGER, clientId }, server.clock.now(), clientId.slice(-2))),
      );
    }
    await clients.admit({ ...STRANGER, clientId: 'dcr-last' }, server.clock.now(), '');
    let known = 0;
    for await (const { askingSince } of clients.all()) known += askingSince === undefined ? 0 : 1;
    expect(known).toBeLessThanOrEqual(1_000);
    expect(known).toBeGreaterThan(0);
    expect(await authorize(body['client_id'] ?? '')).toMatchObject({ status: 200 });
  });

  it('drives out its own alone, however many come from one block', async () => {
    const clients = new Clients(server.documents);
    await clients.admit({ ...STRANGER, clientId: 'dcr-quiet' }, server.clock.now(), 'quiet');
    for (let from = 0; from < 1_100; from += 100) {
      server.clock.advance(1);
      const loud = Array.from({ length: 100 }, (_, at) => ({ ...STRANGER, clientId: `dcr-loud-${from + at}` }));
      await Promise.all(loud.map((client) => clients.admit(client, server.clock.now(), 'loud')));
    }
    server.clock.advance(1);
    await clients.admit({ ...STRANGER, clientId: 'dcr-late' }, server.clock.now(), 'late');
    const found = await Promise.all(
      ['quiet', 'late', 'loud-0', 'loud-1099'].map((name) => clients.find(`dcr-${name}`)),
    );
    expect(found.map((one) => one !== null)).toEqual([true, true, false, true]);
  });
});
