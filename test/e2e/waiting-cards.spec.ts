import type { Browser } from '#agent';
import { until } from '#testing';
import { agentAt, ANA, BRUNO, PILOT } from '../support/agent.js';
import type { Mandate, Order } from '../support/answers.js';
import { CHALLENGED_CARD, challengeIn, loggedIn } from '../support/challenge.js';
import { agentWith } from '../support/consent.js';
import { book, brl, buy, grant, mandateNow, order, TRIP_PRICE } from '../support/purchase.js';
import { letPass, OTHER_AGENT, registerOtherAgent, settled } from '../support/service.js';
import { ServiceUnderTest } from '../support/service-under-test.js';

const CAIO = { email: 'caio@example.com', password: ANA.password };
const tested = new ServiceUnderTest({ DEMO_TRAVELLERS: [ANA, BRUNO, CAIO].map(({ email }) => email).join() });
beforeAll(() => registerOtherAgent(tested.service));

const account = () => loggedIn(`${tested.origin}/conta`, ANA);
const textOf = ({ html }: { readonly html: string }) => html.replace(/<[^>]*>/g, ' ').replace(/[ \n]+/g, ' ');

describe('the line of the pages of an account', () => {
  /** What a browser hears on it. */
  const follow = async ({ cookie }: Pick<Browser, 'cookie'>, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(`${tested.origin}/conta/ao-vivo`, { headers: { cookie, ...headers } });
    const heard = { status: response.status, text: '', isOver: false };
    const read = async () => {
      const decoded: AsyncIterable<string> | undefined = response.body?.pipeThrough(new TextDecoderStream());
      for await (const part of decoded ?? []) heard.text += part;
      heard.isOver = true;
    };
    void read();
    return heard;
  };
  const wordsIn = ({ text }: { readonly text: string }) => text.split('data: novidade').length - 1;

  it('says that something of its traveller has changed once the page shows it, to nobody else, and ends with the login', async () => {
    const [ana, caio] = [await agentAt(tested.origin), await agentAt(tested.origin, { traveller: CAIO })];
    const [anas, caios] = [await account(), await loggedIn(`${tested.origin}/conta`, CAIO)];
    const mandate = await grant(ana, TRIP_PRICE + 1);
    await settled(tested.service);
    const [toAna, toCaio] = [await follow(anas.browser), await follow(caios.browser)];
    const { id } = await buy(ana, await book(ana), mandate);
    await until(() => wordsIn(toAna) > 0);
    expect((await anas.browser.open('/conta')).html).toContain(`href="/conta/pedidos/${id}"`);

    const before = wordsIn(toAna);
    expect((await order(ana, await book(ana), mandate)).status).toBe(422); // which no public event tells
    await until(() => wordsIn(toAna) > before);
    expect(textOf(await anas.browser.open('/conta'))).toContain('Recusada. O valor ultrapassa');
    expect([wordsIn(toCaio), (await follow({ cookie: '' })).status]).toEqual([0, 204]);
    expect((await follow(anas.browser, { origin: 'https://outro.example' })).status).toBe(204);
    await grant(caio, TRIP_PRICE);
    await until(() => wordsIn(toCaio) > 0);

    const { browser, page } = anas;
    const { cookie } = browser;
    await browser.press(page, '/oauth/logout');
    await until(() => toAna.isOver);
    expect([(await follow({ cookie })).status, toCaio.isOver]).toEqual([204, false]);
    await caios.browser.press(caios.page, '/oauth/logout');
    await until(() => toCaio.isOver);
  });
});

