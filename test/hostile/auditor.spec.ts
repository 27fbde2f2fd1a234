import { openRegistry } from '#oauth';
import { authorizationUrl, Browser, discover, pkce } from '#agent';
import { ANA, PILOT, PURCHASE, tokensFor } from '../support/agent.js';
import type { Mandate } from '../support/answers.js';
import { addAuditor, CLARA, viewsIn } from '../support/auditor.js';
import type { Traveller } from '../support/consent.js';
import { grant } from '../support/purchase.js';
import { startServiceInMemory } from '../support/service.js';
import { agentAt } from '../support/agent.js';
import type { RunningApi } from '../../apps/api/src/start.js';

/** An agent whose registered name is an attack on whoever reads it. */
const NAME = '<img src=x onerror=alert(1)>"\'';
/** Ana is an auditor as well: two people to the service. */
const ANA_AS_AUDITOR: Traveller = { email: ANA.email, password: 'outra-senha-da-ana' };

let service: RunningApi;
let mandate: Mandate;
beforeAll(async () => {
  const environment = {
    LIMIT_LOGIN_FAILURES: '3',
    LIMIT_FORM_POSTS: '0',
    LIMIT_LOGINS: '0',
    TRUST_PROXY: '127.0.0.1',
    LIMIT_PUBLIC_READS: '0',
  };
  service = await startServiceInMemory(environment);
  const { clients } = await openRegistry(service.dependencies, service.dependencies.oauthSettings);
  const redirectUris = ['http://127.0.0.1:8765/callback'];
  const secret = (await clients.add({ clientId: 'evil', name: NAME, redirectUris, isPublic: false })) ?? '';
  await addAuditor(service);
  await addAuditor(service, ANA_AS_AUDITOR);
  mandate = await grant(await agentAt(service.origin, { client: { clientId: 'evil', secret } }), 500_00);
});
afterAll(() => service.stop());

const pages = () => [
  '/auditoria',
  '/auditoria/movimentos',
  '/auditoria/meses/2026-01',
  '/auditoria/meses/2026-01/linhas.csv',
  `/auditoria/busca?id=${mandate.id}`,
  `/auditoria/mandatos/${mandate.id}`,
  '/auditoria/agentes/evil',
];

const LOGINS = {
  auditor: { page: '/auditoria', action: '/auditoria/entrar', cookie: 'alcada_auditor' },
  traveller: { page: '/conta', action: '/oauth/login', cookie: 'alcada_session' },
} as const;

/** The hidden fields of the form that is sent to `action`; a page may have others beside it. */
const hiddenIn = (html: string, action: string): readonly [string, string][] => {
  const form = html.split('<form').find((one) => one.includes(`action="${action}"`)) ?? '';
  return [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
};

const post = (path: string, fields: readonly [string, string][], headers: Readonly<Record<string, string>> = {}) =>
  fetch(service.origin + path, {
    method: 'POST',
    body: new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])),
    redirect: 'manual',
    headers: { accept: 'text/html', origin: service.origin, ...headers },
  });

/** A login page as a browser without cookies gets it: the hidden fields of its form, and its session. */
const loginForm = async ({ page, action, cookie }: (typeof LOGINS)[keyof typeof LOGINS]) => {
  const answer = await fetch(service.origin + page, { headers: { accept: 'text/html' } });
  const [set = ''] = answer.headers.getSetCookie();
  return { hidden: hiddenIn(await answer.text(), action), cookie: `${cookie}=${idIn(set)}` };
};

const idIn = (set: string): string => /=([^;]*)/.exec(set)?.[1] ?? '';

const sessionOf = async (kind: keyof typeof LOGINS, { email, password }: Traveller): Promise<string> => {
  const { hidden, cookie } = await loginForm(LOGINS[kind]);
  const answer = await post(LOGINS[kind].action, [...hidden, ['username', email], ['password', password]], { cookie });
  expect(answer.status).toBe(303);
  return idIn(answer.headers.getSetCookie()[0] ?? '');
};

