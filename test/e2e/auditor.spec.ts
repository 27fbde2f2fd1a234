import type { Browser } from '#agent';
import { openRegistry } from '#oauth';
import { ANA, PILOT } from '../support/agent.js';
import type { Booking, List, Mandate, Order } from '../support/answers.js';
import { addAuditor, CLARA, viewsIn } from '../support/auditor.js';
import { loggedIn } from '../support/challenge.js';
import { bodyOf, book, brl, buy, DECLINED_CARD, giveBack, grant, order, TRIP_PRICE } from '../support/purchase.js';
import { sealed } from '../support/sealed.js';
import { failNextAppend, settled } from '../support/service.js';
import { SmallSetting } from '../support/setting.js';

const setting = new SmallSetting();
let auditor: string;
let clara: Browser;
let holder: string;
/** A mandate of seven events: created, paid once, declined once, and refused once; and what was bought with it. */
let mandate: Mandate;
let booking: Booking;
let paid: Order;
beforeAll(async () => {
  auditor = await addAuditor(setting.service);
  const { ana, service } = setting;
  mandate = await grant(ana, 500_00);
  booking = await book(ana);
  paid = await buy(ana, booking, mandate);
  await order(ana, await book(ana), mandate);
  const other = await grant(ana, 400_00);
  await order(ana, await book(ana), other, DECLINED_CARD);
  await settled(service);
  for await (const { data } of service.dependencies.events.readStream(`order-${paid.id}`)) {
    if (typeof data['holder'] === 'string') holder = data['holder'];
  }
  clara = (await login()).browser;
});

const login = (path = '/auditoria') => loggedIn(setting.origin + path, CLARA);

const textOf = async (path: string): Promise<string> => {
  const { html } = await clara.open(path);
  return html
    .replace(/<template[\s\S]*?<\/template\s*>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/[ \n]+/g, ' ');
};

describe('the auditors’ login', () => {
  it('leads to the page that was asked for, and out again', async () => {
    const { browser, page } = await login(`/auditoria/mandatos/${mandate.id}`);
    expect([page.status, page.url.pathname]).toEqual([200, `/auditoria/mandatos/${mandate.id}`]);
    expect(page.html).toContain(CLARA.email);
    const [, csrf = ''] = /name="csrf" value="([^"]*)"/.exec(page.html) ?? [];
    const left = await browser.open('/auditoria/sair', { method: 'POST', body: new URLSearchParams({ csrf }) });
    expect(left.html).toContain('Entre na auditoria');
    expect((await browser.open('/auditoria')).html).toContain('name="password"');
  });

  it('refuses a wrong password, and whoever is no auditor', async () => {
    for (const wrong of [{ ...CLARA, password: 'errada-errada' }, ANA]) {
      const { page } = await loggedIn(`${setting.origin}/auditoria`, wrong);
      expect([page.status, page.html]).toEqual([403, expect.stringContaining('E-mail ou senha incorretos')]);
    }
  });

  it('leads who sent an old form back to the audit, and to no traveller’s account', async () => {
    const { browser } = await login('/auditoria');
    for (const path of ['/auditoria/entrar', '/auditoria/sair']) {
      const old = await browser.open(path, { method: 'POST', body: new URLSearchParams({ csrf: 'de ontem' }) });
      expect([old.status, old.html]).toEqual([403, expect.stringContaining('href="/auditoria"')]);
      expect(old.html).not.toContain('/conta');
    }
  });
});

describe('what an auditor looks at', () => {
  it('is in the log before it is shown: by the auditor’s id, and once for as long as they stay', async () => {
    await clara.open('/auditoria');
    const before = (await viewsIn(setting.service)).length;
    const replay = `/auditoria/mandatos/${mandate.id}`;
    const pages = ['/auditoria/busca?id=ana@example.com', replay, `${replay}?evento=1`, `${replay}?evento=2`];
    for (const path of [...pages, `/auditoria/pedidos/${paid.id}`, '/auditoria/agentes/ana@example.com'])
      await clara.open(path);
    const views = (await viewsIn(setting.service)).slice(before);
    expect(views.map(({ type, data, metadata: { actor } }) => ({ type, data, actor }))).toEqual(
      [
        { page: 'search', subject: null },
        { page: 'mandate', subject: mandate.id },
        { page: 'order', subject: paid.id },
      ].map((view) => ({
        type: 'AuditPageViewed',
        data: { auditor, ...view, viewedAt: expect.any(String) },
        actor: { holder: null, clientId: null },
      })),
    );
  });

  it('is not shown where it cannot be written down', async () => {
    await clara.open('/auditoria');
    failNextAppend(setting.service, 'audit-');
    const { status, html } = await clara.open(`/auditoria/mandatos/${mandate.id}`);
    expect([status, html]).toEqual([503, expect.not.stringContaining(mandate.id)]);
  });
});

