import { openForAll } from '#testing';
import type { AgentTraffic } from '../../libs/traffic/src/testing/index.js';
import { agentAt, apiAt } from '../support/agent.js';
import { book, buy, DECLINED_CARD, grant, order } from '../support/purchase.js';
import { runProjector, startProcess } from '../support/real-process.js';
import { newFolder, removeFolder, startService, startServiceInMemory } from '../support/service.js';
import { areServersUsed, storesOf } from '../support/stores.js';

const TRAFFIC = '/api/v1/observability/agent-traffic';

const TWO_REFUSED = { errors: 2, refused: 2, limited: 0, failed: 0, abandoned: 0 };

const service = openForAll(() => startServiceInMemory());

const read = (query = '', headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${service.origin}${TRAFFIC}${query}`, { headers });

const settled = async (): Promise<void> => {
  await service.traffic?.flush();
  const head = await service.dependencies.events.head();
  if (head) await service.dependencies.readModels.caughtUp(head.position);
};

beforeAll(async () => {
  const agent = await agentAt(service.origin);
  await agent.get('/flights?q=recife');
  await agent.get('/flights/AL1201/fares?budget=100000');
  const mandate = await grant(agent, 500_00);
  const { id } = await buy(agent, await book(agent), mandate);
  await agent.get(`/orders/${id}/receipt`);
  await agent.get('/flights/AL1201'); // its token is known by now: it counts for the client, as no earlier read did
  await apiAt(service.origin, 'made-up').get('/flights/AL1201');
  await order(agent, await book(agent), mandate); // more than remains
  await order(agent, await book(agent), await grant(agent, 500_00), DECLINED_CARD);
  await agent.call('DELETE', `/mandates/${mandate.id}`);
  await settled();
});

describe('GET /observability/agent-traffic', () => {
  it('tells what agents did, by counts alone', async () => {
    const response = await read('?bucket=hour');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    const { generatedAt, window, series, byOperation, ...counts } = (await response.json()) as Readonly<
      Record<string, unknown>
    >;
    expect(counts).toEqual({
      totals: { requests: 14, ...TWO_REFUSED, errorRate: 0.1429, agents: 2 },
      byChannel: [{ channel: 'rest', calls: 14, ...TWO_REFUSED }],
      byStatus: [
        { status: 200, calls: 6 },
        { status: 201, calls: 6 },
        { status: 402, calls: 1 },
        { status: 422, calls: 1 },
      ],
      byErrorCode: [
        { error: 'mandate_limit_exceeded', calls: 1 },
        { error: 'payment_declined', calls: 1 },
      ],
      // One agent of each family: too few to be told by their names.
      byAgentFamily: [{ family: 'other', calls: 14, ...TWO_REFUSED, agents: 2 }],
      familiesBelowMinimum: 2,
      funnel: { search: 3, quote: 1, booking: 3, mandate: 2, order: 1, receipt: 1 },
      agentFunnel: {
        steps: [
          { step: 'search', agents: 2, searched: 2 },
          { step: 'quote', agents: 1, searched: 1 },
          { step: 'booking', agents: 1, searched: 1 },
          { step: 'mandate', agents: 1, searched: 1 },
          { step: 'order', agents: 1, searched: 1 },
          { step: 'receipt', agents: 1, searched: 1 },
        ],
        notFollowed: 0,
      },
      signatures: { verified: 0, unverified: 0, wrong: 0 },
      mandates: { created: 2, revoked: 1, chargesApproved: 1, chargesRefusedByReason: { mandate_limit_exceeded: 1 } },
      payments: { captured: 1, declined: 1, challenged: 0 },
      security: { codesReplayed: 0, refreshTokensReused: 0, tokensRevoked: 0, loginsThrottled: 0, capsRefused: 0 },
    });
    expect(window).toMatchObject({ bucketSeconds: 3_600 });
    expect(typeof generatedAt).toBe('string');
    expect(series).toHaveLength(25);
    expect(byOperation).toContainEqual({
      operation: 'place_order',
      calls: 3,
      ...TWO_REFUSED,
      p50Ms: expect.any(Number),
      p95Ms: expect.any(Number),
      p99Ms: expect.any(Number),
    });
  });

  it('looks at one operation or one family where it is asked to', async () => {
    const orders = (await (await read('?operation=place_order')).json()) as { readonly totals: object };
    expect(orders).toMatchObject({ totals: { requests: 3, errors: 2 }, funnel: { search: 3, order: 1 } });
    // A family of one agent reads as one of none.
    const [pilot, absent] = await Promise.all(
      ['alcada-pilot', 'gptbot'].map(async (agent) => (await read(`?agent=${agent}`)).json()),
    );
    const { generatedAt: _, ...told } = pilot as Record<string, unknown>;
    expect(told).toMatchObject({ totals: { requests: 0, agents: 0 }, series: [] });
    expect(absent).toMatchObject(told);
  });

  it.each([
    ['?from=ontem', 'invalid_query'],
    ['?from=2026-01-01', 'invalid_query'],
    ['?from=2026-02-30T00:00:00Z', 'invalid_query'],
    ['?from=9999-12-31T23:59:59-23:00', 'invalid_window'],
    ['?bucket=hour&bucket=day', 'invalid_query'],
    ['?operation=nada', 'invalid_query'],
    ['?agent=maria', 'invalid_query'],
    ['?format=xml', 'invalid_query'],
    ['?from=2020-01-01T00:00:00Z&bucket=minute', 'invalid_window'],
  ])('refuses %s', async (query, error) => {
    const response = await read(query);
    expect([response.status, await response.json()]).toEqual([422, expect.objectContaining({ error })]);
  });

  it('is a table to who accepts CSV, and figures to Prometheus', async () => {
    const csv = await read('', { accept: 'text/csv' });
    expect(csv.headers.get('content-type')).toMatch(/^text\/csv/);
    const lines = (await csv.text()).split('\r\n');
    expect(lines.slice(0, 2)).toEqual(['section,name,measure,value', expect.stringMatching(/^generatedAt,,,2/)]);
    expect(lines).toContain('byOperation,place_order,calls,3');
    expect(lines).toContain('mandates,mandate_limit_exceeded,chargesRefused,1');
    const prometheus = await read('', { accept: 'application/openmetrics-text;q=0.5,text/plain;version=0.0.4;q=0.9' });
    expect(prometheus.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const text = await prometheus.text();
    expect(text).toContain('# TYPE alcada_agent_traffic_requests gauge\nalcada_agent_traffic_requests 14\n');
    expect(text).toContain('alcada_agent_traffic_endings{ending="refused"} 2\n');
    expect(text).toContain('alcada_agent_traffic_operation_calls{operation="place_order"} 3\n');
    expect(
      text
        .split('\n')
        .filter(
          (line) => !/^(?:#.*|[a-z_]+(?:\{[a-z]+="[a-zA-Z_0-9.]+"(?:,[a-z]+="[0-9.]+")*\})? [0-9.e-]+)?$/.test(line),
        ),
    ).toEqual([]);
  });

  it('has a tag by which who has it is not sent it again', async () => {
    const first = await read('?bucket=day');
    expect([first.headers.get('cache-control'), first.headers.get('vary')]).toEqual([
      'public, max-age=1',
      'Accept, Prefer',
    ]);
    const again = await read('?bucket=day', { 'if-none-match': first.headers.get('etag') ?? '' });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const other = await read('?bucket=day&format=csv', { 'if-none-match': first.headers.get('etag') ?? '' });
    expect(other.status).toBe(200);
  });
});

describe('the page of agent traffic', () => {
  /** The numbers of a card, and of each row of a table by its name. */
  const numbersIn = (text: string): readonly number[] =>
    [...text.matchAll(/<data value="([0-9.]*)"/g)].map(([, value = '']) => Number(value));
  const rowsOf = (page: string, id: string): Readonly<Record<string, readonly number[]>> => {
    const table = page.slice(page.indexOf(`<h2 id="${id}"`)).split('</section>', 1)[0] ?? '';
    const rows = table.split('<tbody>')[1]?.split('</tr>').slice(0, -1) ?? [];
    return Object.fromEntries(
      rows.map((row) => [(row.split('</th>', 1)[0] ?? '').replace(/<span.*|<[^>]*>/gs, '').trim(), numbersIn(row)]),
    );
  };

  it.each([
    ['?periodo=24h', ''],
    ['?periodo=7d&operacao=place_order', '&operation=place_order'],
    ['?periodo=6h&agente=other', '&agent=other'],
    ['?periodo=30d&agente=other', '&agent=other'],
    ['?periodo=90d', ''],
    ['?periodo=1h&agente=other&operacao=search_flights', '&operation=search_flights&agent=other'],
    ['?periodo=24h&agente=gptbot', '&agent=gptbot'],
    ['?periodo=sempre&operacao=nada&agente=maria', ''],
  ])('shows the figures that the API tells of the same: %s', async (asked, filter) => {
    const page = await (await fetch(`${service.origin}/observability${asked}`)).text();
    const isUnknown = asked.includes('sempre');
    expect(page.includes('isso não foi considerado: período, operação, agente.')).toBe(isUnknown);
    const [, query = ''] = /agent-traffic\?([^"]*)&(?:amp;)?format=json"/.exec(page) ?? [];
    expect(query.replaceAll('&amp;', '&').endsWith(filter)).toBe(true);
    const told = (await (await read(`?${query.replaceAll('&amp;', '&')}`)).json()) as AgentTraffic;
    const { totals, byOperation, byAgentFamily, funnel, agentFunnel, series, mandates, payments } = told;
    const refusedCharges = Object.values(mandates.chargesRefusedByReason).reduce((sum, count) => sum + count, 0);
    const cards = page.split('<dl class="figures">')[1]?.split('</dl>', 1)[0] ?? '';
    expect(numbersIn(cards)).toEqual([
      ...[totals.requests, totals.refused, totals.limited, totals.failed, totals.agents],
      ...[mandates.chargesApproved, refusedCharges, payments.declined],
    ]);
    expect(Object.values(rowsOf(page, 'operacoes'))).toEqual(
      byOperation.map((one) => [one.calls, one.refused, one.limited, one.failed]),
    );
    expect(Object.values(rowsOf(page, 'familias'))).toEqual(
      byAgentFamily.map((one) => [one.agents, one.calls, one.refused, one.limited, one.failed]),
    );
    const steps = agentFunnel.steps.map(({ step, agents, searched }) => [funnel[step], agents, searched]);
    expect(Object.values(rowsOf(page, 'funil'))).toEqual(steps.flat().some((count) => count > 0) ? steps : []);
    const points =
      page.split('data-part="series"')[1]?.split('<tbody>')[1]?.split('</tbody>', 1)[0]?.split('</tr>').slice(0, -1) ??
      [];
    expect(points.map(numbersIn)).toEqual(
      series.map((one) => [
        one.requests,
        one.refused,
        one.limited,
        one.failed,
        one.p50Ms ?? 0,
        one.p95Ms ?? 0,
        one.p99Ms ?? 0,
      ]),
    );
    const below = /inclui ([0-9]+) famílias? abaixo do mínimo/.exec(page)?.[1] ?? '0';
    expect(Number(below)).toBe(told.familiesBelowMinimum);
  });

  it('opens with a period that fits the calls there are, and compares with no time before them', async () => {
    const page = await (await fetch(`${service.origin}/observability`)).text();
    expect(page).toMatch(/<option value="1h" selected>/);
    expect(page).toContain('Não houve chamadas no período anterior.');
    expect(page).not.toContain('antes 0');
    expect(page.indexOf('<h2 id="funil">')).toBeLessThan(page.indexOf('<dl class="figures">'));
  });

  it('leads from its rows to their calls alone, keeping what is asked for, and back', async () => {
    const page = await (await fetch(`${service.origin}/observability?periodo=7d&agente=other`)).text();
    expect(page).toContain('href="/observability?periodo=7d&amp;operacao=place_order&amp;agente=other" data-filter');
    expect(page).toContain('href="/observability?periodo=7d" data-filter>Mostrar todas</a>');
    expect(page).toMatch(/<option value="other" selected>outras<\/option>/);
    // Families too small to be named are not offered.
    expect(page).not.toMatch(/alcada-pilot|Cliente piloto/);
  });
});

describe('GET /observability/agent-traffic/stream', () => {
  it('tells of calls as they come', async () => {
    const watching = new AbortController();
    const response = await fetch(`${service.origin}${TRAFFIC}/stream`, { signal: watching.signal });
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    await apiAt(service.origin).get('/flights');
    await service.traffic?.flush();
    let said = '';
    for await (const chunk of response.body ?? []) {
      said += Buffer.from(chunk as Uint8Array).toString();
      if (/event: traffic\ndata: \{"series":\[.*"requests":[1-9]/.test(said)) break;
    }
    watching.abort();
    expect(said).toMatch(/^retry: 3000\n\n/);
  });

  it('gives nobody a place who asks for its headers alone', async () => {
    const other = await startServiceInMemory({ TRUST_PROXY: 'loopback' });
    const headers = { 'x-forwarded-for': '192.0.2.1' };
    for (let time = 0; time < 9; time += 1) {
      const head = await fetch(`${other.origin}${TRAFFIC}/stream`, { method: 'HEAD', headers });
      expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    }
    const stream = await fetch(`${other.origin}${TRAFFIC}/stream`, { headers });
    expect(stream.status).toBe(200);
    await Promise.all([stream.text(), other.stop()]);
  });

  it('has room for so many of one address and no more, and is no reason for a process not to end', async () => {
    const other = await startServiceInMemory({ TRUST_PROXY: 'loopback' });
    const headers = { 'x-forwarded-for': '192.0.2.1' };
    const open = () => fetch(`${other.origin}${TRAFFIC}/stream`, { headers });
    const streams = await Promise.all(Array.from({ length: 8 }, open));
    expect(streams.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    const refused = await open();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
    const ended = Promise.all(streams.map((stream) => stream.text()));
    await other.stop();
    await ended; // by themselves: the text of a connection that is cut would fail
  });

  it('has room for one more from this machine where all places are taken: the one that was longest there ends', async () => {
    const open = () => fetch(`${service.origin}${TRAFFIC}/stream`);
    const first = await open();
    const others = await Promise.all(Array.from({ length: 100 }, open));
    expect(new Set([first, ...others].map(({ status }) => status))).toEqual(new Set([200]));
    expect(await first.text()).toContain('retry: 3000');
    for (const { body } of others) await body?.cancel();
  });
});

describe('traffic and the end of a process', () => {
  it('is whole after a stop; a kill loses what was not flushed, and counts nothing twice', async () => {
    const lone = await newFolder();
    const first = await startService(lone);
    const call = async (origin: string, times: number) => {
      for (let time = 0; time < times; time += 1) await apiAt(origin).get('/flights/AL1201');
    };
    const told = async (origin: string): Promise<number> => {
      const { totals } = (await (await fetch(origin + TRAFFIC)).json()) as {
        readonly totals: { readonly requests: number };
      };
      return totals.requests;
    };
    await call(first.origin, 30);
    await first.stop();
    const second = await startProcess(lone, storesOf(lone));
    const projector = areServersUsed() ? runProjector(storesOf(lone)) : null;
    await call(second.origin, 50);
    while ((await told(second.origin)) < 80); // until they are written down: that must outlive a kill
    await call(second.origin, 10);
    await Promise.all([second.end('SIGKILL'), projector?.end('SIGKILL')]);
    const third = await startService(lone);
    await call(third.origin, 20);
    await third.stop();
    const last = await startService(lone);
    const all = await told(last.origin);
    expect(all).toBeGreaterThanOrEqual(100);
    expect(all).toBeLessThanOrEqual(110);
    await last.stop();
    await removeFolder(lone);
  });
});
