import type { RunningApi } from '../../apps/api/src/start.js';
import { type Api, Browser } from '#agent';
import { agentAt, apiAt, PILOT, tokensFor } from '../support/agent.js';
import type { Mandate, Refused } from '../support/answers.js';
import { capturedOrders, readBooks } from '../support/books.js';
import { CHALLENGED_CARD, challengeIn, loggedIn } from '../support/challenge.js';
import type { Traveller } from '../support/consent.js';
import { anError } from '../support/matchers.js';
import { bodyOf, book, brl, buy, DECLINED_CARD, grant, mandateNow, order, TRIP_PRICE } from '../support/purchase.js';
import { sendRaw } from '../support/raw-request.js';
import { letPass, OTHER_AGENT, registerOtherAgent, settled, startServiceInMemory } from '../support/service.js';

const TRAVELLERS = Array.from({ length: 34 }, (_, n): Traveller => ({
  email: `viajante${n}@example.com`,
  password: 'alcada-demo',
}));

let service: RunningApi;
let traveller: Traveller;
let agent: Api;
beforeAll(async () => {
  const emails = TRAVELLERS.map(({ email }) => email).join(',');
  service = await startServiceInMemory({ DEMO_TRAVELLERS: emails });
  await registerOtherAgent(service);
});
afterAll(() => service.stop());
beforeEach(async () => {
  traveller = newTraveller();
  agent = await agentAt(service.origin, { traveller });
});

const newTraveller = (): Traveller => {
  const next = TRAVELLERS.pop();
  if (!next) throw new Error('all travellers are taken');
  return next;
};

const arrive = (path: string, by = traveller) => loggedIn(service.origin + path, by);
const textOf = ({ html }: { readonly html: string }): string =>
  html.replace(/<head>[\s\S]*<\/head>|<[^>]*>/g, ' ').replace(/[ \n]+/g, ' ');
const REVOKE = `/conta/agentes/${PILOT.clientId}/revogar`;
const opening = (amount: number) => agent.post<Mandate & Refused>('/mandates', { limit: brl(amount) });

