import type { Api } from '#agent';
import { agentAt, ANA, BRUNO, PILOT } from '../support/agent.js';
import type { Mandate } from '../support/answers.js';
import { loggedIn } from '../support/challenge.js';
import { agentWith, type Traveller } from '../support/consent.js';
import { bodyOf, book, buy, grant, TRIP_PRICE } from '../support/purchase.js';
import { ServiceUnderTest } from '../support/service-under-test.js';

const CLARA = { email: 'clara@example.com', password: 'alcada-demo' };
const tested = new ServiceUnderTest({
  DEMO_TRAVELLERS: [ANA, BRUNO, CLARA].map(({ email }) => email).join(','),
});
const PATH = `/conta/agentes/${PILOT.clientId}`;

/** The page of the pilot, as text, and the mandates that it shows, in their order. */
const pageOf = async (traveller: Traveller, path = PATH) => {
  const { browser } = await loggedIn(`${tested.origin}/conta`, traveller);
  const page = await browser.open(path);
  const main = page.html.slice(page.html.indexOf('<main'));
  const shown = [...main.matchAll(/<article[^>]*aria-labelledby="m-([^"]*)"/g)].map(([, id]) => id);
  const next = /rel="next" href="([^"]*)"/.exec(main)?.[1]?.replaceAll('&amp;', '&');
  return { status: page.status, text: main.replace(/<[^>]*>/g, ' ').replace(/[ \n]+/g, ' '), shown, next };
};

let ana: Api;
beforeAll(async () => {
  ana = await agentAt(tested.origin);
});

describe("an agent's page in the account", () => {
  it('says what it was granted, by whom, when and for what, and what it bought with it', async () => {
    const terms = { constraints: { to: ['CNF'], maxOrders: 2 }, durationMinutes: 90 };
    const mandate = await grant(ana, 3 * TRIP_PRICE, terms);
    const before = await pageOf(ANA);
    expect(before.shown).toEqual([mandate.id]);
    for (const part of [
      'Voos para Belo Horizonte em vigor Pode gastar no máximo R$\u00a0839,70, até',
      'Ele o abriu, dentro do que você permite, em',
      'Condições Só voos para Belo Horizonte (CNF). No máximo 2 compras',
      'Gasto Nada',
    ])
      expect(before.text).toContain(part);
    const { id } = await buy(ana, await book(ana), mandate);
    await buy(ana, await book(ana), mandate);
    const { text } = await pageOf(ANA);
    expect(text).toContain('Gasto R$\u00a0559,80 em 2 compras');
    expect(text).toContain('Voos para Belo Horizonte esgotado Podia gastar no máximo R$\u00a0839,70');
    expect(text).toContain('Não gasto R$\u00a0279,90'); // both purchases are made: nobody can spend it
    expect(text.split('São Paulo → para Belo Horizonte comprada')).toHaveLength(3);

    const back = `/orders/${id}/cancellations`;
    const { id: quote, fee } = bodyOf(await ana.post<{ id: string; fee: { amount: number } }>(back), 201);
    bodyOf(await ana.post(`${back}/${quote}/confirm`), 200);
    const after = await pageOf(ANA);
    const kept = TRIP_PRICE + fee.amount;
    expect(after.text).toContain(
      `Gasto R$\u00a0${Math.floor(kept / 100)},${String(kept % 100).padStart(2, '0')} em uma compra`,
    );
    expect(after.text).toContain('São Paulo → para Belo Horizonte cancelada');
    expect(after.text).toContain('Voos para Belo Horizonte em vigor');
  });

  it('counts what was charged beyond the orders that it lists, and leads to the statement of all', async () => {
    const agent = await agentWith({}, tested.origin, BRUNO);
    const mandate = await grant(agent, 7 * TRIP_PRICE);
    for (let n = 0; n < 7; n += 1) await buy(agent, await book(agent), mandate);
    const { text } = await pageOf(BRUNO);
    expect(text).toContain('em 7 compras');
    expect(text.split('São Paulo → para Belo Horizonte comprada')).toHaveLength(6);
    expect(text).toContain('Ver mais 2 compras no extrato');
  });

  it('shows ten mandates a page, the newest first, each of them once and the revoked ones too', async () => {
    const agent = await agentWith({}, tested.origin, CLARA);
    const granted: Mandate[] = [];
    for (let n = 1; n <= 12; n += 1) granted.push(await grant(agent, n));
    await agent.call('DELETE', `/mandates/${granted[11]?.id}`);
    const first = await pageOf(CLARA);
    const second = await pageOf(CLARA, first.next ?? '');
    const newest = granted.map(({ id }) => id).toReversed();
    expect([first.shown, second.shown]).toEqual([newest.slice(0, 10), newest.slice(10)]);
    expect(second.next).toBeUndefined();
    expect(first.text).toContain('encerrado Podia gastar no máximo R$\u00a00,12');
  });

  it('is there for the traveller alone who let the agent in', async () => {
    const cursor = (await pageOf(CLARA)).next?.split('?')[1] ?? '';
    expect((await pageOf(ANA, '/conta/agentes/nenhum')).status).toBe(404);
    expect((await pageOf(ANA, `${PATH}?${cursor}`)).status).toBe(404);
    expect((await pageOf(ANA, '/conta/agentes')).text).toContain('Cliente piloto');
  });
});