describe('the search', () => {
  it('leads to what an id names', async () => {
    const ids = {
      mandatos: mandate.id,
      pedidos: paid.id,
      reservas: booking.id,
      viajantes: holder,
      agentes: PILOT.clientId,
    };
    for (const [folder, id] of Object.entries(ids)) {
      const { url, status } = await clara.open(`/auditoria/busca?id=${id}`);
      expect([url.pathname, status]).toEqual([`/auditoria/${folder}/${id}`, 200]);
    }
  });

  it('leads to an order by what is printed on its ticket, and by the beginning of its number', async () => {
    const { ticketCode, locator } = paid;
    const spaced = `${ticketCode?.slice(0, 3)} ${ticketCode?.slice(3)}`;
    for (const text of [ticketCode, spaced, `R-${ticketCode}`, locator, locator?.toLowerCase(), paid.id.slice(0, 8)]) {
      const { url } = await clara.open(`/auditoria/busca?id=${encodeURIComponent(text ?? '')}`);
      expect([text, url.pathname]).toEqual([text, `/auditoria/pedidos/${paid.id}`]);
    }
    for (const none of ['9770000009995', '9770000000015', 'R-9770000009995', paid.id.slice(0, 5), '%', '*'])
      expect((await clara.open(`/auditoria/busca?id=${encodeURIComponent(none)}`)).status).toBe(404);
  });

  it('looks up an address by its form alone, whole and each time in the log before the answer', async () => {
    const { html } = await clara.open('/auditoria');
    const [, csrf = ''] = /name="csrf" value="([^"]*)"/.exec(html) ?? [];
    const before = (await viewsIn(setting.service)).length;
    const ask = (id: string) =>
      clara.open('/auditoria/busca', { method: 'POST', body: new URLSearchParams({ csrf, search: 'search', id }) });
    expect((await ask(` ${ANA.email.toUpperCase()}`)).url.pathname).toBe(`/auditoria/viajantes/${holder}`);
    for (const id of ['ninguem@example.com', 'ninguem@example.com', 'an%@example.com', '@']) {
      const { status, html: page } = await ask(id);
      expect([status, page]).toEqual([404, expect.not.stringContaining('example.com"')]);
    }
    const views = (await viewsIn(setting.service))
      .slice(before)
      .map(({ data: { page, subject } }) => ({ page, subject }));
    const unknown = { page: 'address', subject: null };
    expect(views.filter(({ page }) => page === 'address')).toEqual([
      { page: 'address', subject: holder },
      ...Array.from({ length: 4 }, () => unknown),
    ]);
    expect((await clara.open(`/auditoria/busca?id=${ANA.email}`)).status).toBe(404);
    failNextAppend(setting.service, 'audit-');
    expect((await ask(ANA.email)).status).toBe(503);
  });

  it('is in the log by what was asked where it names several things, which it then lists', async () => {
    const { dependencies } = setting.service;
    const { clients } = await openRegistry(dependencies, dependencies.oauthSettings);
    const redirectUris = ['https://agente.example/volta'];
    await clients.add({ clientId: mandate.id, name: 'Agente', redirectUris, isPublic: true });
    const { html } = await clara.open(`/auditoria/busca?id=${mandate.id}`);
    for (const folder of ['mandatos', 'agentes']) expect(html).toContain(`href="/auditoria/${folder}/${mandate.id}"`);
    const last = (await viewsIn(setting.service)).at(-1);
    expect(last?.data).toMatchObject({ auditor, page: 'search', subject: mandate.id });
  });

  it('says where it finds nothing, and shows what was asked for as text', async () => {
    const { html, status } = await clara.open('/auditoria/busca?id=%22%3E%3Cscript%3Ealert(1)%3C/script%3E');
    expect([status, html]).toEqual([404, expect.stringContaining('Nenhum evento do registro tem este número')]);
    expect(html).toContain('value="&quot;&gt;&lt;script&gt;');
  });
});