describe('the account', () => {
  it('is never compressed, nor is any other answer to a session or a token (BREACH)', async () => {
    const mandate = await grant(agent, 1000_00);
    const { browser } = await arrive('/conta');
    const sent = { accept: 'text/html', 'accept-encoding': 'gzip, br', cookie: browser.cookie };
    const codingOf = async (path: string, headers: Readonly<Record<string, string>>) => {
      const answer = await sendRaw(service.origin, { path, headers });
      return [path, answer.status, answer.headers['content-encoding'], answer.text.length > 1_024];
    };
    const authorize = `/oauth/authorize?${new URLSearchParams({
      response_type: 'code',
      client_id: PILOT.clientId,
      redirect_uri: 'http://127.0.0.1:8765/callback',
      scope: 'booking:write',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    }).toString()}`;
    const consent = await browser.open(authorize);
    expect(consent.html).toContain('name="csrf"');
    expect(consent.headers.get('content-encoding')).toBeNull();
    for (const path of ['/conta', `/conta/mandatos/${mandate.id}`, REVOKE, '/oauth/playground'])
      expect(await codingOf(path, sent)).toEqual([path, 200, undefined, true]);
    expect(await codingOf('/conta/nada', sent)).toEqual(['/conta/nada', 404, undefined, true]);
    const lists = await agent.get('/mandates');
    expect([lists.status, lists.headers.get('content-encoding')]).toEqual([200, null]);
  });

  it('asks for the login first, and then shows whom the traveller let in, how far, and what came of it', async () => {
    const mandate = await grant(agent, 1000_00);
    const { id } = await buy(agent, await book(agent), mandate);
    const waiting = challengeIn(await order(agent, await book(agent), mandate, CHALLENGED_CARD));
    await settled(service); // a challenged order waits for no list
    const { browser, page } = await arrive('/conta');
    expect([page.status, page.url.pathname]).toEqual([200, '/conta']);
    for (const part of [
      'Datas e horas no horário de Brasília.',
      'Gasto R$\u00a0279,90',
      'Separado R$\u00a0279,90',
      'Em um mandato aberto',
      'Aprovar pagamento de R$\u00a0279,90?',
      'Início Viagens Agentes Limites',
      'Cliente piloto pode gastar até R$\u00a01.000,00',
      'O que aconteceu Hoje São Paulo → Belo Horizonte, R$\u00a0279,90 Cliente piloto ·',
      'R$\u00a0440,20 disponíveis para os seus agentes',
      `Você entrou como ${traveller.email}`,
    ]) {
      expect(textOf(page)).toContain(part);
    }
    for (const [path, ...parts] of [
      ['/conta/viagens', 'Próximas viagens São Paulo → para Belo Horizonte', 'Voo AL1201 · 1 passageiro · por Cliente'],
      ['/conta/viagens', 'Em andamento São Paulo → para Belo Horizonte em andamento', ': R$\u00a0279,90 em uma compra'],
      ['/conta/agentes', 'Cliente piloto cliente piloto de testes', 'Última compra: São Paulo → Belo Horizonte, '],
      ['/conta/limites', 'Cliente piloto', 'Criar e encerrar mandatos, com teto de valor e prazo'],
      ['/conta/limites', 'Sem limite total.', 'Gasto: R$\u00a0279,90', 'Comprometido: R$\u00a0720,10'],
      ['/conta/limites', 'nos voos que ele diz. Voos para qualquer destino em vigor Teto de R$\u00a01.000,00 ·'],
    ] as const) {
      const text = textOf(await browser.open(path));
      for (const part of parts) expect(text).toContain(part);
    }
    for (const path of [`/desafios/${waiting.id}`, `/conta/mandatos/${mandate.id}`, `/conta/pedidos/${id}`]) {
      expect(page.html).toContain(`href="${path}"`);
      expect((await browser.open(path)).status).toBe(200);
    }
  });

  it('tells what happened page by page, by links that are good for nobody else', async () => {
    const booking = await book(agent);
    for (const mandate of [await grant(agent, 100), await grant(agent, 200)])
      for (let times = 0; times < 16; times += 1) expect((await order(agent, booking, mandate)).status).toBe(422); // 34 things, all of today or of two days
    await settled(service);
    const { browser, page } = await arrive('/conta');
    const [, before = ''] =
      /<a rel="next" href="(\/conta\/acontecimentos\?cursor=[^"]+)">Mostrar/.exec(page.html) ?? [];
    const next = await browser.open(before);
    const times = [page, next].flatMap((one) =>
      [...textOf(one).matchAll(/ · (\d+)\u00a0vezes/g)].map(([, count]) => Number(count)),
    );
    expect(times.reduce((sum, count) => sum + count, 0)).toBe(32);
    expect([next.html.includes('Mostrar'), textOf(next).includes('pode gastar até R$\u00a01,00')]).toEqual([
      false,
      true,
    ]);
    expect((await browser.open('/conta/acontecimentos?cursor=nada')).status).toBe(404);
    const { browser: other } = await arrive('/conta/acontecimentos', newTraveller());
    expect((await other.open(before)).status).toBe(404);
  });

  it.each([
    ...['/conta', '/conta/viagens', '/conta/agentes', '/conta/limites', '/conta/mandatos', REVOKE],
    '/conta?feito=limite&agente=x',
  ])('leads back to %s after the login', async (path) => {
    const login = await new Browser(service.origin).open(path);
    expect([login.status, login.html.includes('name="password"')]).toEqual([200, true]);
    expect((await arrive(path)).page.url.pathname).toBe(path.split('?')[0]);
  });

  it('keeps the addresses from before it had tabs', async () => {
    const { browser, page } = await arrive('/conta');
    for (const once of ['viagens', 'agentes', 'mandatos']) expect(page.html).toContain(`id="${once}"`);
    for (const [before, now] of [
      ['/conta?feito=limite&agente=x', '/conta/limites?feito=limite&agente=x#agente-x'],
      ['/conta?feito=revogado&agente=x', '/conta/agentes?feito=revogado&agente=x#agente-x'],
      ['/conta/pedidos', '/conta/viagens'],
    ] as const) {
      const { url, status } = await browser.open(before);
      expect([url.pathname + url.search + url.hash, status]).toEqual([now, 200]);
    }
    for (const path of ['/conta?cursor=x', '/conta/pedidos?cursor=x', '/conta/limites?agentes=x'])
      expect((await browser.open(path)).status).toBe(404);
  });

  it('has no script where none can do anything more, and cannot be framed, cached, or led astray', async () => {
    const { page: live } = await arrive('/conta'); // where an agent acts, something may become news
    const script = /<script type="module" src="\/assets\/page\.js\?v=[\w-]+"><\/script>/;
    expect(live.html).toMatch(script);
    expect(live.headers.get('content-security-policy')).toContain("script-src 'self'; connect-src 'self'; style-src");
    const { page } = await arrive('/conta', newTraveller());
    for (const html of [live.html.replace(script, ''), page.html])
      expect(html).not.toMatch(/<script|<style| style=| on[a-z]+=|javascript:|https?:\/\/(?!www\.w3\.org)/i);
    expect(page.html).toContain('<html lang="pt-BR">');
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
    expect([page.headers.get('x-frame-options'), page.headers.get('cache-control')]).toEqual(['DENY', 'no-store']);
    expect(page.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('is left by "Sair"', async () => {
    const { browser, page } = await arrive('/conta/pedidos');
    expect((await browser.submit(page, {})).url.pathname).toBe('/oauth/logout');
    expect((await browser.open('/conta')).html).toContain('name="password"');
  });

  it('lists all mandates and orders, page after page, each once', async () => {
    for (let n = 0; n < 21; n += 1) await grant(agent, 1_00 + n);
    const { browser, page } = await arrive('/conta/limites');
    expect(textOf(page)).toContain('Mandatos abertos (21)');
    expect(textOf(page)).toContain('Ver todos os mandatos');
    expect(textOf(await browser.open('/conta'))).toContain('Em 21 mandatos abertos');
    expect(textOf(await browser.open('/conta/viagens'))).toContain('Nenhuma viagem comprada ainda.');
    const seen: string[] = [];
    let list = await browser.open('/conta/mandatos');
    for (;;) {
      seen.push(...[...list.html.matchAll(/href="(\/conta\/mandatos\/[^"]+)"/g)].map(([, path = '']) => path));
      const [, next] = /rel="next" href="([^"]*)"/.exec(list.html) ?? [];
      if (next === undefined) break;
      list = await browser.open(next);
    }
    expect([seen.length, new Set(seen).size]).toEqual([21, 21]);
    for (const cursor of ['x', '', 'x&cursor=y']) {
      expect((await browser.open(`/conta/mandatos?cursor=${cursor}`)).status).toBe(404);
    }
  });
});

