import type { Api } from '#agent';
import { agentAt, ANA, BRUNO, PILOT } from '../support/agent.js';
import type { List, Mandate, Refused } from '../support/answers.js';
import { loggedIn } from '../support/challenge.js';
import { agentWith, type Traveller } from '../support/consent.js';
import { bodyOf, book, brl, buy, grant, mandateNow, order, TRIP_PRICE } from '../support/purchase.js';
import { failNextAppend, letPass } from '../support/service.js';
import { ServiceUnderTest } from '../support/service-under-test.js';

interface Asked extends Mandate {
  readonly approval: { readonly url: string; readonly expiresAt: string; readonly pollAfterSeconds: number };
}

const [CLARA, DORA, EVA] = ['clara', 'dora', 'eva'].map((name) => ({
  email: `${name}@example.com`,
  password: 'alcada-demo',
})) as [Traveller, Traveller, Traveller];
const tested = new ServiceUnderTest({
  DEMO_TRAVELLERS: [ANA, BRUNO, CLARA, DORA, EVA].map(({ email }) => email).join(','),
  RECOVERY_PAUSE_SECONDS: '3600', // its appends would meet what a case lets fail
});
let ana: Api;

const setMode = async (mode: 'ask' | 'agent', traveller: Traveller = ANA): Promise<void> => {
  const { browser, page } = await loggedIn(`${tested.origin}/conta/limites`, traveller);
  await browser.submit(page, { mode });
};

beforeEach(async () => {
  letPass(tested.service, 16 * 60_000); // whatever waited has lapsed
  ana = await agentAt(tested.origin);
  // The account's list may not have what the consent has just written.
  for (let html = ''; !html.includes('Pergunta a você antes de cada compra');) {
    ({ html } = (await loggedIn(`${tested.origin}/conta/limites`, ANA)).page);
    if (html.includes('Decide sozinho')) await setMode('ask');
  }
});

const ask = async (amount = 1000_00, more: object = {}): Promise<Asked> => (await grant(ana, amount, more)) as Asked;

const decide = async (mandate: Asked, values: Readonly<Record<string, string>>, traveller: Traveller = ANA) => {
  const { browser, page } = await loggedIn(mandate.approval.url, traveller);
  return browser.submit(page, values);
};

