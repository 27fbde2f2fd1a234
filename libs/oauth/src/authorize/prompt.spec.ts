import { capOf, delegations } from '#mandate';
import { Aggregates } from '#event-store';
import { money, RandomIds, SYSTEM } from '#kernel';
import { authorizeUrl, basic, callApi, codeFields, type Fields, locationOf, postToken } from '../testing/agent.js';
import { Browser, formTo } from '../testing/browser.js';
import type { Received } from '../testing/send.js';
import { startTestServer, type TestServer } from '../testing/test-server.js';
import { ISSUER, OTHER_CLIENT, PASSWORD, PUBLIC_CLIENT, testSettings } from '../testing/test-settings.js';

const HTTPS = 'https://outro.example/volta?a=1';
const LOOPBACK_CALLBACK = 'http://127.0.0.1:9000/volta';
/** A confidential client: its consents are remembered where the answer goes over https. */
const CONFIDENTIAL: Fields = { client_id: OTHER_CLIENT.clientId, redirect_uri: HTTPS };
const ANA = { username: 'ana@example.com', password: PASSWORD };

let server: TestServer;
let ana: Browser;
beforeAll(async () => {
  const { clients } = testSettings();
  const more = (uris: readonly string[]) => [...new Set([...uris, LOOPBACK_CALLBACK, HTTPS])];
  server = await startTestServer({
    clients: clients.map((client) => ({ ...client, redirectUris: more(client.redirectUris) })),
  });
});
beforeEach(() => {
  server.clock.advance(31 * 86_400_000); // whatever was remembered is forgotten, and nobody is logged in
  ana = new Browser(server);
});
afterAll(() => server.close());

const arrive = (change: Fields): Promise<Received> => ana.get(authorizeUrl(change));
const logIn = async (page: Received, who = ANA): Promise<Received> =>
  ana.get(locationOf(await ana.post(formTo(page, '/oauth/login'), who)).pathname);
const decide = async (page: Received, decision: 'approve' | 'deny', more: Readonly<Record<string, string>> = {}) =>
  locationOf(await ana.post(formTo(page, '/oauth/consent'), { decision, ...more })).searchParams;
const approve = async (change: Fields, more: Readonly<Record<string, string>> = {}): Promise<URLSearchParams> =>
  decide(await logIn(await arrive(change)), 'approve', more);

const aggregates = () => new Aggregates(server.eventStore, server.clock, new RandomIds());
const partyBehind = async (back: Received) => {
  const code = locationOf(back).searchParams.get('code') ?? '';
  const authorization = basic(OTHER_CLIENT.clientId, OTHER_CLIENT.secret);
  const { body } = await postToken(server, codeFields(code), { authorization });
  const { body: caller } = await callApi(server, `Bearer ${body['access_token'] ?? ''}`);
  return { holder: String(caller['holder']), clientId: OTHER_CLIENT.clientId };
};

const shown = ({ status, headers, body }: Received): string => {
  if (status === 200) return body.includes('name="password"') ? 'login' : 'consent';
  const answer = new URL(headers['location'] ?? '').searchParams;
  expect([answer.get('state'), answer.get('iss')]).toEqual(['estado', ISSUER]);
  return answer.has('code') ? 'code' : (answer.get('error') ?? '');
};