describe('the cap on the account page (rule 19)', () => {
  const setCap = async (cap: string) => {
    const { browser, page } = await arrive('/conta/limites');
    return browser.submit(page, { cap });
  };

  it('is set, raised, lowered, and taken away', async () => {
    expect(textOf(await setCap('1.000,00'))).toContain(
      'Limite total de R$\u00a01.000,00 : R$\u00a00,00 gastos, R$\u00a00,00 comprometidos, R$\u00a01.000,00 disponíveis.',
    );
    await grant(agent, 600_00);
    expect((await opening(400_01)).body.error).toBe('mandate_cap_exceeded');
    const lowered = await setCap('600');
    expect(lowered.html).toMatch(/name="cap"\s+value="600,00"/);
    expect(textOf(lowered)).toContain('R$\u00a0600,00 comprometidos, R$\u00a00,00 disponíveis');
    expect((await opening(1)).body.error).toBe('mandate_cap_exceeded');
    await setCap('700');
    expect((await opening(100_00)).status).toBe(201);
    expect(textOf(await setCap(''))).toContain('Sem limite total.');
    expect((await opening(9_000_00)).status).toBe(201);
  });

  it('says which open mandates will end before it is saved, ends them when that is confirmed, and not before', async () => {
    const [first, second] = [await grant(agent, 300_00), await grant(agent, 1234_56)];
    await buy(agent, await book(agent), first);
    const { browser, page } = await arrive('/conta/limites');
    const asked = await browser.submit(page, { cap: '300' });
    expect([asked.status, asked.html.includes('<script')]).toEqual([200, false]);
    for (const part of [
      'Salvar este limite? Cliente piloto',
      'Um mandato aberto não cabe no limite de R$\u00a0300,00 , e termina se você confirmar:',
      'Mandato com teto de R$\u00a01.234,56',
      'Voltar sem salvar',
    ])
      expect(textOf(asked)).toContain(part);
    expect((await mandateNow(agent, second)).status).toBe('valid');
    expect(textOf(await browser.open('/conta/limites'))).toContain('Sem limite total.');

    const after = await browser.submit(asked, {});
    expect([after.status, after.url.pathname]).toEqual([200, '/conta/limites']);
    expect(textOf(after)).toContain('Pronto. Este é o limite dele agora.');
    expect(textOf(after)).toContain('R$\u00a0279,90 gastos, R$\u00a020,10 comprometidos, R$\u00a00,00 disponíveis');
    expect([(await mandateNow(agent, first)).status, (await mandateNow(agent, second)).status]).toEqual([
      'valid',
      'revoked',
    ]);
    expect(await order(agent, await book(agent), second)).toMatchObject(anError(409, 'mandate_revoked'));
  });

  it('comes back with what was written where that cannot be read, and nothing has changed', async () => {
    await setCap('800');
    const back = await setCap('1,500');
    expect([back.status, back.html]).toEqual([422, expect.stringMatching(/name="cap"\s+value="1,500"/)]);
    expect(back.html).toContain('aria-invalid="true"');
    expect((await opening(800_01)).body.error).toBe('mandate_cap_exceeded');
  });

  it('stays as it is where the form has no such field', async () => {
    await setCap('800');
    const { browser, page } = await arrive('/conta/limites');
    await browser.submit({ ...page, html: page.html.replaceAll('name="cap"', 'name="outro"') }, { outro: '5' });
    expect((await opening(800_00)).status).toBe(201);
  });

  it('is passed by no mandate, however many are asked for while it is set', async () => {
    const { browser, page } = await arrive('/conta/limites');
    const asking = () => Promise.all(Array.from({ length: 20 }, () => opening(200_00)));
    const opened = (answers: Awaited<ReturnType<typeof asking>>) =>
      answers.filter(({ status }) => status === 201).length;
    const [during, saved] = await Promise.all([asking(), browser.submit(page, { cap: '1000' })]);
    if (textOf(saved).includes('Salvar este limite?')) await browser.submit(saved, {});
    const after = await asking();
    expect(opened(after)).toBe(Math.max(0, 5 - opened(during)));
    expect(after.at(-1)?.body.error).toBe('mandate_cap_exceeded');
    expect(bodyOf(await agent.get<{ readonly count: number }>('/mandates?status=valid'), 200).count).toBe(5);
  });
});

