import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tokensFor } from '../support/agent.js';
import type { Booking, Mandate } from '../support/answers.js';
import { type Door, mcp, rest, webmcp } from '../support/doors.js';
import { faultOf, type Schema } from '../support/json-schema.js';
import { mcpClientAt } from '../support/mcp-client.js';
import { bodyOf, book, brl, buy, GOOD_CARD, grant, TRIP, TRIP_PRICE } from '../support/purchase.js';
import { SettingOnFiles } from '../support/setting.js';

interface Tool {
  readonly name: string;
  readonly outputSchema: Schema & { readonly properties: Readonly<Record<string, Schema>> };
}

const SECRET = 'segredo-que-ninguem-guarda';
const TEXT = 'é desconhecido e foi ignorado';

const setting = new SettingOnFiles();
let token: string;
let tools: readonly Tool[];
let mandate: Mandate;
beforeAll(async () => {
  token = (await tokensFor(setting.origin)).access_token;
  const manifest = await fetch(`${setting.origin}/.well-known/webmcp.json`);
  ({ tools } = (await manifest.json()) as { readonly tools: readonly Tool[] });
  mandate = await grant(setting.ana, TRIP_PRICE * 20);
});

/** Arguments of every tool, each with a name that is misspelled and what was meant. */
const MISSPELLED: readonly (readonly [
  tool: string,
  args: () => object | Promise<object>,
  name: string,
  meant: string,
])[] = [
  ['search_flights', () => ({ q: 'recife', limt: 1 }), 'limt', 'limit'],
  ['quote_fares', () => ({ flightNumber: 'AL1201', budget: 1, passanger: 2 }), 'passanger', 'passengers'],
  ['create_booking', () => ({ ...TRIP, fare_code: 'PLUS' }), 'fare_code', 'fareCode'],
  [
    'change_booking',
    async () => ({ bookingId: (await book(setting.ana)).id, pasengers: 3 }),
    'pasengers',
    'passengers',
  ],
  ['create_mandate', () => ({ limit: { ...brl(1), curency: 'USD' } }), 'limit.curency', 'limit.currency'],
  ['place_order', async () => ({ ...(await anOrder()), expectdTotal: brl(1) }), 'expectdTotal', 'expectedTotal'],
];
const anOrder = async () => ({
  bookingId: (await book(setting.ana)).id,
  mandateId: mandate.id,
  payment: GOOD_CARD,
});

const DOORS: readonly (readonly [name: string, door: Door])[] = [
  ['REST', rest],
  ['WebMCP', webmcp],
  ['MCP', mcp],
];

describe.each(DOORS)('over %s', (_, door) => {
  it.each(MISSPELLED)('%s tells what it ignored', async (tool, args, name, meant) => {
    const { status, body } = await door(setting.origin, token, tool, await args());
    expect([status, body['warnings']]).toEqual([
      200,
      [{ in: expect.any(String), field: name, suggestion: meant, message: `${TEXT}; talvez seja ${meant}` }],
    ]);
    const schema = tools.find((one) => one.name === tool)?.outputSchema;
    expect(faultOf(schema ?? {}, body)).toBeNull();
  });

  it('tells nothing where all is known, and never in a receipt', async () => {
    const { id: orderId } = await buy(setting.ana, await book(setting.ana), mandate);
    const calls: readonly (readonly [tool: string, args: object])[] = [
      ['search_flights', { q: 'recife', from: 'GRU', to: 'REC', limit: 1 }],
      ['create_booking', TRIP],
      ['create_mandate', { limit: brl(1), durationMinutes: 5 }],
      ['place_order', { ...(await anOrder()), expectedTotal: brl(TRIP_PRICE), buyer: { name: 'Ana' } }],
      ['get_receipt', { orderId, orderID: orderId }],
    ];
    for (const [tool, args] of calls) {
      const { status, body } = await door(setting.origin, token, tool, args);
      expect([tool, status, Object.keys(body).includes('warnings')]).toEqual([tool, 200, false]);
    }
  });
});

describe('the schemas of the tools', () => {
  it('have the warnings, but for a receipt', () => {
    for (const { name, outputSchema } of tools) {
      const { warnings } = outputSchema.properties;
      expect([name, warnings?.['maxItems']]).toEqual([name, name === 'get_receipt' ? undefined : 20]);
    }
  });

  it('are what a client of MCP judges the answers by', async () => {
    const { client } = await mcpClientAt(setting.origin);
    await client.listTools();
    const { structuredContent } = await client.callTool({ name: 'search_flights', arguments: { limt: 1 } });
    expect(structuredContent).toMatchObject({ warnings: [{ field: 'limt', suggestion: 'limit' }] });
    await client.close();
  });
});

describe('what was ignored', () => {
  it('is kept nowhere: in no event, read model or remembered answer', async () => {
    const key = { 'idempotency-key': crypto.randomUUID() };
    const body = { ...TRIP, passangers: SECRET, [SECRET]: 1 };
    const { id } = bodyOf(await setting.ana.call<Booking>('POST', '/bookings', body, key), 201);
    await buy(setting.ana, bodyOf(await setting.ana.get<Booking>(`/bookings/${id}`), 200), mandate);
    // Over servers the folder is empty; what is written there is made of the same values.
    for (const file of await readdir(setting.folder)) {
      const bytes = await readFile(join(setting.folder, file), 'latin1');
      for (const text of [SECRET, 'passangers', 'talvez seja'])
        expect([file, bytes.includes(text)]).toEqual([file, false]);
    }
    expect(bodyOf(await setting.ana.get<Booking>(`/bookings/${id}`), 200)).not.toHaveProperty('warnings');
  });
});

describe('the figures of agent traffic', () => {
  const read = (query: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${setting.origin}/api/v1/observability/agent-traffic?${query}`, { headers });

  it('warn in JSON, unkept, and not as CSV or for Prometheus', async () => {
    const json = await read('bucket=hour&agnt=x');
    expect([json.headers.get('etag'), json.headers.get('cache-control')]).toEqual([null, 'no-store']);
    expect(await json.json()).toMatchObject({ warnings: [{ in: 'query', field: 'agnt', suggestion: 'agent' }] });
    for (const format of ['csv', 'prometheus']) {
      const answer = await read(`bucket=hour&agnt=x&format=${format}`);
      expect([answer.headers.get('etag'), await answer.text()]).toEqual([
        expect.stringMatching(/^W/),
        expect.not.stringContaining('agnt'),
      ]);
    }
  });

  it('are refused in every form where that is preferred, their stream too', async () => {
    for (const path of ['?format=csv&agnt=x', '/stream?agnt=x']) {
      const url = `${setting.origin}/api/v1/observability/agent-traffic${path}`;
      const answer = await fetch(url, { headers: { prefer: 'handling=strict' } });
      expect([answer.status, await answer.json()]).toMatchObject([422, { error: 'unknown_member' }]);
    }
  });
});