const shown = async (path: string, headers: Readonly<Record<string, string>>): Promise<string> =>
  (await new Browser(service.origin).open(path, { headers })).html;

describe('an auditor’s page', () => {
  it('is opened by no session of a traveller, under whatever name, and by no token', async () => {
    const before = (await viewsIn(service)).length;
    const id = await sessionOf('traveller', ANA);
    const { access_token: token } = await tokensFor(service.origin, { scopes: [...PURCHASE, 'catalog:read'] });
    const attempts: readonly Readonly<Record<string, string>>[] = [
      { cookie: `alcada_session=${id}` },
      { cookie: `alcada_auditor=${id}` },
      { cookie: `__Host-alcada_auditor=${id}` },
      { authorization: `Bearer ${token}` },
    ];
    for (const path of pages())
      for (const headers of attempts) {
        const html = await shown(path, headers);
        expect(html).toContain('action="/auditoria/entrar"');
        expect(html).not.toContain('R$');
      }
    expect(await viewsIn(service)).toHaveLength(before);
  });

  it('is opened by a traveller’s password no more than by a wrong one', async () => {
    const { hidden, cookie } = await loginForm(LOGINS.auditor);
    const fields: [string, string][] = [...hidden, ['username', ANA.email], ['password', ANA.password]];
    expect((await post('/auditoria/entrar', fields, { cookie })).status).toBe(403);
    const session = await sessionOf('auditor', ANA_AS_AUDITOR);
    expect(await shown('/auditoria', { cookie: `alcada_auditor=${session}` })).toContain('Procurar');
  });

  it('does not tell what there is by an id that is guessed, however it is written', async () => {
    const cookie = `alcada_auditor=${await sessionOf('auditor', CLARA)}`;
    const unknown = await shown(`/auditoria/mandatos/${crypto.randomUUID()}`, { cookie });
    expect(unknown).toContain('Nada encontrado');
    for (const path of [
      `/auditoria/mandatos/${mandate.id.toUpperCase()}`,
      '/auditoria/mandatos/x',
      `/auditoria/mandatos/${encodeURIComponent('../../conta')}`,
      `/auditoria/pedidos/${mandate.id}`,
      `/auditoria/reservas/${mandate.id}`,
      `/auditoria/viajantes/${mandate.id}`,
      '/auditoria/agentes/ninguem',
      '/auditoria/agentes/__proto__',
      '/auditoria/agentes/evil/viajantes/ana@example.com',
      `/auditoria/agentes/evil/viajantes/${crypto.randomUUID()}`,
      '/auditoria/viajantes/x?mandatos=x',
      '/auditoria/agentes/evil?viajantes=x',
    ]) {
      expect([path, await shown(path, { cookie })]).toEqual([path, unknown]);
    }
  });

  it('writes what an agent is called as text, and lets no script run but its own', async () => {
    const cookie = `alcada_auditor=${await sessionOf('auditor', CLARA)}`;
    for (const path of pages()) {
      const { html, headers } = await new Browser(service.origin).open(path, { headers: { cookie } });
      expect(html).not.toContain('<img');
      if (path.endsWith('.csv')) {
        expect([headers.get('content-disposition'), headers.get('cache-control')]).toEqual([
          'attachment; filename="cobrancas-e-recusas.csv"',
          'no-store',
        ]);
        continue;
      }
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; (script-src 'self'; |style-src)/);
      expect([headers.get('x-frame-options'), headers.get('cache-control')]).toEqual(['DENY', 'no-store']);
    }
    expect(await shown('/auditoria/agentes/evil', { cookie })).toContain('&lt;img src=x onerror=alert(1)&gt;');
  });
});

