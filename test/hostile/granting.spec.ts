import { type Answer, type Api, Browser } from '#agent';
import { agentAt, ANA, BRUNO, PILOT } from '../support/agent.js';
import { addAuditor, CLARA as AUDITOR } from '../support/auditor.js';
import type { List, Mandate, Refused } from '../support/answers.js';
import { CHALLENGED_CARD, challengeIn, loggedIn } from '../support/challenge.js';
import { agentWith, reachConsent, type Traveller } from '../support/consent.js';
import { bodyOf, book, brl, buy, GOOD_CARD, grant, mandateNow, order, TRIP_PRICE } from '../support/purchase.js';
import { letPass } from '../support/service.js';
import { ServiceUnderTest } from '../support/service-under-test.js';

/** Attacks on what a traveller grants: by the agent that asks, by another traveller, and by whoever is faster. */
const NAMES = ['clara', 'dora', 'eva', 'fabio', 'gil', 'hugo', 'iris', 'joana', 'karl', 'lina'] as const;
const [CLARA, DORA, EVA, FABIO, GIL, HUGO, IRIS, JOANA, KARL, LINA] = NAMES.map((name) => `${name}@example.com`);
const traveller = (email = ''): Traveller => ({ email, password: 'alcada-demo' });
const tested = new ServiceUnderTest({
  DEMO_TRAVELLERS: [ANA.email, BRUNO.email, CLARA, DORA, EVA, FABIO, GIL, HUGO, IRIS, JOANA, KARL, LINA].join(','),
  LIMIT_OPERATIONS: '0',
  LIMIT_LOGINS: '0',
  LIMIT_FORM_POSTS: '0',
  LIMIT_AUTHORIZATIONS: '0',
});

interface Asked extends Mandate {
  readonly approval: { readonly url: string };
}

