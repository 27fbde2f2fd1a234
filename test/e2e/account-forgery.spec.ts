import { Browser } from '#agent';
import { ANA, BRUNO, PILOT, tokensFor } from '../support/agent.js';
import type { Mandate, Order } from '../support/answers.js';
import { CHALLENGED_CARD, challengeIn, loggedIn } from '../support/challenge.js';
import { agentWith } from '../support/consent.js';
import { changesOf } from '../support/changes.js';
import { letPass, OTHER_AGENT } from '../support/service.js';
import { book, buy, grant, mandateNow, order, TRIP_PRICE } from '../support/purchase.js';
import { Setting } from '../support/setting.js';
import { delegations } from '#mandate';

type Page = Awaited<ReturnType<Browser['open']>>;

const setting = new Setting({ LIMIT_FORM_POSTS: '0', SMTP_URL: 'smtp://127.0.0.1:1' });
let bearer: string;
let mandate: Mandate;
/** One that waits for its traveller, and a payment that does. */
let asked: Mandate;
let challenge: string;
/** One that could be cancelled. */
let paid: Order;
let ana: Browser;
let overview: Page;
beforeAll(async () => {
  const every = ['catalog:read', 'booking:write', 'mandate:create', 'order:write', 'payment:execute', 'receipt:read'];
  bearer = `Bearer ${(await tokensFor(setting.origin, { scopes: every })).access_token}`;
  mandate = await grant(setting.ana, TRIP_PRICE);
  const waiting = await order(
    setting.ana,
    await book(setting.ana),
    await grant(setting.ana, TRIP_PRICE),
    CHALLENGED_CARD,
  );
  challenge = new URL(challengeIn(waiting).url).pathname;
  paid = await buy(setting.ana, await book(setting.ana), await grant(setting.ana, TRIP_PRICE));
  asked = await grant(await agentWith({ mode: 'ask' }, setting.origin, ANA, OTHER_AGENT), TRIP_PRICE);
});
beforeEach(async () => {
  ({ browser: ana, page: overview } = await loggedIn(`${setting.origin}/conta/limites`, ANA));
});

const csrfOf = ({ html }: Page, action: string): string => {
  const [form = ''] = new RegExp(`<form[^>]*action="${action}"[\\s\\S]*?</form>`).exec(html) ?? [];
  return /name="csrf" value="([^"]*)"/.exec(form)?.[1] ?? 'none';
};

const post = (browser: Browser, path: string, fields: Readonly<Record<string, string>>, headers = {}): Promise<Page> =>
  browser.open(path, { method: 'POST', body: new URLSearchParams(fields), headers });

const agentPath = (clientId: string) => `/conta/agentes/${clientId}`;

/** The deeds of a traveller (for payments: rule 10): where each form goes, on which page it stands, and what else it says. */
const deeds = () =>
  [
    { path: `${agentPath(PILOT.clientId)}/limite`, page: '/conta/limites', fields: { cap: '1' } },
    { path: `${agentPath(PILOT.clientId)}/revogar`, page: `${agentPath(PILOT.clientId)}/revogar`, fields: {} },
    { path: `/conta/mandatos/${mandate.id}/revogar`, page: `/conta/mandatos/${mandate.id}/revogar`, fields: {} },
    { path: `/conta/mandatos/${mandate.id}/pausar`, page: `/conta/mandatos/${mandate.id}`, fields: {} },
    {
      path: `/conta/mandatos/${mandate.id}/reduzir`,
      page: `/conta/mandatos/${mandate.id}/reduzir`,
      fields: { limit: '1' },
    },
    {
      path: `/conta/mandatos/${asked.id}/decidir`,
      page: `/conta/mandatos/${asked.id}/decidir`,
      fields: { decision: 'approve' },
    },
    { path: `${agentPath(PILOT.clientId)}/mandatos`, page: '/conta/limites', fields: { mode: 'ask' } },
    {
      path: `/conta/pedidos/${paid.id}/cancelar`,
      page: `/conta/pedidos/${paid.id}/cancelar`,
      fields: { cancellation: paid.id },
    },
    { path: '/conta/pausa', page: '/conta/pausa', fields: {} },
    { path: `/conta/decisoes/mandatos/${asked.id}`, page: '/conta', fields: { decision: 'approve' } },
    {
      path: `/conta/decisoes/pagamentos/${challenge.split('/').at(-1)}`,
      page: '/conta',
      fields: { decision: 'approve' },
    },
    { path: challenge, page: challenge, fields: { decision: 'approve' } },
    { path: '/conta/avisos/emails', page: '/conta/avisos', fields: { mails: 'off' } },
    { path: '/conta/avisos/lidos', page: '/conta/avisos', fields: { read: 'all' } },
  ] as const;
type DeedOf = ReturnType<typeof deeds>[number];

