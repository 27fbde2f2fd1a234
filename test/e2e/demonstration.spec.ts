import type { RunningApi } from '../../apps/api/src/start.js';
import type { AgentTraffic } from '../../libs/traffic/src/testing/index.js';
import { catalogEntry, writeCatalog } from '../support/catalog.js';
import { ownFolder, settled, startServiceInMemory } from '../support/service.js';

const folder = ownFolder(() => Promise.all([api, bound, closed].map((one) => one.stop())));
/** As it starts; with tokens bound to keys, and two seats to sell; and with travellers whose password nobody knows. */
let api: RunningApi;
let bound: RunningApi;
let closed: RunningApi;
beforeAll(async () => {
  const CATALOG_FILE = await writeCatalog(folder, [catalogEntry({ seats: 2 })]);
  [api, bound, closed] = await Promise.all([
    startServiceInMemory({ TRUST_PROXY: '127.0.0.1' }),
    startServiceInMemory({ CATALOG_FILE, DPOP: 'required', MANDATES: 'ask' }),
    startServiceInMemory({ DEMO_PASSWORD: 'segredo-de-poucos' }),
  ]);
});

type Headers = Readonly<Record<string, string>>;

const ask = (service: RunningApi, headers: Headers = {}): Promise<Response> =>
  fetch(`${service.origin}/demonstracao`, { method: 'POST', headers });

const watch = async (service: RunningApi, headers?: Headers) => {
  const answer = await ask(service, headers);
  return { status: answer.status, text: await answer.text() };
};

const linesOf = (text: string): readonly string[] =>
  [
    ...text.matchAll(
      /<li class="(done|refused|stopped)">\s*<strong>(.*?)<\/strong>\s*<span class="small">(.*?)<\/span>/gs,
    ),
  ].map(([, kind = '', title = '', detail = '']) => `${kind} ${title.replace(/<span.*?<\/span>/, '')}: ${detail}`);

describe('an agent that buys before a visitor’s eyes', () => {
  it('is let in by the traveller, buys within the mandate, is refused beyond it, and leaves neither login nor token', async () => {
    const answer = await ask(api);
    expect(answer.headers.getSetCookie()).toEqual([]);
    const pieces: string[] = [];
    for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) pieces.push(piece);
    const text = pieces.join('');
    expect(linesOf(text)).toEqual([
      expect.stringMatching(/^done Procurou voos para Recife: \d+ voos em .*O mais barato: AL\d+, R\$/),
      expect.stringMatching(/^done Pediu a Ana licença para gastar: Ana autorizou até R\$.550,00, por 10 minutos/),
      expect.stringMatching(/^done Reservou um assento no AL\d+: São Paulo → Recife/),
      expect.stringMatching(/^done Pagou R\$.379,90: .*Disponível agora: R\$.170,10\.$/),
      expect.stringMatching(/^done Recebeu o bilhete e o recibo: Localizador [A-Z0-9]{6}/),
      expect.stringMatching(
        /^refused Tentou comprar também .* → Lisboa: R\$.3\.\d{3},\d\d: recusado pelo mandato, .* Nada foi cobrado/,
      ),
    ]);
    // What a page without a script shows is whole, and came as it happened.
    expect(text.trimEnd()).toMatch(/Ver na conta de Ana.*<\/html>$/s);
    expect(linesOf(pieces[0] ?? '').length).toBeLessThan(3);
    expect(text).not.toMatch(/eyJ|code=|csrf/);

    const { events, documents } = api.dependencies;
    const types: string[] = [];
    for await (const { type, metadata } of events.readAll(null))
      if (metadata.actor.clientId === 'demonstracao') types.push(type);
    expect(types).toEqual(
      expect.arrayContaining(['AgentAuthorized', 'MandateChargeRefused', 'OrderPaid', 'TokenRevoked']),
    );
    expect(await documents.count('sessions', { where: [] })).toBe(0);
  });

  it('counts as calls of an agent that were answered', async () => {
    await api.traffic?.flush();
    await settled(api);
    const told = await fetch(`${api.origin}/api/v1/observability/agent-traffic`);
    const { totals, funnel } = (await told.json()) as AgentTraffic;
    expect([totals.abandoned, totals.refused]).toEqual([0, 1]);
    expect(funnel).toMatchObject({ search: 2, booking: 2, order: 1, receipt: 1 });
  });

  it('does it six times a minute for an address, and for no page of somebody else', async () => {
    const from = { 'x-forwarded-for': '198.51.100.1' };
    const foreign = await watch(api, { ...from, origin: 'https://elsewhere.example' });
    expect(foreign.status).toBe(403);
    // At once: a purchase may take so long that another is let in meanwhile.
    const asked = await Promise.all(Array.from({ length: 6 }, () => watch(api, from)));
    expect(asked.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 429]);
    expect((await watch(api, { 'x-forwarded-for': '198.51.100.2' })).status).toBe(200);
  });

  it('does so with a bound token, and says where it cannot go on', async () => {
    const runs: string[] = [];
    for (let run = 0; run < 3; run += 1) runs.push(...linesOf((await watch(bound)).text).slice(-1));
    expect(runs).toEqual([
      expect.stringMatching(/^refused Tentou comprar também São Paulo → Belo Horizonte: R\$.279,90: recusado/),
      expect.stringMatching(/^stopped A demonstração parou aqui: Não há assentos suficientes/),
      'stopped A demonstração parou aqui: Não há nenhum voo à venda agora.',
    ]);
  });

  it.each([
    ['GET', '/demonstracao'],
    ['POST', '/demonstracao'],
  ])('is not there where no traveller is everybody’s: %s %s', async (method, path) => {
    expect((await fetch(closed.origin + path, { method })).status).toBe(404);
    const home = await (await fetch(closed.origin)).text();
    expect(home).not.toMatch(/Ver um agente comprar|Ambiente de testes/);
    const { dependencies } = closed;
    expect(await dependencies.documents.get('clients', 'demonstracao')).toBeNull();
  });

  it('is offered on the first page, below a bar that leads into the account', async () => {
    const home = await (await fetch(api.origin)).text();
    expect(home).toMatch(
      /<form method="post" action="\/demonstracao">\s*<button\s+type="submit">Ver um agente comprar/,
    );
    expect(home).toMatch(/Ambiente de testes.*<a href="\/conta">Entrar como Ana<\/a>.*4242 4242 4242 4242/s);
    expect(await (await fetch(`${api.origin}/demonstracao`)).text()).toContain('Ver um agente comprar');
  });
});