describe('the replay of a mandate', () => {
  it('shows each event with the state after it, the decision and its reason', async () => {
    const path = `/auditoria/mandatos/${mandate.id}`;
    const text = await textOf(`${path}?evento=2`);
    expect(text).toContain('Evento 2 de 4: R$\u00a0279,90 reservados para um pedido');
    expect(text).toContain('Permitida: R$\u00a0500,00 estavam disponíveis');
    expect(text).toMatch(/Disponível R\$\u00a0500,00 R\$\u00a0220,10 \(mudou\)/);
    expect(text).toContain('Cadeia de hashes e regras do mandato conferidas agora: nenhuma quebra.');
    expect(await textOf(path)).toMatch(
      /Evento 4 de 4: Cobrança de R\$\u00a0279,90 recusada.*recusados: São Paulo → Belo Horizonte \(AL1201\)\. O valor ultrapassa o teto do mandato; nada foi cobrado\. Estavam disponíveis R\$\u00a0220,10/,
    );
  });

  it('leads to the order, its charge, the traveller and the agent, and to every step without a script', async () => {
    const { html } = await clara.open(`/auditoria/mandatos/${mandate.id}?evento=3`);
    for (const path of [
      `pedidos/${paid.id}#cobranca`,
      `viajantes/${holder}`,
      `agentes/${PILOT.clientId}`,
      ...[1, 2, 3, 4].map((number) => `mandatos/${mandate.id}?evento=${number}`),
    ])
      expect(html).toContain(`href="/auditoria/${path}"`);
  });

  it.each(['0', '5', '-1', 'x', '1e3', '99999999999'])('has no event %s', async (number) => {
    expect((await clara.open(`/auditoria/mandatos/${mandate.id}?evento=${number}`)).status).toBe(404);
  });
});

describe('what vouches for an event', () => {
  it('is its hash, and a proof that leads from its place to the checkpoint', async () => {
    const { size } = await sealed(setting.service);
    const { html } = await clara.open(`/auditoria/mandatos/${mandate.id}?evento=1`);
    const places = [...html.matchAll(/nº (\d+) · <span class="mark-on">prova conferida<\/span>/g)].map(([, at]) => at);
    expect([places.length, new Set(places).size]).toEqual([5, 4]); // the event shown, and each that can be played
    const [, covered] = /ponto de controle de ([\d.]+) entradas/.exec(html) ?? [];
    expect(Number(covered?.replaceAll('.', ''))).toBeGreaterThanOrEqual(size);
  });
});

describe('a history that somebody made up', () => {
  it('is shown all the same, a hundred events at a time, with what breaks the rules and where', async () => {
    const mandateId = crypto.randomUUID();
    const occurredAt = setting.service.dependencies.clock.now();
    const party = { holder: crypto.randomUUID(), clientId: PILOT.clientId };
    const made = (type: string, data: object) => {
      const id = crypto.randomUUID();
      const metadata = { eventId: id, occurredAt, actor: party, schemaVersion: 1, hash: '0'.repeat(64) };
      return { id, type, data: JSON.stringify(data), metadata: JSON.stringify(metadata) };
    };
    const limit = { amount: 100_00, currency: 'BRL' };
    const terms = { ...party, mandateId, limit, scope: [], minutes: 60, startsAt: occurredAt, grantedBy: 'agent' };
    const events = [
      made('MandateCreated', { ...terms, expiresAt: '2999-01-01T00:00:00.000Z' }),
      ...Array.from({ length: 120 }, () =>
        made('MandateConsumed', { orderId: crypto.randomUUID(), amount: limit, consumedAt: occurredAt }),
      ),
    ];
    await setting.service.dependencies.events.append(`mandate-${mandateId}`, -1, events);
    const last = await textOf(`/auditoria/mandatos/${mandateId}`);
    for (const one of [
      'Evento 121 de 121',
      'Eventos 101 a 121 de 121',
      'evento 1 : O evento foi alterado, ou não é o que veio depois do anterior. ( chain )',
      'quebras foram encontradas',
    ])
      expect(last).toContain(one);
    expect(last).toContain('Este evento quebra uma regra: Cobrança sem reserva');
    const next = await textOf(`/auditoria/mandatos/${mandateId}?evento=101`);
    expect(next).toContain('Evento 101 de 121');
    expect(next).not.toContain('é o primeiro evento');
    const first = await clara.open(`/auditoria/mandatos/${mandateId}?evento=100`);
    expect(first.html.match(/<template/g)).toHaveLength(100);
    expect(first.html).toContain(`href="/auditoria/mandatos/${mandateId}?evento=101"`);
  });
});

