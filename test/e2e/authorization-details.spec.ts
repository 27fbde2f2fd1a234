import * as oauth from 'oauth4webapi';
import { type Api, Browser } from '#agent';
import { agentAt, ANA, apiAt, BRUNO, PILOT } from '../support/agent.js';
import type { List, Mandate, Refused } from '../support/answers.js';
import { loggedIn } from '../support/challenge.js';
import type { Traveller } from '../support/consent.js';
import { bodyOf, book, brl, buy, grant, order, TRIP_PRICE } from '../support/purchase.js';
import { failNextAppend, letPass } from '../support/service.js';
import { ServiceUnderTest } from '../support/service-under-test.js';

const CALLBACK = 'http://127.0.0.1:8765/callback';
const SCOPE = 'booking:write order:write payment:execute mandate:create';
const INSECURE = { [oauth.allowInsecureRequests]: true };
const CLIENT = { client_id: PILOT.clientId };
const BASIC = oauth.ClientSecretBasic(PILOT.secret);

interface Detail {
  readonly type: string;
  readonly mandateId: string;
  readonly limit: { readonly amount: number };
}

const DORA = { email: 'dora@example.com', password: 'alcada-demo' };
const EVA = { email: 'eva@example.com', password: 'alcada-demo' };
const OPEN = 30;

const tested = new ServiceUnderTest({
  DEMO_TRAVELLERS:
    'ana@example.com,bruno@example.com,clara@example.com,dora@example.com,eva@example.com,flavia@example.com,gabriel@example.com,heitor@example.com',
  LIMIT_OPEN_MANDATES: String(OPEN),
});
let as: oauth.AuthorizationServer;
beforeAll(async () => {
  const found = await oauth.discoveryRequest(new URL(tested.origin), { algorithm: 'oauth2', ...INSECURE });
  as = await oauth.processDiscoveryResponse(new URL(tested.origin), found);
});

const DETAIL = { type: 'payment_mandate', limit: brl(700_00), durationMinutes: 60 };

/** The traveller's browser before the answer to a request with these details, and how their agent goes on from there. */
const asked = async (
  details: unknown,
  { traveller = ANA, prompt, scope = SCOPE }: { traveller?: Traveller; prompt?: string; scope?: string } = {},
) => {
  const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
  const url = new URL(as.authorization_endpoint ?? '');
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: PILOT.clientId,
    redirect_uri: CALLBACK,
    scope,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    authorization_details: typeof details === 'string' ? details : JSON.stringify(details),
    ...(prompt !== undefined && { prompt }),
  }).toString();
  const browser = new Browser(tested.origin);
  const first = await browser.open(url);
  const isLogin = first.html.includes('name="password"');
  const { email: username, password } = traveller;
  const page = isLogin ? await browser.submit(first, { username, password }) : first;
  const tokensFrom = async ({ url: back }: { readonly url: URL }): Promise<oauth.TokenEndpointResponse> => {
    const answer = oauth.validateAuthResponse(as, CLIENT, back, state);
    const sent = await oauth.authorizationCodeGrantRequest(as, CLIENT, BASIC, answer, CALLBACK, verifier, INSECURE);
    return oauth.processAuthorizationCodeResponse(as, CLIENT, sent);
  };
  return { browser, page, tokensFrom, approve: (more = {}) => browser.submit(page, { decision: 'approve', ...more }) };
};

const detailsOf = ({ authorization_details: details = [] }: oauth.TokenEndpointResponse) =>
  details as unknown as readonly Detail[];
const mandatesOf = async (agent: Api): Promise<readonly Mandate[]> =>
  bodyOf(await agent.get<List<Mandate>>('/mandates'), 200).items;
let ana: Api;
beforeEach(async () => {
  ana = await agentAt(tested.origin);
});