describe("a mandate's statement", () => {
  it('tells terms, money, and each event with who, when, how much and why not', async () => {
    const mandate = await grant(agent, 300_00);
    await order(agent, await book(agent), mandate, DECLINED_CARD);
    const { id } = await buy(agent, await book(agent), mandate);
    await order(agent, await book(agent), mandate);
    const { page } = await arrive(`/conta/mandatos/${mandate.id}`);
    for (const part of [
      'Voos para qualquer destino em vigor Mandato de Cliente piloto',
      'R$\u00a020,10 disponíveis de R$\u00a0300,00, até ',
      'Gasto R$\u00a0279,90',
      'Disponível R$\u00a020,10',
      'Mandato criado, com teto de R$\u00a0300,00 Cliente piloto ·',
      'São Paulo → Belo Horizonte R$\u00a0279,90 Não comprada. O pagamento foi recusado pelo emissor do cartão.',
      'São Paulo → Belo Horizonte \u2212R$\u00a0279,90 Voo AL1201',
      'São Paulo → Belo Horizonte R$\u00a0279,90 Recusada. O valor ultrapassa o teto do mandato; nada foi cobrado.',
      'disponível R$\u00a020,10',
    ]) {
      expect(textOf(page)).toContain(part);
    }
    expect(page.html).toContain(`href="/conta/pedidos/${id}"`);
    expect(page.html).toContain(`href="/verificar?mandato=${mandate.id}"`);
    const said = ['Recusada.', '\u2212R$', 'Não comprada', 'Mandato criado'].map((part) => page.html.indexOf(part));
    expect(said).toEqual(said.toSorted((one, other) => one - other));
  });

  it('leads to its revocation, which asks first, says what it does, and is then told as the own act', async () => {
    const mandate = await grant(agent, 300_00);
    const { browser } = await arrive(`/conta/mandatos/${mandate.id}`);
    const asked = await browser.open(`/conta/mandatos/${mandate.id}/revogar`);
    expect(textOf(asked)).toContain('Encerrar este mandato?');
    expect((await mandateNow(agent, mandate)).status).toBe('valid');
    const after = await browser.submit(asked, {});
    expect([after.status, after.url.pathname]).toEqual([200, `/conta/mandatos/${mandate.id}`]);
    expect(textOf(after)).toMatch(
      /Encerrado por você em .*: nada mais pode ser gasto\. .* Mandato encerrado: nada mais pode ser gasto Você ·/,
    );
    expect(after.html).toContain('role="status">Pronto: este mandato não pode mais ser usado.');
    expect(textOf(after)).toContain('Não gasto R$\u00a0300,00');
    expect(textOf(after)).not.toContain('Disponível');
    expect((await mandateNow(agent, mandate)).status).toBe('revoked');
    expect(await order(agent, await book(agent), mandate)).toMatchObject({ status: 409 });
    expect(textOf(await browser.submit(asked, {}))).toContain('encerrado Mandato de Cliente piloto');
  });
});

