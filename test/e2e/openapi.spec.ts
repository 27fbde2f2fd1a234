import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ERROR_CATALOGUE } from '#http';
import { ERROR_CODES } from '#kernel';
import { tokensFor } from '../support/agent.js';
import { bearer } from '../support/doors.js';
import { ServiceUnderTest } from '../support/service-under-test.js';

interface Media {
  readonly schema: object;
  readonly examples?: Readonly<Record<string, { readonly value: object }>>;
}
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly { readonly name: string }[];
  readonly requestBody?: { readonly required?: boolean };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
}
interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

/** JSON, but for what is a stream of events or a text of another format. */
const formOf = (content: Readonly<Record<string, Media>> | undefined): object | undefined =>
  (content?.['application/json'] ?? content?.['text/event-stream'] ?? content?.['text/plain'])?.schema;

const tested = new ServiceUnderTest();
let text: string;
let document: Document;
let operations: readonly (Operation & { readonly name: string })[];
beforeAll(async () => {
  const answer = await fetch(`${tested.origin}/api/v1/openapi.json`);
  text = await answer.text();
  document = JSON.parse(text) as Document;
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, name: `${method.toUpperCase()} ${path}` })),
  );
});

const SCOPES: Readonly<Record<string, readonly string[]>> = {
  'GET /health': [],
  'GET /flights': [],
  'GET /flights/{flightNumber}': [],
  'GET /flights/{flightNumber}/fares': [],
  'POST /bookings': ['booking:write'],
  'GET /bookings': ['booking:write'],
  'GET /bookings/{id}': ['booking:write'],
  'PATCH /bookings/{id}': ['booking:write'],
  'POST /mandates': ['mandate:create'],
  'GET /mandates': ['mandate:create'],
  'GET /mandates/{id}': ['mandate:create'],
  'GET /mandates/{id}/events': ['mandate:create'],
  'DELETE /mandates/{id}': ['mandate:create'],
  'POST /orders': ['order:write', 'payment:execute'],
  'GET /orders': ['receipt:read'],
  'GET /orders/{id}': ['receipt:read'],
  'GET /orders/{id}/receipt': ['receipt:read'],
  'GET /orders/{id}/receipt/proof': ['receipt:read'],
  'POST /webmcp/call': [],
};

/** All values of a member, wherever it stands. */
const valuesOf = (name: string, node: unknown): readonly unknown[] => {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]: [string, unknown]) => [
    ...(key === name ? [value] : []),
    ...valuesOf(name, value),
  ]);
};