describe('an auditor’s session', () => {
  it('opens nothing of a traveller’s, and lets no agent in', async () => {
    const id = await sessionOf('auditor', ANA_AS_AUDITOR);
    const asked = { scopes: ['booking:write'], state: 'x', challenge: pkce().challenge };
    const registration = { ...PILOT, redirectUri: 'http://127.0.0.1:8765/callback' };
    const consent = authorizationUrl(await discover(service.origin), registration, asked);
    for (const path of ['/conta', '/conta/mandatos', `/conta/mandatos/${mandate.id}`, '/conta/pedidos', consent.href])
      for (const name of ['alcada_auditor', 'alcada_session', '__Host-alcada_session']) {
        const html = await shown(path, { cookie: `${name}=${id}` });
        expect(html).toContain('action="/oauth/login"');
        expect(html).not.toContain('R$');
      }
  });

  it('ends by no form but its own page’s', async () => {
    const id = await sessionOf('auditor', CLARA);
    const cookie = `alcada_auditor=${id}`;
    const travellers = `alcada_session=${await sessionOf('traveller', ANA)}`;
    const own = hiddenIn(await shown('/auditoria', { cookie }), '/auditoria/sair');
    const others = hiddenIn(await shown('/conta', { cookie: travellers }), '/oauth/logout');
    const forgeries: readonly [readonly [string, string][], Readonly<Record<string, string>>][] = [
      [[], { cookie }],
      [[['csrf', 'x'.repeat(43)]], { cookie }],
      [others.slice(-1), { cookie: `${cookie}; ${travellers}` }],
      [own, { cookie, origin: 'https://evil.example' }],
      [own, { cookie, origin: 'null' }],
      [own, { cookie: `alcada_session=${id}` }],
      [[...own, ...own], { cookie }],
    ];
    for (const [fields, headers] of forgeries)
      expect([400, 403]).toContain((await post('/auditoria/sair', fields, headers)).status);
    expect(await shown('/auditoria', { cookie })).toContain('Procurar');
    expect((await post('/auditoria/sair', own, { cookie })).status).toBe(303);
    expect(await shown('/auditoria', { cookie })).toContain('action="/auditoria/entrar"');
  });
});

describe('the auditors’ login', () => {
  it('takes no form of the travellers’ login, nor of another browser, and leads to no address', async () => {
    const mine = await loginForm(LOGINS.auditor);
    const travellers = await loginForm(LOGINS.traveller);
    const credentials: [string, string][] = [
      ['username', CLARA.email],
      ['password', CLARA.password],
    ];
    for (const [fields, cookie] of [
      [travellers.hidden, mine.cookie],
      [travellers.hidden, travellers.cookie],
      [mine.hidden, (await loginForm(LOGINS.auditor)).cookie],
      [[], mine.cookie],
    ] as const)
      expect((await post('/auditoria/entrar', [...fields, ...credentials], { cookie })).status).toBe(403);
    const forged: [string, string][] = [...mine.hidden, ['mandate', '//evil.example'], ...credentials];
    expect((await post('/auditoria/entrar', forged, { cookie: mine.cookie })).status).toBe(303);
  });

  it('is slowed down by failures, apart from the travellers’ with the same e-mail', async () => {
    const from = { 'x-forwarded-for': '192.0.2.7' };
    const attempt = async (kind: keyof typeof LOGINS, password: string): Promise<number> => {
      const { hidden, cookie } = await loginForm(LOGINS[kind]);
      const fields: [string, string][] = [...hidden, ['username', ANA.email], ['password', password]];
      return (await post(LOGINS[kind].action, fields, { cookie, ...from })).status;
    };
    for (let failures = 0; failures < 3; failures += 1) expect(await attempt('auditor', 'errada-errada')).toBe(403);
    // Right, and not even compared; a right one elsewhere does not forget these.
    expect(await attempt('traveller', ANA.password)).toBe(303);
    expect(await attempt('auditor', ANA_AS_AUDITOR.password)).toBe(429);
  });
});