describe('what waits for a decision, in its card', () => {
  it('is decided there, in a login of the last five minutes that decides nothing itself', async () => {
    const ana = await agentAt(tested.origin);
    const mandate = await grant(ana, 1000_00);
    const { id } = challengeIn(await order(ana, await book(ana), mandate, CHALLENGED_CARD));
    await settled(tested.service);
    const { browser, page } = await account();
    for (const part of [
      'Aprovar pagamento de R$\u00a0279,90?',
      'Agente Cliente piloto',
      'Voo AL1201',
      'Passageiros 1 × R$\u00a0279,90',
      'Cartão Visa final 3220',
      'Teto de R$\u00a01.000,00; depois desta compra, R$\u00a0720,10 disponíveis',
      'Prazo para decidir',
    ])
      expect(textOf(page)).toContain(part);
    letPass(tested.service, 5 * 60_000 + 1);
    const login = await browser.submit(page, { decision: 'deny' });
    expect(textOf(login)).toContain('nada foi decidido ainda');
    const back = await browser.submit(login, { username: ANA.email, password: ANA.password });
    expect(back.url.pathname + back.url.hash).toBe(`/conta#espera-${id}`);
    expect(back.html).toContain(`id="espera-${id}"`);
    expect((await ana.get<Order>(`/orders/${id}`)).body.status).toBe('pending');
    expect(textOf(await browser.submit(back, { decision: 'deny' }))).toContain('Pagamento recusado');
    expect((await ana.get<Order>(`/orders/${id}`)).body.status).toBe('failed');
  });

  it('is a mandate, which is allowed as it was asked for, or refused', async () => {
    const asking = await agentWith({ mode: 'ask' }, tested.origin, ANA, OTHER_AGENT);
    for (const [decision, status, said] of [
      ['approve', 'valid', 'Mandato permitido.'],
      ['deny', 'revoked', 'não permitido'],
    ] as const) {
      const asked = await grant(asking, 2 * TRIP_PRICE, { constraints: { to: ['CNF'] } });
      await settled(tested.service);
      const { browser, page } = await account();
      expect(textOf(page)).toContain('Permitir gastar até R$\u00a0559,80?');
      expect(textOf(page)).toContain('Validade 1 hora a partir da sua decisão');
      expect(textOf(await browser.submit(page, { decision }))).toContain(said);
      expect(await mandateNow(asking, asked)).toMatchObject({ status, limit: brl(2 * TRIP_PRICE) });
    }
  });

  it('leads to its own page where the limit of the agent leaves no room for it', async () => {
    const asking = await agentWith({ mode: 'ask', cap: '600,00' }, tested.origin, CAIO, OTHER_AGENT);
    const asked = [await grant(asking, 2 * TRIP_PRICE), await grant(asking, 2 * TRIP_PRICE)];
    await settled(tested.service);
    for (const path of [/^\/conta\/mandatos\/[^/]*$/, /\/decidir$/]) {
      const { browser, page } = await loggedIn(`${tested.origin}/conta`, CAIO);
      expect((await browser.submit(page, { decision: 'approve' })).url.pathname).toMatch(path);
      await settled(tested.service);
    }
    const statuses = await Promise.all(asked.map(async (one) => (await mandateNow(asking, one)).status));
    expect(statuses.toSorted()).toEqual(['pending', 'valid']);
  });
});

describe('agents that never had a mandate', () => {
  it('are removed together after a day, those that the traveller leaves marked', async () => {
    const pilot = await agentWith({}, tested.origin, BRUNO);
    await agentWith({}, tested.origin, BRUNO, OTHER_AGENT);
    await settled(tested.service);
    const agents = async () => (await loggedIn(`${tested.origin}/conta/agentes`, BRUNO)).page.html;
    expect(await agents()).not.toContain('nunca tiveram um mandato');
    letPass(tested.service, 25 * 3_600_000);
    expect(await agents()).toContain('Remover agentes que nunca tiveram um mandato (2)…');
    const { browser, page } = await loggedIn(`${tested.origin}/conta/sem-uso`, BRUNO);
    expect([page.html.match(/type="checkbox"/g)?.length, textOf(page)]).toEqual([
      2,
      expect.stringContaining('Os acessos que eles têm param de valer na hora.'),
    ]);
    const after = await browser.submit(page, { 'agente-1': OTHER_AGENT.clientId });
    expect(textOf(after)).toMatch(/Pronto\. Só estes agentes podem .* Cliente piloto .* Agentes revogados/);
    expect((await browser.open('/conta/sem-uso')).html).toContain(PILOT.clientId);
    expect((await pilot.get<Mandate>('/mandates')).status).toBe(401); // its token is long over
  });
});