describe('prompt=none', () => {
  it('tells the client by redirect that nobody is logged in', async () => {
    expect(shown(await arrive({ prompt: 'none' }))).toBe('login_required');
  });

  it('tells the client by redirect that the traveller has to consent', async () => {
    await logIn(await arrive({}));
    expect(shown(await arrive({ prompt: 'none' }))).toBe('consent_required');
  });

  it('issues a code where everything was granted before', async () => {
    await approve(CONFIDENTIAL);
    const back = await arrive({ ...CONFIDENTIAL, prompt: 'none' });
    expect([shown(back), back.headers['cache-control']]).toEqual(['code', 'no-store']);
    expect((await partyBehind(back)).holder).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('a remembered consent from before order:write said that it cancels', () => {
  it.each([
    ['order:write', 'consent_required'],
    ['receipt:read', 'code'],
  ])('asks anew where that is asked for, and nowhere else: %s', async (scope, isShown) => {
    const none = { ...CONFIDENTIAL, scope, prompt: 'none' };
    await approve({ ...CONFIDENTIAL, scope });
    expect(shown(await arrive(none))).toBe('code');
    for (const { id, version, body } of await server.documents.scan<{ words?: number }>('consents', null, 100)) {
      const { words: _, ...earlier } = body;
      await server.documents.replace('consents', id, version, earlier);
    }
    expect(shown(await arrive(none))).toBe(isShown);
  });
});

describe('prompt=login', () => {
  it('asks the logged-in traveller for the password, and then continues', async () => {
    await logIn(await arrive({}));
    server.clock.advance(1);
    const page = await arrive({ prompt: 'login' });
    expect(shown(page)).toBe('login');
    expect(shown(await logIn(page))).toBe('consent');
  });

  it('cannot be skipped by sending the consent form from the earlier session', async () => {
    await logIn(await arrive({}));
    server.clock.advance(1);
    const { fields } = formTo(await arrive({ prompt: 'login' }), '/oauth/login');
    const sent = await ana.post({ action: '/oauth/consent', fields }, { decision: 'approve' });
    expect(shown(await ana.get(locationOf(sent).pathname))).toBe('login');
  });

  it('shows no consent page afterwards where everything was granted before', async () => {
    await approve(CONFIDENTIAL);
    server.clock.advance(1);
    expect(shown(await logIn(await arrive({ ...CONFIDENTIAL, prompt: 'login' })))).toBe('code');
  });
});

describe('max_age', () => {
  it.each([
    ['enough', '60', 'consent'],
    ['too little', '59', 'login'],
    ['nothing', '0', 'login'],
  ])('that is %s for a login of a minute ago', async (_, maxAge, page) => {
    await logIn(await arrive({}));
    server.clock.advance(60_000);
    expect(shown(await arrive({ max_age: maxAge }))).toBe(page);
  });

  it('with prompt=none tells the client that the login is too old', async () => {
    await approve(CONFIDENTIAL);
    server.clock.advance(60_000);
    expect(shown(await arrive({ ...CONFIDENTIAL, prompt: 'none', max_age: '59' }))).toBe('login_required');
  });
});

describe('a consent', () => {
  const scope = 'booking:write receipt:read';

  it('is remembered for what was granted, and for less', async () => {
    await approve({ ...CONFIDENTIAL, scope });
    expect(shown(await arrive({ ...CONFIDENTIAL, scope }))).toBe('code');
    expect(shown(await arrive({ ...CONFIDENTIAL, scope: 'receipt:read' }))).toBe('code');
    expect(shown(await arrive({ ...CONFIDENTIAL, scope, resource: `${ISSUER}/mcp` }))).toBe('code');
  });

  it('is requested again for any additional scope or resource', async () => {
    await approve({ ...CONFIDENTIAL, scope, resource: `${ISSUER}/mcp` });
    expect(shown(await arrive({ ...CONFIDENTIAL, scope, resource: `${ISSUER}/mcp` }))).toBe('code');
    expect(shown(await arrive({ ...CONFIDENTIAL, scope }))).toBe('consent');
    const wider = { ...CONFIDENTIAL, scope: `${scope} payment:execute`, resource: `${ISSUER}/mcp` };
    expect(shown(await arrive(wider))).toBe('consent');
  });

  it('is requested again where money is asked for, which it never covers', async () => {
    await approve({ ...CONFIDENTIAL, scope: 'booking:write payment:execute order:write' });
    const detail = { type: 'payment_mandate', limit: money(500_00, 'BRL'), durationMinutes: 60 };
    const request = { ...CONFIDENTIAL, scope: 'booking:write', authorization_details: JSON.stringify([detail]) };
    expect(shown(await arrive(request))).toBe('consent');
    expect(shown(await arrive({ ...request, prompt: 'none' }))).toBe('consent_required');
  });

  it('is requested again by prompt=consent; a refusal then forgets it', async () => {
    await approve(CONFIDENTIAL);
    const page = await arrive({ ...CONFIDENTIAL, prompt: 'consent' });
    expect(shown(page)).toBe('consent');
    expect((await decide(page, 'deny')).get('error')).toBe('access_denied');
    expect(shown(await arrive(CONFIDENTIAL))).toBe('consent');
  });

  it('replaces the one before it', async () => {
    await approve({ ...CONFIDENTIAL, scope });
    await decide(await arrive({ ...CONFIDENTIAL, scope: 'receipt:read', prompt: 'consent' }), 'approve');
    expect(shown(await arrive({ ...CONFIDENTIAL, scope: 'receipt:read' }))).toBe('code');
    expect(shown(await arrive({ ...CONFIDENTIAL, scope }))).toBe('consent');
  });

  it.each<[string, Fields]>([
    ['the pilot, whose secret is published', { redirect_uri: HTTPS }],
    ['a public client, which anybody can pose as', { client_id: PUBLIC_CLIENT, redirect_uri: HTTPS }],
    ['an answer over http', { ...CONFIDENTIAL, redirect_uri: LOOPBACK_CALLBACK }],
  ])('is never remembered for %s (RFC 6749 §10.2)', async (_, change) => {
    await approve(change);
    expect(shown(await arrive(change))).toBe('consent');
    expect(shown(await arrive({ ...change, prompt: 'none' }))).toBe('consent_required');
  });

  it('belongs to one traveller: another is asked', async () => {
    await approve(CONFIDENTIAL);
    server.clock.advance(1);
    const page = await arrive({ ...CONFIDENTIAL, prompt: 'login' });
    expect(shown(await logIn(page, { ...ANA, username: 'bruno@example.com' }))).toBe('consent');
  });

  it('is remembered for thirty days', async () => {
    await approve(CONFIDENTIAL);
    server.clock.advance(30 * 86_400_000 - 1);
    expect(shown(await logIn(await arrive(CONFIDENTIAL)))).toBe('code');
    server.clock.advance(1);
    expect(shown(await arrive(CONFIDENTIAL))).toBe('consent');
  });

  it('that is remembered leaves the cap and who opens mandates as they are', async () => {
    await approve(CONFIDENTIAL, { cap: '500', mode: 'ask' });
    const party = await partyBehind(await arrive(CONFIDENTIAL));
    const { state } = await aggregates().load(delegations, party);
    expect(capOf(state)?.limit).toEqual(money(500_00, 'BRL'));
    expect(state).toMatchObject({ asksFirst: true });
  });

  it('is requested again once the agent is revoked, whatever is still remembered', async () => {
    await approve(CONFIDENTIAL);
    const party = await partyBehind(await arrive(CONFIDENTIAL));
    const context = { actor: SYSTEM, correlationId: 'r', causationId: 'r' };
    await aggregates().handle(delegations, party, { type: 'RevokeAgent' }, context);
    expect(shown(await arrive({ ...CONFIDENTIAL, prompt: 'none' }))).toBe('consent_required');
    expect(shown(await arrive(CONFIDENTIAL))).toBe('consent');
  });
});