const DETAIL = { type: 'payment_mandate', limit: brl(100_00), durationMinutes: 60 };
type Page = Awaited<ReturnType<Browser['open']>>;
const fieldIn = ({ html }: Page, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';
const mandatesOf = async (agent: Api): Promise<readonly Mandate[]> =>
  bodyOf(await agent.get<List<Mandate>>('/mandates'), 200).items;
const consentOf = (one: Traveller, details: readonly object[] = [DETAIL]) =>
  reachConsent(tested.origin, one, PILOT, details);

const askingAgent = (one: Traveller): Promise<Api> => agentWith({ mode: 'ask' }, tested.origin, one);
const ask = async (agent: Api, amount = 1000_00): Promise<Asked> => (await grant(agent, amount)) as Asked;
const approvalOf = (mandate: Asked, one: Traveller) => loggedIn(mandate.approval.url, one);

describe('a consent page', () => {
  let ana: Api;
  beforeAll(async () => {
    ana = await agentAt(tested.origin);
  });

  it('grants what was asked for when it was shown, whatever its form says of it now', async () => {
    const { browser, page, agentFrom } = await consentOf(ANA);
    const before = (await mandatesOf(ana)).length;
    const body = new URLSearchParams({
      csrf: fieldIn(page, 'csrf'),
      request: fieldIn(page, 'request'),
      decision: 'approve',
      authorization_details: JSON.stringify([{ ...DETAIL, limit: brl(9_000_00) }]),
      scope: 'catalog:read',
      'limit-2': '9.000,00',
      'duration-2': '7',
      'unit-2': 'days',
      'constraints-1': '{}',
      'currency-1': 'USD',
    });
    const back = await browser.open('/oauth/consent', { method: 'POST', body });
    const agent = await agentFrom(back);
    const [granted] = await mandatesOf(agent);
    expect(await mandatesOf(agent)).toHaveLength(before + 1);
    expect(granted).toMatchObject({ limit: brl(100_00), duration: { minutes: 60 } });
  });

  it('is about the request it was shown for: another one, with more in it, is not granted by its form', async () => {
    const [small, large] = [await consentOf(ANA), await consentOf(ANA, [{ ...DETAIL, limit: brl(9_000_00) }])];
    const before = (await mandatesOf(ana)).length;
    const swapped = new URLSearchParams({
      csrf: fieldIn(small.page, 'csrf'),
      request: fieldIn(large.page, 'request'),
      decision: 'approve',
    });
    for (const { browser } of [small, large])
      expect((await browser.open('/oauth/consent', { method: 'POST', body: swapped })).status).toBe(403);
    expect(await mandatesOf(ana)).toHaveLength(before);
  });

  it("is nobody else's: not by its address, nor by its form", async () => {
    const { page } = await consentOf(ANA);
    const before = (await mandatesOf(ana)).length;
    const { browser } = await loggedIn(`${tested.origin}/conta`, BRUNO);
    expect((await browser.submit(page, { decision: 'approve' })).status).toBe(403);
    const own = await browser.open(`/oauth/consent/${fieldIn(page, 'request')}`);
    expect(own.html).not.toContain(ANA.email);
    expect(await mandatesOf(ana)).toHaveLength(before);
  });

  it.each(['-1', '1e9', '99999999999999999999', '0x10', '1,2,3', '١٠٠', 'NaN', '100; 9000'])(
    'grants nothing for an amount like %s',
    async (amount) => {
      const before = (await mandatesOf(ana)).length;
      const { approve, page } = await consentOf(ANA);
      expect((await approve(page, { 'limit-1': amount })).status).toBe(422);
      expect(await mandatesOf(ana)).toHaveLength(before);
    },
  );

  it('is approved or refused, where both are sent at once: never both', async () => {
    const before = (await mandatesOf(ana)).length;
    const { browser, page } = await consentOf(ANA);
    const answers = await Promise.all(
      ['approve', 'deny', 'approve', 'deny'].map((decision) => browser.submit(page, { decision })),
    );
    const led = answers.filter(({ status }) => status === 0);
    expect(led).toHaveLength(1);
    const isGranted = led[0]?.url.searchParams.has('code') === true;
    expect(await mandatesOf(ana)).toHaveLength(before + (isGranted ? 1 : 0));
  });

  it('is reached by nobody who was logged in by the form of another browser (login CSRF)', async () => {
    const [attacker, victim] = [new Browser(tested.origin), new Browser(tested.origin)];
    const form = await attacker.open('/conta');
    await victim.open('/conta');
    const fields = { username: BRUNO.email, password: BRUNO.password };
    for (const origin of [tested.origin, 'https://evil.example'])
      expect((await victim.submit(form, fields, { origin })).status).toBe(403);
    expect((await victim.open('/conta')).html).toContain('name="password"');
  });

  it('and an approval page can be shown in no frame', async () => {
    const asked = await ask(await askingAgent(traveller(CLARA)));
    const { page: approval } = await approvalOf(asked, traveller(CLARA));
    for (const { status, headers } of [(await consentOf(ANA)).page, approval]) {
      expect([status, headers.get('content-security-policy')]).toEqual([
        200,
        expect.stringContaining("frame-ancestors 'none'"),
      ]);
    }
  });
});

describe('an agent that nobody registered', () => {
  const unregistered = async (...alsoTo: readonly string[]) => {
    const metadata = {
      client_name: 'Banco Azul',
      redirect_uris: [...alsoTo, 'http://127.0.0.1:8765/callback'],
      token_endpoint_auth_method: 'client_secret_basic',
    };
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${tested.origin}/oauth/register`, {
      method: 'POST',
      headers,
      body: JSON.stringify(metadata),
    });
    const { client_id: clientId, client_secret: secret } = (await answer.json()) as Record<string, string>;
    return { clientId: clientId ?? '', secret: secret ?? '' };
  };
  const opening = async (agent: Api, amount = 1_000_000_000) =>
    bodyOf(await agent.post<Mandate>('/mandates', { limit: brl(amount) }), 201).status;

  it('gets the R$ 1,00 that its page names, and nothing beside it, unless the traveller allows that on the page', async () => {
    const client = await unregistered();
    const one = { ...DETAIL, limit: brl(1_00) };
    const { page, approve, agentFrom } = await reachConsent(tested.origin, traveller(KARL), client, [one]);
    expect(page.html).toMatch(/Pode gastar no máximo <strong data-sum>R\$\u00a01,00<\/strong>/);
    const agent = await agentFrom(await approve(page, {}));
    expect(await mandatesOf(agent)).toMatchObject([{ limit: brl(1_00), status: 'valid' }]);
    expect(await opening(agent)).toBe('pending');
    const { id: bookingId } = await book(agent);
    const refused = await agent.post<Refused>('/orders', { bookingId, payment: GOOD_CARD });
    expect(refused).toMatchObject({ status: 422, body: { error: 'mandate_limit_exceeded' } });
  });

  it('is named by where its code went, and as unverified, on every page on which money is decided or shown', async () => {
    const client = await unregistered('https://www.bancoazul.example/cb');
    const { browser, page, approve, agentFrom } = await reachConsent(tested.origin, traveller(LINA), client);
    const agent = await agentFrom(await approve(page, { cap: '3.000,00', mode: 'agent' }));
    const mandate = await grant(agent, 2_000_00);
    await buy(agent, await book(agent), mandate);
    const booking = await book(agent);
    const waiting = await agent.post<Refused>('/orders', {
      bookingId: booking.id,
      mandateId: mandate.id,
      payment: CHALLENGED_CARD,
    });
    await browser.submit(await browser.open('/conta/limites'), { mode: 'ask' });
    const asked = await ask(agent, 1_00);
    const bought = bodyOf(await agent.get<List<{ readonly id: string }>>('/orders?status=paid'), 200).items[0]?.id;
    const own = `/conta/agentes/${client.clientId}`;
    const consequence = { ...(await browser.open('/conta/limites')) };
    const pages = [
      consequence,
      await browser.submit(consequence, { cap: '2.000,00' }),
      ...(await Promise.all(
        [
          '/conta',
          own,
          `${own}/revogar`,
          '/conta/mandatos',
          `/conta/mandatos/${mandate.id}`,
          `/conta/mandatos/${mandate.id}/reduzir`,
          `/conta/mandatos/${mandate.id}/revogar`,
          '/conta/pedidos',
          `/conta/pedidos/${bought}`,
          asked.approval.url,
          challengeIn(waiting).url,
        ].map((address) => browser.open(address)),
      )),
    ];
    for (const { url, status, html } of pages) {
      expect([url.pathname, status]).toEqual([url.pathname, 200]);
      expect([url.pathname, html]).toEqual([
        url.pathname,
        expect.stringContaining('Banco Azul (neste computador, não verificado)'),
      ]);
      expect(html).not.toContain('bancoazul.example');
    }
    await addAuditor(tested.service);
    const { browser: auditor, page: replay } = await loggedIn(
      `${tested.origin}/auditoria/mandatos/${mandate.id}`,
      AUDITOR,
    );
    const holder = /\/auditoria\/viajantes\/([^"]+)/.exec(replay.html)?.[1] ?? '';
    for (const { html } of [replay, await auditor.open(`/auditoria/agentes/${client.clientId}/viajantes/${holder}`)]) {
      expect(html).toContain('Banco Azul (neste computador, não verificado)');
      expect(html).not.toContain('bancoazul.example');
    }
    const { html: ofAll } = await auditor.open(`/auditoria/agentes/${client.clientId}`);
    expect(ofAll).toContain('Banco Azul (www.bancoazul.example, neste computador, não verificado)');
  });

  it('opens none by itself without a cap, whatever its page and the account say of it, and none above one', async () => {
    const client = await unregistered();
    const { browser, page, approve, agentFrom } = await reachConsent(tested.origin, traveller(KARL), client);
    const agent = await agentFrom(await approve(page, { mode: 'agent', 'cap-choice': '', cap: '' }));
    expect(await opening(agent)).toBe('pending');
    const own = async (fields: Readonly<Record<string, string>>) => {
      const account = await browser.open('/conta/limites');
      const [, form = ''] = account.html.split(`action="/conta/agentes/${client.clientId}/limite"`);
      const html = `<form action="/conta/agentes/${client.clientId}/limite">${form}`;
      return browser.submit({ ...account, html }, fields);
    };
    await own({ cap: '10,00' });
    expect(await opening(agent, 10_00)).toBe('valid');
    expect((await agent.post<Refused>('/mandates', { limit: brl(1) })).body.error).toBe('mandate_cap_exceeded');
    await own({ cap: '' });
    expect(await opening(agent, 1)).toBe('pending');
  });
});

describe('a mandate that is asked for', () => {
  it('is one under its key: another body under it is refused, and asks nobody', async () => {
    const agent = await askingAgent(traveller(DORA));
    const send = (amount: number): Promise<Answer<Mandate & Refused>> =>
      agent.call('POST', '/mandates', { limit: brl(amount) }, { 'idempotency-key': 'uma-chave' });
    const [first] = [bodyOf(await send(100_00), 201)];
    expect(await send(9_000_00)).toMatchObject({ status: 422, body: { error: 'idempotency_conflict' } });
    const again = await Promise.all([send(100_00), send(100_00)]);
    for (const { body } of again) expect(body).toMatchObject({ id: first.id, limit: brl(100_00) });
    expect(await mandatesOf(agent)).toHaveLength(1);
  });

  it('has two beside it, of twelve that are asked for at once', async () => {
    const agent = await askingAgent(traveller(EVA));
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, place) => agent.post<Mandate & Refused>('/mandates', { limit: brl(place + 1) })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(3).fill(201),
      ...Array<number>(9).fill(429),
    ]);
    expect(await mandatesOf(agent)).toHaveLength(3);
  });

  it('is granted or refused, where both are sent at once: what is refused pays nothing', async () => {
    const agent = await askingAgent(traveller(FABIO));
    for (let round = 0; round < 3; round += 1) {
      const asked = await ask(agent);
      const { browser, page } = await approvalOf(asked, traveller(FABIO));
      const booking = await book(agent);
      const [paid] = await Promise.all([
        order(agent, booking, asked),
        browser.submit(page, { decision: 'approve' }),
        agent.call('DELETE', `/mandates/${asked.id}`),
        browser.submit(page, { decision: 'approve', 'limit-1': '2.000,00' }),
      ]);
      const now = await mandateNow(agent, asked);
      const isPaid = paid.status === 201;
      expect(now).toMatchObject({ status: 'revoked', reserved: brl(0), consumed: brl(isPaid ? TRIP_PRICE : 0) });
      const late = await browser.submit(page, { decision: 'approve' });
      expect(late.html).not.toContain('name="decision"');
      expect((await mandateNow(agent, asked)).status).toBe('revoked');
      if (!isPaid) expect((await order(agent, booking, asked)).body).toMatchObject({ error: 'mandate_revoked' });
    }
  });

  it('is not granted by an answer that comes when it has lapsed, however it was shown', async () => {
    const agent = await askingAgent(traveller(GIL));
    const asked = await ask(agent);
    const { browser, page } = await approvalOf(asked, traveller(GIL));
    letPass(tested.service, 15 * 60_000);
    const late = await browser.submit(page, { decision: 'approve' });
    expect(late.html).not.toContain('Mandato permitido');
    expect((await mandateNow(agent, asked)).status).toBe('expired');
    expect((await order(agent, await book(agent), asked)).body).toMatchObject({ error: 'mandate_expired' });
  });

  it('is not granted any more once its agent was revoked, not even to a new consent', async () => {
    const agent = await askingAgent(traveller(HUGO));
    const asked = await ask(agent);
    const { browser, page } = await approvalOf(asked, traveller(HUGO));
    const end = await browser.open(`/conta/agentes/${PILOT.clientId}/revogar`);
    await browser.submit(end, {});
    const refused = await browser.submit(page, { decision: 'approve' });
    expect([refused.status, refused.html]).toEqual([422, expect.stringContaining('não está mais autorizado')]);
    const again = await agentAt(tested.origin, { traveller: traveller(HUGO) });
    expect((await mandateNow(again, asked)).status).not.toBe('valid');
    expect((await order(again, await book(again), asked)).status).toBe(409);
  });

  it('is granted under the cap as it is when it is answered, and beside what was opened meanwhile', async () => {
    const agent = await askingAgent(traveller(IRIS));
    const [first, second] = [await ask(agent, 600_00), await ask(agent, 600_00)];
    const { browser, page: account } = await loggedIn(`${tested.origin}/conta/limites`, traveller(IRIS));
    await browser.submit(account, { cap: '1.000' });
    const pages = [await browser.open(first.approval.url), await browser.open(second.approval.url)];
    const answers = await Promise.all(pages.map((page) => browser.submit(page, { decision: 'approve' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    const statuses = await Promise.all([first, second].map(async (one) => (await mandateNow(agent, one)).status));
    expect(statuses.sort()).toEqual(['pending', 'valid']);
  });

  it('opens nothing by itself where the traveller says so while requests are on their way', async () => {
    const agent = await agentWith({ mode: 'agent' }, tested.origin, traveller(JOANA));
    const { browser, page } = await loggedIn(`${tested.origin}/conta/limites`, traveller(JOANA));
    let isOver = false;
    const busy = Array.from({ length: 4 }, async () => {
      while (!isOver) await agent.post('/mandates', { limit: brl(1) });
    });
    await browser.submit(page, { mode: 'ask' });
    isOver = true;
    await Promise.all(busy);
    const types: string[] = [];
    for await (const { stream, type } of tested.service.dependencies.events.readAll(null))
      if (stream.startsWith('delegation-')) types.push(type);
    const asking = types.lastIndexOf('ApprovalModeSet');
    expect(types.slice(asking)).not.toContain('MandateOpened');
  });
});
