import { createHash } from 'node:crypto';
import { faultOfSchema, type Schema } from '../support/json-schema.js';
import { ServiceOnFiles } from '../support/service-under-test.js';

interface Manifest {
  readonly script: { readonly url: string; readonly integrity: string };
  readonly tools: readonly {
    readonly name: string;
    readonly title: string;
    readonly description: string;
    readonly access: string;
    readonly scopes: readonly string[];
    readonly annotations: Readonly<Record<string, boolean>>;
    readonly inputSchema: Schema;
    readonly outputSchema: Schema;
  }[];
  readonly refusalSchema: Schema;
}

const tested = new ServiceOnFiles();
let answer: Response;
let manifest: Manifest;
beforeAll(async () => {
  answer = await read();
  manifest = (await answer.json()) as Manifest;
});

const read = (headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${tested.origin}/.well-known/webmcp.json`, { headers });

describe('the WebMCP manifest', () => {
  it('is kept for the host alone that it was asked under, since it names that', () => {
    expect(answer.headers.get('vary')).toContain('Host');
  });

  it('says what it is and where everything lies', () => {
    const at = tested.origin;
    expect(manifest).toMatchObject({
      version: '1.0.0',
      name: 'Alçada',
      dispatch: { method: 'POST', url: `${at}/api/v1/webmcp/call` },
      mcp: { transport: 'streamable-http', url: `${at}/mcp` },
      authorization: {
        issuer: at,
        resource: `${at}/api/v1`,
        resourceMetadata: `${at}/.well-known/oauth-protected-resource/api/v1`,
        scopes: ['catalog:read', 'booking:write', 'order:write', 'mandate:create', 'payment:execute', 'receipt:read'],
      },
    });
  });

  it('holds the script to its bytes as they are served', async () => {
    const { url, integrity } = manifest.script;
    expect(url).toBe(`${tested.origin}/webmcp.js`);
    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
    expect(integrity).toBe(`sha384-${createHash('sha384').update(bytes).digest('base64')}`);
  });

  it('lists each tool once, in the order of a purchase, with what it needs and what it may do', () => {
    const told = manifest.tools.map(({ name, access, scopes, annotations: hints }) => [
      name,
      access,
      scopes.join(' '),
      ['readOnly', 'destructive', 'idempotent', 'untrustedContent'].filter((hint) => hints[`${hint}Hint`]).join(' '),
    ]);
    expect(told).toEqual([
      ['search_flights', 'public', '', 'readOnly idempotent'],
      ['get_flight', 'public', '', 'readOnly idempotent'],
      ['quote_fares', 'public', '', 'readOnly idempotent'],
      ['create_booking', 'scoped', 'booking:write', ''],
      ['get_booking', 'scoped', 'booking:write', 'readOnly idempotent'],
      ['change_booking', 'scoped', 'booking:write', 'destructive idempotent'],
      ['create_mandate', 'scoped', 'mandate:create', ''],
      ['revoke_mandate', 'scoped', 'mandate:create', 'destructive idempotent'],
      ['place_order', 'scoped', 'order:write payment:execute', 'destructive'],
      ['get_receipt', 'scoped', 'receipt:read', 'readOnly idempotent'],
      ['quote_cancellation', 'scoped', 'order:write', ''],
      ['cancel_order', 'scoped', 'order:write', 'destructive idempotent'],
    ]);
    for (const { annotations } of manifest.tools) {
      expect(Object.values(annotations).map((hint) => typeof hint)).toEqual(Array(4).fill('boolean'));
    }
  });

  it('has forms that are JSON Schema 2020-12, of objects, whole in themselves', () => {
    for (const { name, inputSchema, outputSchema } of manifest.tools) {
      for (const schema of [inputSchema, outputSchema, manifest.refusalSchema]) {
        expect([name, faultOfSchema(schema), schema['type']]).toEqual([name, null, 'object']);
        expect(JSON.stringify(schema)).not.toContain('$ref');
      }
    }
  });

  it('is kept for an hour, may be read by any page, and is not sent again to who has it', async () => {
    const { headers } = answer;
    expect([headers.get('cache-control'), headers.get('access-control-allow-origin')]).toEqual([
      'public, max-age=3600',
      '*',
    ]);
    const etag = headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]+"$/);
    const again = await read({ 'if-none-match': etag });
    expect([again.status, await again.text(), again.headers.get('cache-control')]).toEqual([
      304,
      '',
      'public, max-age=3600',
    ]);
    expect((await read({ 'if-none-match': '"another"' })).status).toBe(200);
  });

  it('is the same, byte for byte, after a restart', async () => {
    const [text, port] = [await (await read()).text(), new URL(tested.origin).port];
    await tested.stop();
    await tested.start({ PORT: port });
    expect(await (await read()).text()).toBe(text);
  });
});