describe('the newest charges and refusals', () => {
  const shownFor = async (query: string): Promise<readonly string[]> => {
    const { html } = await clara.open(`/auditoria/movimentos?${query}`);
    return [...html.matchAll(/row-head">\s*<a href="([^"]*)"/g)].map(([, path = '']) => path.replace('/auditoria', ''));
  };

  it('are what an auditor begins with, each leading to why, and filtered by what a complaint says', async () => {
    const why = `/mandatos/${mandate.id}?evento=4`;
    const text = await textOf('/auditoria');
    expect(text).toMatch(/279,90 recusados não concluído .*279,90 recusados recusa do mandato .*279,90 cobrados pago/);
    const all = await shownFor('');
    expect(all).toEqual([expect.stringContaining('/pedidos/'), why, `/pedidos/${paid.id}`]);
    for (const [query, found] of [
      ['tipo=cobrancas', [all[2]]],
      ['tipo=recusas', all.slice(0, 2)],
      ['motivo=mandate_limit_exceeded', [why]],
      ['motivo=payment_declined', [all[0]]],
      ['valor=279%2C90&final=4242', [all[2]]],
      ['valor=279%2C91', []],
      [`agente=${PILOT.clientId}`, all],
      ['agente=alcada', []],
      ['voo=AL1201', all],
      [`antes=${paid.createdAt}`, []],
      ['dia=1999-01-01', []],
      ['dia=1999-13-01', []],
    ] as const)
      expect([query, await shownFor(query)]).toEqual([query, found]);
    expect((await clara.open('/auditoria/movimentos?antes=ontem')).status).toBe(404);
  });

  it('are where a search for an amount, a card, a flight or a day leads', async () => {
    const { url, html } = await clara.open(`/auditoria/busca?id=${encodeURIComponent('R$ 279,90 4242')}`);
    expect([url.pathname, url.search]).toEqual(['/auditoria/movimentos', '?valor=279%2C90&final=4242']);
    expect(html).toContain(`href="/auditoria/pedidos/${paid.id}"`);
  });
});

describe('a month', () => {
  it('is added up, and taken away as CSV', async () => {
    const month = new Date(Date.parse(paid.createdAt) - 3 * 3_600_000).toISOString().slice(0, 7);
    const path = `/auditoria/meses/${month}`;
    expect((await clara.open('/auditoria')).html).toContain(`href="${path}"`);
    const [brought, declined] = ['Cobrado 1 R\u00a0', 'Recusado: cartão recusado 1'];
    expect((await textOf(path)).replaceAll('R$', 'R')).toContain(brought);
    expect(await textOf(path)).toContain(declined);
    const sums = await clara.open(`${path}/somas.csv`);
    expect(sums.html.split('\r\n').sort()).toEqual(
      [
        '',
        'mes,tipo,motivo,quantidade,soma_centavos,moeda',
        `${month},cobrado,,1,27990,BRL`,
        `${month},recusado,mandate_limit_exceeded,1,27990,BRL`,
        `${month},recusado,payment_declined,1,27990,BRL`,
      ].sort(),
    );
    const lines = (await clara.open(`${path}/linhas.csv`)).html.split('\r\n');
    expect(lines).toHaveLength(5);
    expect(lines[3]).toMatch(
      new RegExp(`,cobrada,27990,BRL,0,,${paid.id},${mandate.id},,${holder},${PILOT.clientId},AL1201,.*,visa,4242$`),
    );
    for (const none of ['2026-13', '9999-12', '0000-01'])
      expect((await clara.open(`/auditoria/meses/${none}`)).status).toBe(404);
    const views = (await viewsIn(setting.service)).map(({ data }) => data['subject']);
    expect(views).toEqual(expect.arrayContaining([month, `${month}.somas`, `${month}.linhas`]));
  });
});

describe('why an order was allowed', () => {
  it('is what its page begins with: each condition of its moment, leading to the event that says so', async () => {
    const text = await textOf(`/auditoria/pedidos/${paid.id}`);
    expect(text).toMatch(
      / comprou o voo .* Por que a cobrança foi permitida Mandato em vigor \(valia\) válido naquele momento; vale de .* Disponível antes \(valia\) R\$\u00a0279,90 pedidos; R\$\u00a0500,00 disponíveis, de um teto de R\$\u00a0500,00 Condições \(valia\) nenhuma .* Agente \(valia\) .* Escopo \(valia\) .* Concessão \(valia\) .* Confirmação \(valia\) o cartão não a pediu Cobrança \(valia\) feita com Visa final 4242/,
    );
    const { html } = await clara.open(`/auditoria/pedidos/${paid.id}`);
    for (const path of [`/auditoria/mandatos/${mandate.id}?evento=1`, `/auditoria/mandatos/${mandate.id}?evento=2`])
      expect(html).toContain(`href="${path}"`);
    expect(html).toContain('href="#evento-2"');
    expect(html).toContain('id="evento-2"');
  });

  it('is why it was not, where it was refused', async () => {
    const failed = bodyOf(await setting.ana.call<List<Order>>('GET', '/orders?status=failed'), 200);
    const text = await textOf(`/auditoria/pedidos/${failed.items[0]?.id}`);
    expect(text).toMatch(
      /Por que a cobrança foi recusada .* Cobrança \(não valia\) nada foi cobrado\. .* Não valeu: cobrança\./,
    );
  });
});

describe('the pages around it', () => {
  it('show an order with its charge in the ledger, and that both say the same', async () => {
    const text = await textOf(`/auditoria/pedidos/${paid.id}`);
    expect(text).toMatch(/Situação cobrada Valor R\$\u00a0279,90/);
    expect(text).toContain('Número e valor são os mesmos no pedido e no livro.');
    for (const one of ['1. Pedido feito', '2. Pedido pago', 'Visa final 4242']) expect(text).toContain(one);
  });

  it('show a booking with the order that took it, and an agent with its travellers', async () => {
    expect(await textOf(`/auditoria/reservas/${booking.id}`)).toMatch(/1\. Reserva criada.*3\. Bilhete emitido/);
    expect(await textOf(`/auditoria/agentes/${PILOT.clientId}`)).toContain(`Mandatos do viajante ${holder}`);
    const party = await textOf(`/auditoria/agentes/${PILOT.clientId}/viajantes/${holder}`);
    expect(party).toContain(mandate.id);
  });

  it('show a traveller by their id alone', async () => {
    const text = await textOf(`/auditoria/viajantes/${holder}`);
    for (const one of [mandate.id, paid.id, 'Mandatos (2)', 'não concluído']) expect(text).toContain(one);
    expect(text).not.toContain(ANA.email);
  });
});

// The last ones: they grant mandates more.
describe('a cancelled order', () => {
  it('is shown with its refund in the ledger, and its mandate with what came back', async () => {
    const { ana } = setting;
    const other = await grant(ana, TRIP_PRICE);
    const one = await buy(ana, await book(ana), other);
    const back = await giveBack(ana, one);
    const text = (cents: number) => `R$\u00a0${(cents / 100).toFixed(2).replace('.', ',')}`;
    const shown = await textOf(`/auditoria/pedidos/${one.id}`);
    expect(shown).toMatch(/Motivo regra da tarifa A devolver .* Situação devolvida Valor R\$.* Devolvida em/);
    expect(shown).toContain('O pedido e o livro dizem o mesmo da devolução.');
    expect(shown).toMatch(/3\. Cancelamento iniciado .* 4\. Pedido cancelado/);
    const replay = await textOf(`/auditoria/mandatos/${other.id}`);
    expect(replay).toContain(`Cobrado ao todo ${text(TRIP_PRICE)} Devolvido ${text(back)} de pedidos cancelados`);
    expect(replay).toContain(`Evento 4 de 4: ${text(back)} devolvidos de um pedido cancelado`);
    expect(replay).toMatch(/Devolvido R\$\u00a00,00 R\$\u00a0[\d,]+ \(mudou\)/);
  });
});

describe('the terms of a mandate', () => {
  it('stand at the head of its replay: what was granted, by whom, on which conditions and until when', async () => {
    const limit = brl(TRIP_PRICE);
    const asked = { limit, constraints: { to: ['REC'], maxOrders: 1 } };
    const narrow = bodyOf(await setting.ana.post<Mandate>('/mandates', asked), 201);
    const refused = await order(setting.ana, await book(setting.ana), narrow);
    expect(refused).toMatchObject({ status: 422, body: { error: 'mandate_constraint_violated' } });
    const text = await textOf(`/auditoria/mandatos/${narrow.id}`);
    expect(text).toMatch(
      /Teto R\$\u00a0279,90 Permite .*mandato.* Condições Só voos para Recife \(REC\) Uma única compra Concedido pelo agente, dentro do que o viajante permite Vale de .* Até /,
    );
    expect(text).toContain(
      'R$\u00a0279,90 recusados: São Paulo → Belo Horizonte (AL1201). O mandato só permite voos para Recife.',
    );
  });
});