describe('the OpenAPI document', () => {
  it('is of version 3.1, for version 1.0.0 of the interface', () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.info.version).toBe('1.0.0');
    expect(document.servers).toEqual([{ url: '/api/v1' }]);
    expect(text).not.toContain('"nullable"');
  });

  it('has every operation, with the scopes it needs', () => {
    for (const [name, scopes] of Object.entries(SCOPES)) {
      const operation = operations.find((one) => one.name === name);
      expect([name, operation?.security?.[0]?.['oauth2'] ?? []]).toEqual([name, scopes]);
    }
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  });

  it('has what each answers, with a schema', () => {
    for (const { name, responses } of operations) {
      const [success] = Object.keys(responses).filter((status) => status.startsWith('2'));
      expect([name, success]).toEqual([name, /^POST \/(bookings|mandates|orders)$/.test(name) ? '201' : '200']);
      for (const [status, { content }] of Object.entries(responses))
        expect([name, status, typeof formOf(content)]).toEqual([
          name,
          status,
          status === '304' ? 'undefined' : 'object',
        ]);
    }
  });

  it('says of every answer in JSON but a receipt that it may warn, and that unknown names can be refused', () => {
    for (const { name, responses, parameters = [] } of operations) {
      const { content } = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1] ?? {};
      const isWarning = JSON.stringify(content?.['application/json'] ?? {}).includes('/Warned"');
      const isSilent = /receipt(\/proof)?$|\/stream$|^POST \/webmcp/.test(name);
      expect([name, isWarning, parameters.some((one) => one.name === 'Prefer')]).toEqual([name, !isSilent, true]);
      expect(responses['422']?.content?.['application/json']?.examples).toHaveProperty('unknown_member');
    }
  });

  it('shows each error by an example of the catalogue', () => {
    for (const { name, responses } of operations) {
      for (const [status, { content }] of Object.entries(responses)) {
        if (status < '400') continue;
        const examples = Object.entries(content?.['application/json']?.examples ?? {});
        expect([name, status, examples.length > 0]).toEqual([name, status, true]);
        for (const [code, { value }] of examples) {
          const known = ERROR_CODES.find((one) => one === code);
          expect(known && ERROR_CATALOGUE[known]).toMatchObject({ status: Number(status) });
          expect(value).toMatchObject({ error: code, message: known && ERROR_CATALOGUE[known].message });
        }
      }
    }
  });

  it('shows what a protected operation and one with a body may refuse', () => {
    for (const { name, security, requestBody, responses } of operations) {
      const refuses = Object.keys(responses);
      if (security) expect([name, refuses]).toEqual([name, expect.arrayContaining(['401', '403'])]);
      if (!requestBody) continue;
      // A tool's arguments are refused with 400, and what its handler refuses is a result.
      const statuses = ['400', '413', '415', ...(name === 'POST /webmcp/call' ? [] : ['422'])];
      expect([name, refuses]).toEqual([name, expect.arrayContaining(statuses)]);
    }
  });

  it('lists every code of the catalogue, but for those of other addresses', () => {
    const listed = new Set(
      operations.flatMap(({ responses }) =>
        Object.values(responses).flatMap(({ content }) => Object.keys(content?.['application/json']?.examples ?? {})),
      ),
    );
    const missing = ERROR_CODES.filter((code) => !listed.has(code));
    expect(missing).toEqual(['origin_forbidden', 'route_not_found', 'method_not_allowed']);
  });

  it('points only at what it defines', () => {
    const references = valuesOf('$ref', document);
    expect(references.length).toBeGreaterThan(20);
    for (const reference of references) {
      const [, name = ''] = /^#\/components\/schemas\/(.+)$/.exec(String(reference)) ?? [];
      expect([reference, Object.hasOwn(document.components.schemas, name)]).toEqual([reference, true]);
    }
  });

  it('names every form for whoever generates from it: each list, and no class of ours', () => {
    const names = Object.keys(document.components.schemas);
    expect(names).toEqual(expect.arrayContaining(['FlightList', 'BookingList', 'MandateList', 'OrderList']));
    expect(names.filter((name) => /Dto|View/.test(name))).toEqual([]);
    expect(document.components.schemas['Order']).toMatchObject({ properties: { failure: { type: 'string' } } });
    expect(JSON.stringify(document.components.schemas['Order'])).not.toContain('"enum":["malformed_json"');
  });

  it('says null as JSON Schema does', () => {
    expect(document.components.schemas['Booking']).toMatchObject({
      properties: { fareCode: { type: ['string', 'null'] }, passengers: { type: 'integer' } },
    });
  });
});

/** The text of an element without others in it. */
const textOf = (markup: string): string =>
  markup
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