/** Sends what a page from before the last deploy sends, which had amounts to choose from and told nothing of its button. */
const sentByOlderPage = (browser: Browser, { html }: { readonly html: string }, fields: Record<string, string>) => {
  const hidden = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  const known = hidden.slice(0, 2).map(([, name = '', value = '']): [string, string] => [name, value]);
  const body = new URLSearchParams([...known, ...Object.entries(fields)]);
  return browser.open('/oauth/consent', { method: 'POST', body });
};

describe('authorization details (RFC 9396)', () => {
  it('are advertised, with a schema that pages of any origin may read', async () => {
    expect(as['authorization_details_types_supported']).toEqual(['payment_mandate']);
    const { payment_mandate: url } = as['authorization_details_schemas'] as unknown as { payment_mandate: string };
    const answer = await fetch(url);
    expect(answer.headers.get('content-type')).toMatch('application/schema+json');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(await answer.json()).toMatchObject({ $id: url, required: ['limit', 'type'], additionalProperties: false });
    const openApi = await (await fetch(`${tested.origin}/api/v1/openapi.json`)).text();
    expect(openApi.includes('/oauth/schemas/payment_mandate.json')).toBe(true);
  });

  it('lead to a mandate that the traveller narrowed on the page, and its token buys with it', async () => {
    const constraints = { to: ['CNF'], maxOrders: 1 };
    const purpose = 'Reunião em Belo Horizonte';
    const { page, approve, tokensFrom } = await asked([{ ...DETAIL, constraints, purpose }]);
    for (const part of ['700,00', 'Só voos para Belo Horizonte (CNF)', 'em <strong>uma compra</strong>', purpose])
      expect(page.html).toContain(part);
    const tokens = await tokensFrom(await approve({ 'limit-1': '300', 'duration-1': '30', 'unit-1': 'minutes' }));
    const granted = { type: 'payment_mandate', limit: brl(300_00), durationMinutes: 30, constraints, purpose };
    expect(detailsOf(tokens)).toEqual([
      { ...granted, scope: ['order:write', 'payment:execute'], mandateId: expect.any(String) },
    ]);
    const [{ mandateId } = { mandateId: '' }] = detailsOf(tokens);
    const agent = apiAt(tested.origin, tokens.access_token);
    const mandate = bodyOf(await agent.get<Mandate>(`/mandates/${mandateId}`), 200);
    expect(mandate).toMatchObject({ grantedBy: 'traveller', limit: brl(300_00), duration: { minutes: 30 } });
    await buy(agent, await book(agent), mandate);
    const second = await order(agent, await book(agent), mandate);
    expect(second).toMatchObject({ status: 422, body: { error: 'mandate_constraint_violated' } });

    const told = await oauth.introspectionRequest(as, CLIENT, BASIC, tokens.access_token, INSECURE);
    expect(await oauth.processIntrospectionResponse(as, CLIENT, told)).toMatchObject({
      authorization_details: [{ mandateId, limit: brl(300_00) }],
    });
    const renewed = await oauth.refreshTokenGrantRequest(as, CLIENT, BASIC, tokens.refresh_token ?? '', INSECURE);
    const before = await mandatesOf(agent);
    expect(detailsOf(await oauth.processRefreshTokenResponse(as, CLIENT, renewed))).toEqual(detailsOf(tokens));
    expect(await mandatesOf(agent)).toHaveLength(before.length);
  });

  it('of several mandates give several', async () => {
    const usd = { ...DETAIL, limit: { amount: 5_00, currency: 'USD' }, durationMinutes: 1_440 };
    const { approve, tokensFrom } = await asked([DETAIL, usd]);
    const tokens = await tokensFrom(await approve({ 'limit-2': '4' }));
    expect(detailsOf(tokens).map(({ limit }) => limit)).toEqual([brl(700_00), { amount: 4_00, currency: 'USD' }]);
  });

  it('are raised only by what the traveller writes', async () => {
    const { approve, tokensFrom } = await asked([DETAIL]);
    const [granted] = detailsOf(await tokensFrom(await approve({ 'limit-1': '800,50', 'duration-1': '2' })));
    expect(granted).toMatchObject({ limit: brl(800_50), durationMinutes: 120 });
  });

  it('are lowered by a choice, which is kept where another entry is wrong', async () => {
    const { browser, page, tokensFrom } = await asked([DETAIL]);
    const chosen = { decision: 'approve', 'limit-1-choice': '500,00', 'limit-1': '' };
    const wrong = { ...chosen, 'duration-1': 'muito', 'cap-choice': '2.500,00' };
    const again = await sentByOlderPage(browser, page, wrong);
    const checked = [...again.html.matchAll(/type="radio" name="([^"]*)" value="([^"]*)" checked/g)];
    expect(checked.map(([, ...pair]) => pair)).toEqual([
      ['mode', 'agent'],
      ['cap-choice', '2.500,00'],
    ]);
    expect(again.html).toMatch(/name="limit-1"\s+value="500,00"/);
    const [granted] = detailsOf(
      await tokensFrom(await sentByOlderPage(browser, again, { ...chosen, 'duration-1': '1' })),
    );
    expect(granted).toMatchObject({ limit: brl(500_00), durationMinutes: 60 });
  });

  it.each(['900,00', '350', 'muito'])(
    'are asked for again where one amount is chosen and %s is typed beside it, as what is typed',
    async (typed) => {
      const { browser, page, tokensFrom } = await asked([DETAIL]);
      const before = await mandatesOf(ana);
      const sent = { decision: 'approve', 'limit-1-choice': '700,00', 'limit-1': typed };
      const again = await sentByOlderPage(browser, page, sent);
      expect([again.status, again.html]).toEqual([422, expect.stringContaining('outra opção marcada')]);
      expect(again.html).toMatch(new RegExp(`name="limit-1"\\s+value="${typed}"`));
      expect(await mandatesOf(ana)).toHaveLength(before.length);
      const empty = await sentByOlderPage(browser, again, { ...sent, 'limit-1': '' });
      expect(detailsOf(await tokensFrom(empty))).toMatchObject([{ limit: brl(700_00) }]);
    },
  );

  it('open nothing else by themselves: what an agent that is new, or was revoked, wants beside them, it asks for', async () => {
    const traveller = { email: 'flavia@example.com', password: 'alcada-demo' };
    const further = async ({ approve, tokensFrom }: Awaited<ReturnType<typeof asked>>, fields = {}) => {
      const { access_token: token } = await tokensFrom(await approve(fields));
      return bodyOf(await apiAt(tested.origin, token).post<Mandate>('/mandates', { limit: brl(1_000_000_00) }), 201);
    };
    const modeOn = ({ html }: { readonly html: string }) => /name="mode" value="(\w+)" checked/.exec(html)?.[1];
    const first = await asked([DETAIL], { traveller });
    expect(modeOn(first.page)).toBe('ask');
    expect((await further(first)).status).toBe('pending');
    const allowed = await asked([DETAIL], { traveller });
    expect((await further(allowed, { mode: 'agent' })).status).toBe('valid');
    const known = await asked([DETAIL], { traveller });
    expect([modeOn(known.page), known.page.html]).toEqual([
      'agent',
      expect.stringContaining('Hoje: ele decide sozinho, sem limite total.'),
    ]);
    expect((await further(known)).status).toBe('valid');
    const end = await known.browser.open(`/conta/agentes/${PILOT.clientId}/revogar`);
    await known.browser.submit(end, {});
    const again = await asked([DETAIL], { traveller });
    expect(modeOn(again.page)).toBe('ask');
    expect((await further(again)).status).toBe('pending');
  });

  it('say beside the button what can be spent at most in all, by currency', async () => {
    const traveller = { email: 'gabriel@example.com', password: 'alcada-demo' };
    const said = ({ html }: { readonly html: string }) => {
      const [, sentence = ''] = /<p\s+class="at-most"([\s\S]*?)<button/.exec(html) ?? [];
      const shown = [...sentence.matchAll(/<span data-when="[^"]*"\s*>([\s\S]*?)<\/span/g)];
      return shown.map(([, text = '']) => text.replace(/<[^>]*>/g, '').replace(/[ \n]+/g, ' '));
    };
    const usd = { ...DETAIL, limit: { amount: 5_00, currency: 'USD' } };
    const first = await asked([DETAIL, DETAIL, usd], { traveller });
    expect(said(first.page)).toEqual(['Pode gastar no máximo R$\u00a01.400,00 e US$\u00a05,00 ao todo.']);
    const wrong = { 'duration-1': 'x' };
    expect(said(await first.approve({ ...wrong, mode: 'agent' }))).toEqual([
      'Aqui, só até o teto autorizado; em outras compras, pode gastar sem limite.',
    ]);
    expect(said(await first.approve({ ...wrong, mode: 'agent', 'cap-choice': '500,00' }))).toEqual([
      'Pode gastar no máximo R$\u00a0500,00 ao todo.',
    ]);
    await first.tokensFrom(await first.approve({ 'limit-3': '1' }));
    const second = await asked([DETAIL], { traveller });
    expect(said(second.page)).toEqual([
      'Pode gastar no máximo R$\u00a02.100,00 e US$\u00a01,00 ao todo, com o que você já autorizou.',
    ]);
    await second.tokensFrom(await second.approve({ mode: 'agent' }));
    // The grants from before go on, and may open what this request may not.
    const third = await asked([DETAIL], { traveller, scope: 'order:write payment:execute' });
    expect(said(third.page)).toEqual(['Aqui, só até o teto autorizado; em outras compras, pode gastar sem limite.']);
    expect(third.page.html).toContain('Hoje: ele decide sozinho, sem limite total.');
    expect(said(await third.approve({ ...wrong, mode: 'ask' }))).toEqual([
      expect.stringContaining('Pode gastar no máximo R$\u00a02.800,00 e US$\u00a01,00 ao todo'),
    ]);
  });

  it('always ask the traveller, also where prompt=none allows no page', async () => {
    const { page } = await asked([DETAIL], { prompt: 'none' });
    expect(page.url.searchParams.get('error')).toMatch(/login_required|consent_required/);
  });

  it.each([
    ['no JSON', '[{'],
    ['no list', DETAIL],
    ['an empty list', []],
    ['six', Array(6).fill(DETAIL)],
    ['an unknown type', [{ ...DETAIL, type: 'payment_initiation' }]],
    ['no type', [{ limit: DETAIL.limit }]],
    ['an unknown member', [{ ...DETAIL, holder: 'bruno' }]],
    ['an id of its own', [{ ...DETAIL, mandateId: 'x' }]],
    ['no limit', [{ type: DETAIL.type }]],
    ['a wrong limit', [{ ...DETAIL, limit: brl(0) }]],
    ['an unknown constraint', [{ ...DETAIL, constraints: { airline: 'AL' } }]],
    ['a price in another currency', [{ ...DETAIL, constraints: { maxPricePerSeat: { amount: 1, currency: 'USD' } } }]],
    ['a purpose of two lines', [{ ...DETAIL, purpose: 'a\nb' }]],
    ['a purpose that is too long', [{ ...DETAIL, purpose: 'a'.repeat(141) }]],
    ['a purpose of letters that look like nothing', [{ ...DETAIL, purpose: '\u3164'.repeat(140) }]],
    ['a purpose of empty signs', [{ ...DETAIL, purpose: `Recife${'\u2800'.repeat(40)}` }]],
    ['a purpose of wide blanks', [{ ...DETAIL, purpose: '\u3000' }]],
    ['a purpose of piled-up marks', [{ ...DETAIL, purpose: `a${'\u0336'.repeat(139)}` }]],
    ['what would turn the text around', [{ ...DETAIL, purpose: 'abc\u202ecba' }]],
  ])('with %s are refused to the client, and ask nobody', async (_, details) => {
    const { page } = await asked(details);
    expect([page.status, page.url.searchParams.get('error')]).toEqual([0, 'invalid_authorization_details']);
  });

  it.each([
    { 'limit-1': 'muito' },
    { 'limit-1': '0' },
    { 'duration-1': '8', 'unit-1': 'days' },
    { 'unit-1': 'séculos' },
    { 'unit-1': 'constructor' },
  ])('ask again where %j is no amount or duration, and grant nothing', async (fields) => {
    const before = await mandatesOf(ana);
    const { approve } = await asked([DETAIL]);
    const again = await approve(fields);
    expect([again.status, again.html]).toEqual([422, expect.stringContaining('Não entendemos o valor ou o prazo')]);
    expect(await mandatesOf(ana)).toHaveLength(before.length);
  });

  it('must fit under the cap, the one in force or the one of the same page', async () => {
    const clara = { email: 'clara@example.com', password: 'alcada-demo' };
    const { browser, page, tokensFrom, approve } = await asked([DETAIL], { traveller: clara });
    const tooLow = await approve({ cap: '500' });
    expect([tooLow.status, tooLow.html]).toEqual([422, expect.stringContaining('não cabe no limite total')]);
    const lower = await browser.submit(page, { decision: 'approve', cap: '500', 'limit-1': '500' });
    expect(detailsOf(await tokensFrom(lower))).toMatchObject([{ limit: brl(500_00) }]);
    const next = await asked([{ ...DETAIL, limit: brl(1) }], { traveller: clara });
    expect((await next.approve()).status).toBe(422);
  });

  it('survive the page that names what a cap ends, as they were lowered', async () => {
    const traveller = BRUNO;
    const first = await asked([DETAIL], { traveller });
    await first.tokensFrom(await first.approve());
    const { browser, approve, tokensFrom } = await asked([DETAIL], { traveller });
    const lowered = { 'limit-1': '100', 'duration-1': '10', 'unit-1': 'minutes' };
    const confirm = await approve({ cap: '600', mode: 'ask', ...lowered });
    expect(confirm.html).toContain('Autorizar com este limite?');
    expect(confirm.html).toMatch(/Pode gastar no máximo <strong data-sum>R\$\u00a0100,00<\/strong>/);
    const tokens = await tokensFrom(await browser.submit(confirm, { decision: 'approve' }));
    expect(detailsOf(tokens)).toMatchObject([{ limit: brl(100_00), durationMinutes: 10 }]);
    const next = await apiAt(tested.origin, tokens.access_token).post<Mandate>('/mandates', { limit: brl(1) });
    expect(bodyOf(next, 201).status).toBe('pending');
  });

  it('are answered once, however often the page is sent', async () => {
    const before = (await mandatesOf(ana)).length;
    const { page, browser, tokensFrom } = await asked([DETAIL]);
    const answers = await Promise.all(
      ['100', '200', '300'].map((limit) => browser.submit(page, { decision: 'approve', 'limit-1': limit })),
    );
    const back = answers.filter(({ status }) => status === 0);
    expect(back).toHaveLength(1);
    const tokens = await tokensFrom(back[0] ?? page);
    expect(detailsOf(tokens)).toHaveLength(1);
    expect(await mandatesOf(ana)).toHaveLength(before + 1);
    expect((await browser.submit(page, { decision: 'approve' })).status).toBe(400);
  });

  it('are carried out by a retry after a failure, also under a cap that has no room for them twice', async () => {
    const { page, browser, tokensFrom, approve } = await asked([DETAIL], { traveller: DORA });
    failNextAppend(tested.service, 'mandate-');
    expect((await approve({ cap: '700', mode: 'ask' })).status).toBe(503);
    const sent = { decision: 'approve', mode: 'ask' };
    const more = await browser.submit(page, { ...sent, cap: '800', 'limit-1': '800' });
    const less = await browser.submit(page, { ...sent, cap: '700', 'limit-1': '600' });
    const alone = await browser.submit(page, { decision: 'approve', cap: '700', mode: 'agent' });
    expect([more.status, less.status, alone.status]).toEqual([400, 400, 400]); // none is what was approved
    const tokens = await tokensFrom(await approve({ cap: '700', mode: 'ask' }));
    expect(detailsOf(tokens)).toMatchObject([{ limit: brl(700_00) }]);
    const agent = apiAt(tested.origin, tokens.access_token);
    expect(await mandatesOf(agent)).toMatchObject([{ status: 'valid', grantedBy: 'traveller' }]);
    expect(bodyOf(await agent.post<Refused>('/mandates', { limit: brl(1) }), 422).error).toBe('mandate_cap_exceeded');
    const { page: account } = await loggedIn(`${tested.origin}/conta/limites`, DORA);
    expect(account.html).toContain('Pergunta a você antes de cada compra');
  });

  it('that no longer fit beside what another consent granted meanwhile leave nothing of theirs, and say so', async () => {
    const traveller = { email: 'heitor@example.com', password: 'alcada-demo' };
    const first = await asked([{ ...DETAIL, limit: brl(1) }], { traveller });
    const tokens = await first.tokensFrom(await first.approve({ cap: '1.000,00' }));
    const agent = apiAt(tested.origin, tokens.access_token);
    const open = async () => (await mandatesOf(agent)).filter(({ status }) => status === 'valid');
    const rivals = await Promise.all([1, 2, 3, 4].map(() => asked([DETAIL], { traveller })));
    const answers = await Promise.all(rivals.map(({ approve }) => approve()));
    expect(answers.filter(({ status }) => status === 0)).toHaveLength(1);
    for (const { status } of answers.filter((one) => one.status !== 0)) expect([409, 422]).toContain(status);
    expect((await open()).map(({ limit }) => limit.amount).sort()).toEqual([1, 700_00]);
    for (const [n, { approve }] of rivals.entries())
      if (answers[n]?.status === 409) expect((await approve()).status).toBe(400);
  });

  it('are granted all or none where the agent may have no more mandates open', async () => {
    const traveller = EVA;
    const agent = await agentAt(tested.origin, { traveller });
    for (let n = 0; n < OPEN - 1; n += 1) await grant(agent, 1);
    const { approve } = await asked([DETAIL, DETAIL], { traveller });
    const refused = await approve();
    expect([refused.status, refused.html]).toEqual([422, expect.stringContaining('tantos mandatos abertos')]);
    expect(await mandatesOf(agent)).toHaveLength(OPEN - 1);
  });

  it('are not granted in a login that is older than five minutes', async () => {
    const { approve } = await asked([DETAIL]);
    letPass(tested.service, 301_000);
    const again = await approve();
    expect([again.status, again.html]).toEqual([403, expect.stringContaining('name="password"')]);
  });

  it('say on the mandate who granted it and what for', async () => {
    const { approve, tokensFrom } = await asked([{ ...DETAIL, purpose: 'Visita aos avós' }]);
    const [{ mandateId } = { mandateId: '' }] = detailsOf(await tokensFrom(await approve()));
    const { page } = await loggedIn(`${tested.origin}/conta/mandatos/${mandateId}`, ANA);
    expect(page.html).toContain('Visita aos avós');
    expect(page.html).toContain('<dd>por você</dd>');
  });

  it('buy within what was granted, and nothing above', async () => {
    const { approve, tokensFrom } = await asked([{ ...DETAIL, limit: brl(TRIP_PRICE) }]);
    const tokens = await tokensFrom(await approve({ 'limit-1': '279,89' }));
    const agent = apiAt(tested.origin, tokens.access_token);
    const [{ mandateId } = { mandateId: '' }] = detailsOf(tokens);
    const mandate = bodyOf(await agent.get<Mandate>(`/mandates/${mandateId}`), 200);
    const refused = await order(agent, await book(agent), mandate);
    expect(refused).toMatchObject({ status: 422, body: { error: 'mandate_limit_exceeded' } });
  });
});