describe('a mandate of which nothing is left', () => {
  it('offers nothing that could still be stopped, and is not among the open ones', async () => {
    const mandate = await grant(agent, TRIP_PRICE);
    await buy(agent, await book(agent), mandate);
    await settled(service);
    const { browser, page } = await arrive(`/conta/mandatos/${mandate.id}`);
    expect(textOf(page)).toContain('esgotado');
    expect(page.html).not.toMatch(/Pausar|Reduzir…/);
    const [, open = '', ended] = (await browser.open('/conta/limites')).html.split(
      /id="mandatos"|<details class="ended"/,
    );
    expect(open).not.toContain(`/conta/mandatos/${mandate.id}`);
    expect(ended).toContain(`/conta/mandatos/${mandate.id}`);
  });
});

describe("an order's page", () => {
  it('is ticket and receipt once it is paid', async () => {
    const { id, ticketCode } = await buy(agent, await book(agent), await grant(agent, TRIP_PRICE));
    const { page } = await arrive(`/conta/pedidos/${id}`);
    for (const part of [`Bilhete ${ticketCode ?? ''}`, `Recibo R-${ticketCode ?? ''}`, 'Visa final 4242', 'CGH'])
      expect(textOf(page)).toContain(part);
  });

  it('says that it waits for the traveller, and where', async () => {
    const { id } = challengeIn(await order(agent, await book(agent), await grant(agent, TRIP_PRICE), CHALLENGED_CARD));
    const { page } = await arrive(`/conta/pedidos/${id}`);
    expect(textOf(page)).toContain('Compra em andamento');
    expect(page.html).toContain(`href="/desafios/${id}"`);
  });

  it('says why nothing was bought', async () => {
    await order(agent, await book(agent), await grant(agent, TRIP_PRICE), DECLINED_CARD);
    const { browser, page } = await arrive('/conta/pedidos');
    const [, path = ''] = /href="(\/conta\/pedidos\/[^"]+)"/.exec(page.html) ?? [];
    expect(textOf(await browser.open(path))).toContain(
      'O pagamento foi recusado pelo emissor do cartão. Não houve cobrança',
    );
  });
});