describe.each([
  ['/docs', 'pt-BR', 'Referência da API'],
  ['/docs/en', 'en', 'API reference'],
])('the reference at %s', (path, language, title) => {
  let page: string;
  beforeAll(async () => {
    page = await (await fetch(tested.origin + path)).text();
  });

  it('has every operation and every schema once, and leads nowhere that is not there', () => {
    expect(page).toMatch(new RegExp(`<html lang="${language}">.*<h1>${title}</h1>`, 's'));
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id);
    expect(ids).toHaveLength(new Set(ids).size);
    const schemas = Object.keys(document.components.schemas).map((name) => `schema-${name}`);
    expect(ids).toEqual(expect.arrayContaining([...operations.map(({ operationId }) => operationId), ...schemas]));
    for (const [, id = ''] of page.matchAll(/href="#([^"]*)"/g)) expect(ids).toContain(id);
  });

  it('has of every operation what it takes and what it answers and refuses', () => {
    for (const { operationId, parameters = [], responses } of operations) {
      const [, section = ''] =
        new RegExp(`<section class="operation" id="${operationId}".*?>(.*?)</section>`, 's').exec(page) ?? [];
      const codes = Object.values(responses).flatMap(({ content }) =>
        Object.keys(content?.['application/json']?.examples ?? {}).filter((name) =>
          ERROR_CODES.some((one) => one === name),
        ),
      );
      const said = [...parameters.map(({ name }) => name), ...codes, ...Object.keys(responses)];
      expect([operationId, said.filter((word) => !section.includes(`>${word}<`))]).toEqual([operationId, []]);
    }
  });

  it('loads, with all it needs from here, less than 300 KB', async () => {
    const files = [...page.matchAll(/(?:<link rel="stylesheet" href|<script[^>]* src)="([^"]+)"/g)].map(
      ([, file = '']) => file,
    );
    expect(files).toHaveLength(3);
    const loaded = await Promise.all(files.map(async (file) => (await fetch(new URL(file, tested.origin))).text()));
    expect([page, ...loaded].reduce((sum, one) => sum + Buffer.byteLength(one), 0)).toBeLessThan(300_000);
  });

  it('calls every operation in words that a shell understands, and the open ones answer', async () => {
    const curls = [...page.matchAll(/<code>(curl .*?)<\/code>/gs)].map(([, curl = '']) => textOf(curl));
    expect(curls).toHaveLength(operations.length);
    // In place of curl, what writes down what the shell made of its arguments.
    const script = `TOKEN=x BOOKING_ID=x MANDATE_ID=x ORDER_ID=x\ncurl() { printf '%s\\037' "$@"; printf '\\036'; }`;
    const { stdout, stderr } = spawnSync('sh', ['-euc', `${script}\n${curls.join('\n')}`], { encoding: 'utf8' });
    expect(stderr).toBe('');
    const calls = stdout.split('\u001e').slice(0, -1);
    expect(calls).toHaveLength(operations.length);
    for (const call of calls.map((one) => one.split('\u001f').slice(0, -1))) {
      const url = call.find((argument) => argument.startsWith('http')) ?? '';
      expect([url, new URL(url).origin]).toEqual([url, tested.origin]);
      if (call.includes('-d')) expect(JSON.parse(call[call.indexOf('-d') + 1] ?? '')).toBeInstanceOf(Object);
      const isOpen = !call.some((argument) => /^(?:-X|-N|Authorization: Bearer x)$/.test(argument));
      if (isOpen) expect([url, (await fetch(url)).status]).toEqual([url, 200]);
    }
  });
});

/** What limits, parsers, guards and caches answer in place of a handler, whatever the operation is. */
const PROBES: readonly { readonly headers?: Readonly<Record<string, string>>; readonly body?: string }[] = [
  {},
  { headers: { authorization: 'Bearer no.token.ofours' } },
  { headers: { 'idempotency-key': 'a b' } },
  { headers: { 'if-none-match': '*' } },
  { headers: { 'content-type': 'text/plain' }, body: 'x' },
  { headers: { 'content-type': 'application/json' }, body: '{' },
  { headers: { 'content-type': 'application/json' }, body: '[]' },
  { headers: { 'content-type': 'application/json' }, body: '{}' },
  { headers: { 'content-type': 'application/json' }, body: `"${'x'.repeat(64 * 1024)}"` },
];

describe('every route of the API', () => {
  it('answers no status that its description does not list, whatever stands before its handler', async () => {
    const { access_token: token } = await tokensFor(tested.origin);
    for (const { name, responses } of operations) {
      const [method = '', path = ''] = name.split(' ');
      const url = `${tested.origin}/api/v1${path.replaceAll(/\{\w+\}/g, 'x')}`;
      for (const { headers = {}, body } of PROBES) {
        if (method === 'GET' && body !== undefined) continue;
        for (const authorization of [{}, bearer(token)]) {
          // HEAD keeps no stream open.
          const sent = { method: method === 'GET' ? 'HEAD' : method, headers: { ...authorization, ...headers } };
          const { status } = await fetch(url, { ...sent, ...(body !== undefined && { body }) });
          expect([name, headers, Object.keys(responses)]).toEqual([
            name,
            headers,
            expect.arrayContaining([String(status)]),
          ]);
        }
      }
      expect([name, Object.keys(responses)]).toEqual([name, expect.arrayContaining(['429', '500', '503'])]);
    }
  });

  it('says who may call it: without a token it is open or 401, and never closed by mistake', async () => {
    for (const { name, security = [] } of operations) {
      const [method = '', path = ''] = name.split(' ');
      const needsToken = security.some(({ oauth2 = [] }) => oauth2.length > 0);
      // HEAD keeps no stream open.
      const asked = method === 'GET' && !needsToken ? 'HEAD' : method;
      const url = `${tested.origin}/api/v1${path.replaceAll(/\{\w+\}/g, 'x')}`;
      const { status } = await fetch(url, { method: asked });
      expect({ name, isLetIn: status !== 401, isKnown: status < 500 }).toEqual({
        name,
        isLetIn: !needsToken,
        isKnown: true,
      });
    }
  });
});