const own = async ({ path, page }: DeedOf, browser = ana) => csrfOf(await browser.open(page), path);

const ATTACKS: readonly (readonly [string, (deed: DeedOf) => Promise<Page>])[] = [
  ['without a CSRF token', ({ path, fields }) => post(ana, path, fields)],
  ['with a made-up CSRF token', ({ path, fields }) => post(ana, path, { ...fields, csrf: 'x'.repeat(43) })],
  [
    'with the CSRF token of the way out',
    ({ path, fields }) => post(ana, path, { ...fields, csrf: csrfOf(overview, '/oauth/logout') }),
  ],
  [
    'with the CSRF token of another agent',
    ({ path, fields }) =>
      post(ana, path, { ...fields, csrf: csrfOf(overview, `${agentPath(OTHER_AGENT.clientId)}/limite`) }),
  ],
  [
    'with the CSRF token of another of these forms',
    async (deed) => {
      const others = deeds().filter(({ page }) => page !== deed.page);
      const [other = deed] = others;
      return post(ana, deed.path, { ...deed.fields, csrf: await own(other) });
    },
  ],
  [
    'with the CSRF token of another session of the same holder',
    async (deed) => {
      const { browser } = await loggedIn(`${setting.origin}/conta`, ANA);
      return post(ana, deed.path, { ...deed.fields, csrf: await own(deed, browser) });
    },
  ],
  [
    'with the CSRF token of the session from before the login',
    async (deed) => {
      const browser = new Browser(setting.origin);
      const login = await browser.open(deed.page);
      await browser.submit(login, { username: ANA.email, password: ANA.password });
      return post(browser, deed.path, { ...deed.fields, csrf: csrfOf(login, '/oauth/login') });
    },
  ],
  [
    'from the browser of another traveller',
    async (deed) => {
      const { browser } = await loggedIn(`${setting.origin}/conta`, BRUNO);
      return post(browser, deed.path, { ...deed.fields, csrf: await own(deed) });
    },
  ],
  [
    'from another origin',
    async (deed) => post(ana, deed.path, { ...deed.fields, csrf: await own(deed) }, { origin: 'https://evil.example' }),
  ],
  [
    'from an opaque origin',
    async (deed) => post(ana, deed.path, { ...deed.fields, csrf: await own(deed) }, { origin: 'null' }),
  ],
  [
    'by a bearer token with all scopes',
    ({ path, fields }) => post(new Browser(setting.origin), path, fields, { authorization: bearer }),
  ],
  [
    'by a bearer token with all scopes and the CSRF token of the page',
    async (deed) =>
      post(
        new Browser(setting.origin),
        deed.path,
        { ...deed.fields, csrf: await own(deed) },
        { authorization: bearer },
      ),
  ],
  [
    'with the CSRF token twice',
    async (deed) => {
      const csrf = await own(deed);
      const body = new URLSearchParams([['csrf', csrf], ['csrf', csrf], ...Object.entries(deed.fields)]);
      return ana.open(deed.path, { method: 'POST', body });
    },
  ],
];

describe('a change that the traveller did not ask for', () => {
  it.each(ATTACKS)('is refused %s', async (_, attack) => {
    const { events } = await changesOf(setting.service, async () => {
      for (const deed of deeds()) expect([400, 403]).toContain((await attack(deed)).status);
    });
    expect(events).toEqual([]);
    expect((await mandateNow(setting.ana, mandate)).status).toBe('valid');
    expect((await mandateNow(setting.ana, asked)).status).toBe('pending');
  });

  it.each(['GET', 'HEAD'])('is not made by %s, whatever the address says', async (method) => {
    const { events } = await changesOf(setting.service, async () => {
      for (const { page } of deeds()) await ana.open(`${page}?cap=1&decision=approve&confirm=1`, { method });
    });
    expect(events).toEqual([]);
  });

  it('is not made of a cap or a decision that is sent twice', async () => {
    const { events } = await changesOf(setting.service, async () => {
      for (const deed of deeds()) {
        const [said] = Object.entries(deed.fields);
        if (!said) continue;
        const body = new URLSearchParams([['csrf', await own(deed)], said, said]);
        expect([deed.path, (await ana.open(deed.path, { method: 'POST', body })).status]).toEqual([deed.path, 400]);
      }
    });
    expect(events).toEqual([]);
  });
});