describe('revoking an agent (rule 19)', () => {
  it('asks first, and then ends its tokens, its refresh token, its mandates and what it was buying, at once', async () => {
    const tokens = await tokensFor(service.origin, { traveller });
    const mandate = await grant(agent, 1000_00);
    challengeIn(await order(agent, await book(agent), mandate, CHALLENGED_CARD));
    const { browser, page } = await arrive(REVOKE);
    expect(textOf(page)).toContain('O mandato aberto dele é revogado.');
    expect((await agent.get('/mandates')).status).toBe(200);

    const after = await browser.submit(page, {});
    expect(after.url.pathname).toBe('/conta/agentes');
    expect(textOf(after)).toMatch(/Agentes revogados Pronto\. Agente revogado: .* Cliente piloto revogado/);
    for (const api of [agent, apiAt(service.origin, tokens.access_token)]) {
      expect(await api.get<Refused>('/mandates')).toMatchObject(anError(401, 'invalid_token'));
    }
    expect(await refresh(tokens.refresh_token)).toEqual([400, 'invalid_grant']);
    expect(textOf(await browser.open(`/conta/mandatos/${mandate.id}`))).toContain(
      'encerrado Mandato de Cliente piloto',
    );
    const { dependencies } = service;
    expect(capturedOrders(await readBooks(dependencies.events, dependencies.documents), mandate.id)).toEqual([]);
    expect(textOf(await browser.submit(page, {}))).toMatch(/Agentes revogados/);
  });

  it('lets it come back by a new consent, with the cap and what was spent as they were', async () => {
    const { browser, page } = await arrive('/conta/limites');
    await browser.submit(page, { cap: '500' });
    await buy(agent, await book(agent), await grant(agent, TRIP_PRICE));
    await browser.submit(await browser.open(REVOKE), {});
    agent = await agentAt(service.origin, { traveller });
    expect((await opening(500_00 - TRIP_PRICE + 1)).body.error).toBe('mandate_cap_exceeded');
    expect((await opening(500_00 - TRIP_PRICE)).status).toBe(201);
    expect(textOf(await browser.open('/conta/agentes'))).not.toContain('Agentes revogados');
  });

  it('leaves the other agents of the traveller, and the same agent of others, as they are', async () => {
    const other = await agentAt(service.origin, { traveller, client: OTHER_AGENT });
    const ofAnother = await agentAt(service.origin, { traveller: newTraveller() });
    const { browser, page } = await arrive(REVOKE);
    await browser.submit(page, {});
    for (const api of [other, ofAnother]) bodyOf(await api.get('/mandates'), 200);
  });

  const refresh = async (token: string): Promise<readonly [number, string]> => {
    const { clientId, secret } = PILOT;
    const body = new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: token,
      client_id: clientId,
      client_secret: secret,
    });
    const response = await fetch(`${service.origin}/oauth/token`, { method: 'POST', body });
    return [response.status, ((await response.json()) as { readonly error: string }).error];
  };
});

// The last one: time passes for every test after it.
describe('five minutes after the login', () => {
  it('the password is shown again, and leads back to what was to be done', async () => {
    const { browser, page } = await arrive(REVOKE);
    letPass(service, 300_000 + 1_000);
    const again = await browser.submit(page, {});
    expect([again.status, textOf(again)]).toEqual([403, expect.stringContaining('Confirme que é você')]);
    const back = await browser.submit(again, { username: traveller.email, password: traveller.password });
    expect(back.url.pathname).toBe(REVOKE);
    expect(textOf(await browser.submit(back, {}))).toContain('Agentes revogados');
  });
});