describe('an agent that asks first', () => {
  it('gets a mandate that waits, with the page of its traveller, and buys with it once it is allowed', async () => {
    const asked = await ask(1000_00, { durationMinutes: 30 });
    expect(asked).toMatchObject({
      status: 'pending',
      grantedBy: 'traveller',
      approval: { url: `${tested.origin}/conta/mandatos/${asked.id}/decidir`, pollAfterSeconds: 5 },
    });
    const booking = await book(ana);
    expect(await order(ana, booking, asked)).toMatchObject({ status: 409, body: { error: 'mandate_pending' } });
    const unnamed = await ana.post<Refused>('/orders', {
      bookingId: booking.id,
      payment: { cardNumber: '4', expiry: '1', cvc: '1' },
    });
    expect(unnamed.body.error).toBe('mandate_required');
    expect(bodyOf(await ana.get<List<Mandate>>('/mandates?status=pending'), 200).items).toHaveLength(1);

    letPass(tested.service, 60_000);
    const page = await decide(asked, {
      decision: 'approve',
      'limit-1': '300',
      'duration-1': '10',
      'unit-1': 'minutes',
    });
    expect(page.html).toContain('Mandato permitido, com teto de R$\u00a0300,00');
    const allowed = await mandateNow(ana, asked);
    expect(allowed).toMatchObject({ status: 'valid', limit: brl(300_00), duration: { minutes: 10 } });
    expect(allowed).not.toHaveProperty('approval');
    expect(Date.parse(allowed.duration.startsAt) - Date.parse(asked.duration.startsAt)).toBeGreaterThanOrEqual(60_000);
    await buy(ana, booking, allowed);
  });

  it('is asked for again where one amount is chosen and another is typed beside it', async () => {
    const asked = await ask(1000_00);
    const torn = { decision: 'approve', 'limit-1-choice': '1.000,00', 'limit-1': '350' };
    const { browser, page } = await loggedIn(asked.approval.url, ANA);
    expect(page.html).toContain('value="1.000,00" checked');
    const again = await browser.submit(page, torn);
    expect([again.status, again.html]).toEqual([422, expect.stringContaining('outra opção marcada')]);
    expect(again.html).toMatch(/name="limit-1-choice" value="typed" checked/);
    expect(await mandateNow(ana, asked)).toMatchObject({ status: 'pending', limit: brl(1000_00) });
    const typed = { decision: 'approve', 'limit-1-choice': 'typed', 'limit-1': '350' };
    expect((await browser.submit(again, typed)).html).toContain('Mandato permitido, com teto de R$\u00a0350,00');
  });

  it('is refused, and its mandate revoked', async () => {
    const asked = await ask();
    await decide(asked, { decision: 'deny' });
    expect((await mandateNow(ana, asked)).status).toBe('revoked');
    const { page } = await loggedIn(asked.approval.url, ANA);
    expect(page.url.pathname).toBe(`/conta/mandatos/${asked.id}`);
    expect(page.html).toContain('Você recusou: nada foi permitido, e nada foi gasto.');
    expect(page.html).toContain('Recusado por você');
    expect(page.html).not.toMatch(/[Rr]evogado|Encerrar|Disponível|Não gasto/);
  });

  it('says on its own page what is asked for and until when, and that nothing is there to be spent', async () => {
    const asked = await ask();
    const { page } = await loggedIn(`${tested.origin}/conta/mandatos/${asked.id}`, ANA);
    expect(page.html).toMatch(
      /quer gastar até R\$\u00a0[\d.,]+, por [^.]+\. Nada é gasto antes da\s+sua decisão: decida até <time/,
    );
    expect(page.html).not.toMatch(/Disponível|Vale de|<dt>Permitido|Pausar/);
  });

  it('is not narrowed while it waits: its page says how it is', async () => {
    const asked = await ask();
    const { browser, page } = await loggedIn(`${tested.origin}/conta/mandatos/${asked.id}/reduzir`, ANA);
    const after = await browser.submit(page, { limit: '1,00', end: '' });
    expect([after.status, after.url.pathname]).toEqual([200, `/conta/mandatos/${asked.id}`]);
  });

  it('tells all of several answers at once what was decided first', async () => {
    for (let round = 0; round < 3; round += 1) {
      const asked = await ask();
      const { browser, page } = await loggedIn(asked.approval.url, ANA);
      const more: Readonly<Record<string, string>> = { decision: 'approve', 'limit-1': '2' };
      const fields = [{ decision: 'approve' }, { decision: 'deny' }, more, { decision: 'deny' }];
      const answers = await Promise.all(fields.map((one) => browser.submit(page, one)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    }
  });

  it('has at most three that wait, and a place again once one is decided', async () => {
    const asked = [await ask(1), await ask(2), await ask(3)];
    const refused = await ana.post<Refused>('/mandates', { limit: brl(4) });
    expect(refused).toMatchObject({ status: 429, body: { error: 'rate_limited', details: { limit: 3 } } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const [first] = asked;
    if (first) expect((await ana.call<Mandate>('DELETE', `/mandates/${first.id}`)).body.status).toBe('revoked');
    await ask(5);
  });

  it('is answered once: a second answer changes nothing', async () => {
    const asked = await ask();
    const { browser, page } = await loggedIn(asked.approval.url, ANA);
    const amounts = ['100', '200', '300'];
    await Promise.all(amounts.map((amount) => browser.submit(page, { decision: 'approve', 'limit-1': amount })));
    const { limit, status } = await mandateNow(ana, asked);
    expect([status, amounts.map((amount) => Number(amount) * 100)]).toEqual([
      'valid',
      expect.arrayContaining([limit.amount]),
    ]);
    await browser.submit(page, { decision: 'approve', 'limit-1': '900' });
    expect((await mandateNow(ana, asked)).limit).toEqual(limit);
  });

  it('cannot answer itself, nor can another traveller', async () => {
    const asked = await ask();
    expect((await loggedIn(asked.approval.url, BRUNO)).page.status).toBe(404);
    const token = { authorization: 'Bearer x', 'content-type': 'application/x-www-form-urlencoded' };
    const sent = await fetch(asked.approval.url, { method: 'POST', body: 'decision=approve', headers: token });
    expect([400, 403]).toContain(sent.status);
    expect((await mandateNow(ana, asked)).status).toBe('pending');
  });

  it.each<Readonly<Record<string, string>>>([
    { 'limit-1': 'tudo' },
    { 'limit-1': '0' },
    { 'duration-1': '8', 'unit-1': 'days' },
  ])('waits on where its traveller writes %j', async (values) => {
    const asked = await ask();
    expect((await decide(asked, { decision: 'approve', ...values })).status).toBe(422);
    expect((await mandateNow(ana, asked)).status).toBe('pending');
  });

  it('opens mandates itself again when its traveller says so', async () => {
    await setMode('agent');
    expect(await grant(ana, TRIP_PRICE)).toMatchObject({ status: 'valid', grantedBy: 'agent' });
  });

  it('is made one, or none, by the choice on its consent page', async () => {
    const next = async (mode: string) => {
      const agent = await agentWith({ mode }, tested.origin, BRUNO);
      return bodyOf(await agent.post<Mandate>('/mandates', { limit: brl(1) }), 201).status;
    };
    expect([await next('ask'), await next('agent')]).toEqual(['pending', 'valid']);
  });

  it('stays one through a new consent', async () => {
    const again = await agentAt(tested.origin);
    expect(bodyOf(await again.post<Mandate>('/mandates', { limit: brl(1) }), 201).status).toBe('pending');
    expect((await loggedIn(`${tested.origin}/conta/limites`, ANA)).page.html).toContain(PILOT.clientId);
  });
});

describe('a mandate that its traveller allowed', () => {
  /** An agent of this traveller that asks, a mandate it asked for, and what its traveller does about both. */
  const askedOf = async (traveller: Traveller) => {
    const agent = await agentWith({ mode: 'ask' }, tested.origin, traveller);
    const asked = (await grant(agent, 1000_00)) as Asked;
    return {
      asked,
      open: () => loggedIn(asked.approval.url, traveller),
      now: () => mandateNow(agent, asked),
      setCap: async (cap: string) => {
        const { browser, page } = await loggedIn(`${tested.origin}/conta/limites`, traveller);
        await browser.submit(page, { cap });
      },
    };
  };

  it('is decided again where the cap has no room for it', async () => {
    const { open, now, setCap } = await askedOf(CLARA);
    await setCap('100');
    const { browser, page } = await open();
    const refused = await browser.submit(page, { decision: 'approve', 'limit-1': '300' });
    expect([refused.status, refused.html]).toEqual([422, expect.stringContaining('Permita menos')]);
    await browser.submit(refused, { decision: 'approve', 'limit-1': '100' });
    expect(await now()).toMatchObject({ status: 'valid', limit: brl(100_00) });
  });

  it.each([
    ['concluded, as it was allowed', DORA, 'approve', { status: 'valid', limit: brl(300_00) }],
    ['refused', EVA, 'deny', { status: 'revoked' }],
  ])('and that could not be carried out pays nothing until it is %s', async (_, traveller, decision, after) => {
    const { open, now, setCap } = await askedOf(traveller);
    const first = await open();
    failNextAppend(tested.service, 'delegation-');
    expect((await first.browser.submit(first.page, { decision: 'approve', 'limit-1': '300' })).status).toBe(503);
    await setCap('200');
    const { browser, page } = await open();
    expect(page.html).toMatch(/Você permitiu até <strong>R\$\u00a0300,00<\/strong>.*não foi concluído/s);
    expect(page.html).not.toContain('name="limit-1"');
    const refused = await first.browser.submit(first.page, { decision: 'approve', 'limit-1': '100' });
    expect([refused.status, refused.html]).toEqual([422, expect.stringContaining('não cabe mais no limite total')]);
    expect((await now()).status).toBe('pending');
    await setCap('');
    await browser.submit(page, { decision });
    expect(await now()).toMatchObject(after);
  });
});

describe('MANDATES=ask', () => {
  const strict = new ServiceUnderTest({ MANDATES: 'ask' });
  it('makes agents ask that are new to their traveller', async () => {
    const agent = await agentAt(strict.origin);
    expect(bodyOf(await agent.post<Mandate>('/mandates', { limit: brl(1) }), 201).status).toBe('pending');
  });

  it('gives way to what the traveller chooses on the consent page', async () => {
    const agent = await agentWith({ mode: 'agent' }, strict.origin, BRUNO);
    expect(bodyOf(await agent.post<Mandate>('/mandates', { limit: brl(1) }), 201).status).toBe('valid');
  });
});