describe("what is another holder's", () => {
  it('reads like what nobody knows', async () => {
    const { id } = paid;
    const { browser } = await loggedIn(`${setting.origin}/conta`, BRUNO);
    const unknown = await browser.open(`/conta/pedidos/${crypto.randomUUID()}`);
    expect([unknown.status, unknown.html]).toEqual([404, expect.stringContaining('Página não encontrada')]);
    for (const path of [
      `/conta/pedidos/${id}`,
      '/conta/pedidos/x',
      `/conta/pedidos/${id}/cancelar`,
      '/conta/pedidos/x/cancelar',
      `/conta/mandatos/${mandate.id}`,
      `/conta/mandatos/${mandate.id}/revogar`,
      `/conta/mandatos/${mandate.id}/reduzir`,
      `/conta/mandatos/${asked.id}/decidir`,
      `/conta/mandatos/${crypto.randomUUID()}/decidir`,
      '/conta/mandatos/x/decidir',
      `/conta/mandatos/${crypto.randomUUID()}`,
      '/conta/mandatos/x/revogar',
      `${agentPath(OTHER_AGENT.clientId)}/revogar`,
      `${agentPath('ninguem')}/revogar`,
    ]) {
      const page = await browser.open(path);
      expect([path, page.status, page.html]).toEqual([path, 404, unknown.html]);
    }
    const nobodys = await browser.open(`/desafios/${crypto.randomUUID()}`);
    expect((await browser.open(challenge)).html).toBe(nobodys.html);
    let html = '';
    for (const tab of ['', '/viagens', '/agentes', '/limites']) html += (await browser.open(`/conta${tab}`)).html;
    for (const foreign of [mandate.id, id, OTHER_AGENT.clientId, ANA.email]) expect(html).not.toContain(foreign);
  });

  it('cannot be changed with a CSRF token of the own session for it', async () => {
    const { browser, page } = await loggedIn(`${setting.origin}/conta/mandatos/${mandate.id}/revogar`, BRUNO);
    expect(page.status).toBe(404);
    const { events } = await changesOf(setting.service, async () => {
      const forged = await post(browser, `/conta/mandatos/${mandate.id}/revogar`, {
        csrf: csrfOf(page, '/oauth/logout'),
        mandate_end: mandate.id,
      });
      expect(forged.status).toBe(403);
    });
    expect(events).toEqual([]);
  });

  it('is no delegation where the agent was never let in', async () => {
    const { aggregates } = setting.service.dependencies;
    const { browser } = await loggedIn(`${setting.origin}/conta`, BRUNO);
    await browser.open(`${agentPath('ninguem')}/revogar`);
    expect((await aggregates.load(delegations, { holder: 'x', clientId: 'ninguem' })).state.status).toBe('unknown');
  });
});

describe('a bearer token on the account pages', () => {
  it('logs nobody in', async () => {
    for (const path of ['/conta', `/conta/mandatos/${mandate.id}`, challenge]) {
      const shown = await new Browser(setting.origin).open(path, { headers: { authorization: bearer } });
      expect(shown.html).toContain('name="password"');
      expect(shown.html).not.toContain('Cliente piloto');
    }
  });

  it('is not looked at where a session is there', async () => {
    const other = await tokensFor(setting.origin, { traveller: BRUNO });
    for (const authorization of [`Bearer ${other.access_token}`, 'Bearer x', 'Basic YTpi']) {
      expect((await ana.open(challenge, { headers: { authorization } })).html).toContain('Aprovar este pagamento?');
    }
  });
});

describe('the login on the way to the page', () => {
  it.each([
    ['next', 'https://evil.example'],
    ['challenge', 'https://evil.example'],
    ['challenge', '//evil.example/x'],
    ['redirect_uri', 'https://evil.example'],
  ])('leads nowhere else by %s=%s', async (name, value) => {
    const browser = new Browser(setting.origin);
    const login = await browser.open(`${challenge}?${name}=${encodeURIComponent(value)}`);
    const fields = { csrf: csrfOf(login, '/oauth/login'), username: ANA.email, password: ANA.password };
    const body = new URLSearchParams({ challenge, ...fields, [name]: value });
    const after = await browser.open('/oauth/login', { method: 'POST', body });
    expect(after.url.origin).toBe(setting.origin);
    expect([challenge, '/oauth/login']).toContain(after.url.pathname);
  });
});

describe('a login of more than five minutes ago', () => {
  it('decides nothing but what stops agents: the other forms ask for the password again', async () => {
    letPass(setting.service, 5 * 60_000 + 1);
    const stopping: readonly string[] = ['/conta/pausa', '/conta/avisos/lidos'];
    const again: unknown = expect.stringContaining('nada foi decidido ainda');
    const { events } = await changesOf(setting.service, async () => {
      for (const deed of deeds().filter(({ path }) => !stopping.includes(path))) {
        const { html } = await post(ana, deed.path, { ...deed.fields, csrf: await own(deed) });
        expect([deed.path, html]).toEqual([deed.path, again]);
      }
    });
    expect(events).toEqual([]);
    const paused = await ana.press(await ana.open('/conta/pausa'), '/conta/pausa');
    expect(paused.html).toContain('<strong>Tudo em pausa</strong>');
    expect((await ana.press(paused, '/conta/pausa/retomar')).html).toEqual(again);
  });
});
