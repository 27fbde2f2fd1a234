import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Booking, Mandate } from '../support/answers.js';
import { type Schema } from '../support/json-schema.js';
import { mcpClientAt } from '../support/mcp-client.js';
import { bodyOf, buy, grant, TRIP, TRIP_PRICE } from '../support/purchase.js';
import { SettingOnFiles } from '../support/setting.js';

interface Tool {
  readonly name: string;
  readonly outputSchema: Schema & { readonly properties: Readonly<Record<string, Schema>> };
}

const SECRET = 'segredo-que-ninguem-guarda';

const setting = new SettingOnFiles();
let tools: readonly Tool[];
let mandate: Mandate;
beforeAll(async () => {
  const manifest = await fetch(`${setting.origin}/.well-known/webmcp.json`);
  ({ tools } = (await manifest.json()) as { readonly tools: readonly Tool[] });
  mandate = await grant(setting.ana, TRIP_PRICE * 20);
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
    const files = await readdir(setting.folder, { withFileTypes: true });
    for (const { name: file } of files.filter((one) => one.isFile())) {
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
