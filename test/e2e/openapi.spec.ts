import { spawnSync } from 'node:child_process';
import { ERROR_CATALOGUE } from '#http';
import { ERROR_CODES } from '#kernel';
import { tokensFor } from '../support/agent.js';
import { bearer } from '../support/doors.js';
import { type Description, operationsOf } from '../fuzz/surface.js';
import { join } from 'node:path';
import { type Answer as Answered, Api } from '#agent';
import { generatedBuyer } from '../support/generated-client.js';
import { faultInOpenApi } from '../support/json-schema.js';
import { operationOf, OTHER } from '../../libs/traffic/src/testing/index.js';
import { Receiver } from '../../libs/outbox/src/testing/index.js';
import { DECLINED_CARD } from '../support/purchase.js';
import { newFolder, removeFolder } from '../support/service.js';
import { ServiceUnderTest } from '../support/service-under-test.js';

interface Media {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly $ref: string }>>;
}
interface Answer {
  readonly description: string;
  readonly headers?: Readonly<Record<string, object>>;
  readonly content?: Readonly<Record<string, Media>>;
}
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly { readonly name: string }[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Answer>>;
}
interface Document extends Description {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> & Description['paths'];
  readonly components: Description['components'] & {
    readonly examples: Readonly<Record<string, { readonly value: Readonly<Record<string, unknown>> }>>;
  };
}

/** JSON, but for what is a stream of events or a text of another format. */
const formOf = (content: Readonly<Record<string, Media>> | undefined): object | undefined =>
  (content?.['application/json'] ?? Object.values(content ?? {})[0])?.schema;

/** Where the limits count this machine as any other, with room for every probe of every route. */
const tested = new ServiceUnderTest({ TRUST_PROXY: 'none', LIMIT_OPERATIONS: '60000' });
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
  'GET /orders/{id}/ticket.pdf': ['receipt:read'],
  'GET /orders/{id}/ticket.ics': ['receipt:read'],
  'POST /webhooks': ['webhook:manage'],
  'GET /webhooks': ['webhook:manage'],
  'DELETE /webhooks/{id}': ['webhook:manage'],
  'GET /webhooks/{id}/deliveries': ['webhook:manage'],
  'POST /webmcp/call': [],
};

/** A form that is one of several, or one that is named. */
interface Variants {
  readonly $ref?: string;
  readonly oneOf?: readonly { readonly $ref?: string }[];
  readonly discriminator?: { readonly propertyName: string; readonly mapping: Readonly<Record<string, string>> };
}

const mappingOf = (codes: readonly string[], variants: readonly { readonly $ref?: string }[]) =>
  Object.fromEntries(codes.map((code, place) => [code, variants[place]?.$ref]));

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
    // Absolute: what generates a client from a copy of the document knows no other address.
    expect(document.servers).toEqual([{ url: `${tested.origin}/api/v1` }]);
    expect(text).not.toContain('"nullable"');
  });

  it('is in English below /docs/en, what it says of errors included', async () => {
    for (const { path, page } of await referenceIn('/docs/en')) {
      expect([path, page]).toEqual([path, expect.stringContaining('<html lang="en">')]);
      expect([path, page.match(/<\w+ [^>]*lang="pt-BR"\s*>.*/g) ?? []]).toEqual([
        path,
        [expect.stringContaining('hreflang="pt-BR"')],
      ]);
    }
  });

  it('says of every member and parameter what it is, in both languages, however deep it stands', () => {
    const members = (node: unknown, path: string): readonly (readonly [string, object])[] => {
      if (typeof node !== 'object' || node === null) return [];
      return Object.entries(node).flatMap(([key, one]: [string, unknown]) => {
        const inside = key === 'example' || key === 'examples' ? [] : members(one, `${path}.${key}`);
        const own = key === 'properties' ? Object.entries(one as Readonly<Record<string, object>>) : [];
        return [...own.map(([name, member]) => [`${path}.${name}`, member] as const), ...inside];
      });
    };
    const parameters = operations.flatMap(({ name, parameters: taken = [] }) =>
      taken.map((one) => [`${name} ${one.name}`, one] as const),
    );
    const all = [...members(document.components.schemas, ''), ...members(document, ''), ...parameters];
    expect(all.length).toBeGreaterThan(700);
    const untold = all.filter(([, one]) =>
      ['description', 'x-description-en'].some((text) => !/^\S.{3,}\.$/s.test(String(Reflect.get(one, text)))),
    );
    expect(untold.map(([path]) => path)).toEqual([]);
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
      expect([name, success]).toEqual([
        name,
        /^POST \/(bookings|mandates|orders|webhooks|.*\/cancellations)$/.test(name)
          ? '201'
          : name === 'DELETE /webhooks/{id}'
            ? '204'
            : '200',
      ]);
      for (const [status, { content }] of Object.entries(responses))
        expect([name, status, typeof formOf(content)]).toEqual([
          name,
          status,
          status === '304' || status === '204' ? 'undefined' : 'object',
        ]);
    }
  });

  it('says of every answer in JSON but a receipt that it may warn, and that unknown names can be refused', () => {
    for (const { name, responses, parameters = [] } of operations) {
      const { content } = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1] ?? {};
      const isWarning = JSON.stringify(content?.['application/json'] ?? {}).includes('/Warned"');
      const isSilent =
        /receipt(\/proof)?$|\/credit-note$|\/ticket\.\w+$|\/stream$|^POST \/webmcp|^DELETE \/webhooks/.test(name);
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
        for (const [code, { $ref }] of examples) {
          expect($ref).toBe(`#/components/examples/${code}`);
          const value = document.components.examples[code]?.value;
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
    expect(missing).toEqual(['origin_forbidden', 'route_not_found', 'method_not_allowed', 'mandate_redeemed']);
  });

  it('points only at what it defines, and defines nothing that nobody points at', () => {
    const references = valuesOf('$ref', document).map(String);
    expect(references.length).toBeGreaterThan(20);
    const mapped = valuesOf('mapping', document).flatMap((mapping) => Object.values(mapping as object).map(String));
    const defined = (['schemas', 'examples', 'headers'] as const).flatMap((kind) =>
      Object.keys(document.components[kind]).map((name) => `#/components/${kind}/${name}`),
    );
    expect([...references, ...mapped].filter((reference) => !defined.includes(reference))).toEqual([]);
    expect(defined.filter((name) => !references.includes(name))).toEqual([]);
  });

  it('has no error without a name: each is that of its code, told apart by it, and has what all errors have', () => {
    for (const { name, responses } of operations)
      for (const [status, { content }] of Object.entries(responses)) {
        if (status < '400') continue;
        const { schema, examples } = content?.['application/json'] ?? { schema: {} };
        const form: Variants = schema;
        const { oneOf = [form], discriminator } = form;
        const codes = Object.keys(examples ?? {});
        const variants = oneOf.map(({ $ref = '' }) => document.components.schemas[$ref.split('/').at(-1) ?? '']);
        expect([name, status, variants]).toEqual([
          name,
          status,
          codes.map((code) =>
            expect.objectContaining({
              allOf: [
                { $ref: '#/components/schemas/Error' },
                expect.objectContaining({
                  properties: expect.objectContaining({
                    error: expect.objectContaining({ type: 'string', const: code }),
                  }),
                }),
              ],
            }),
          ),
        ]);
        if (codes.length > 1) expect(discriminator?.mapping).toEqual(mappingOf(codes, oneOf));
      }
  });

  it('says of each operation what it does, in two languages, by an example of what it is sent and answers', () => {
    const described = operationsOf(document);
    for (const operation of operations) {
      const { name, summary, description = '', responses, requestBody } = operation;
      const english = ['x-summary-en', 'x-description-en'].map((key) => String(Reflect.get(operation, key)));
      for (const text of [summary, description, ...english])
        expect([name, text]).toEqual([name, expect.stringMatching(/^\p{Lu}.{8}/u)]);
      const known = described.find((one) => one.name === name);
      const [status = '', success] = Object.entries(responses).find(([one]) => one.startsWith('2')) ?? [];
      expect([name, success?.description]).toEqual([name, expect.stringMatching(/^\p{Lu}.{4}/u)]);
      for (const [type, { example }] of Object.entries(success?.content ?? {})) {
        const form = known?.answers.get(Number(status))?.forms.get(type);
        expect([name, type, typeof example]).toEqual([name, type, type === 'application/json' ? 'object' : 'string']);
        expect([name, type, form && faultInOpenApi(form, example)]).toEqual([name, type, null]);
      }
      const asked = requestBody?.content['application/json'];
      if (asked) expect([name, known?.body && faultInOpenApi(known.body, asked.example)]).toEqual([name, null]);
    }
    const tags = operations.flatMap((one) => one.tags);
    expect(new Set(document.tags.map((tag) => tag.name))).toEqual(new Set(tags));
    for (const { description } of document.tags) expect(description).toMatch(/\.$/);
  });

  it('shows errors as they are answered: each example has the form of its code', () => {
    const described = operationsOf(document);
    for (const { name, answers } of described)
      for (const [status, { forms, codes }] of answers) {
        const form = forms.get('application/json');
        for (const code of codes ?? []) {
          const example = document.components.examples[code]?.value;
          expect([name, status, code, form && faultInOpenApi(form, example)]).toEqual([name, status, code, null]);
          expect(String(example?.['doc_url']).endsWith(`/docs/erros/${code}`)).toBe(true);
        }
      }
  });

  it('names every form for whoever generates from it: each list, and no class of ours', () => {
    const names = Object.keys(document.components.schemas);
    expect(names).toEqual(expect.arrayContaining(['FlightList', 'BookingList', 'MandateList', 'OrderList']));
    expect(names.filter((name) => /Dto|View/.test(name))).toEqual([]);
    expect(document.components.schemas['Order']).toMatchObject({ properties: { failure: { type: 'string' } } });
    expect(JSON.stringify(document.components.schemas['Order'])).not.toContain('"enum":["malformed_json"');
  });

  it('says of every object what stands in it: one that says nothing may be a text whose type the build has erased', () => {
    const { content, ...others } = document.components.schemas['CallToolResult']?.['properties'] as Record<
      string,
      object
    >;
    expect(content).toMatchObject({ type: 'array' }); // of objects that are the protocol's, not ours
    const schemas = JSON.stringify({ ...document.components.schemas, CallToolResult: others });
    expect(schemas.match(/\{"type":"object"(?!,"(properties|additionalProperties)")[^{}]*\}/g)).toBeNull();
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

/** The first page of the reference, and every part that it leads to, by its path. */
const referenceIn = async (first: string): Promise<readonly { readonly path: string; readonly page: string }[]> => {
  const read = async (path: string) => ({ path, page: await (await fetch(tested.origin + path)).text() });
  const start = await read(first);
  const parts = [...start.page.matchAll(new RegExp(`href="(${first}/(?!agents|en)[a-z]+)"`, 'g'))];
  return [start, ...(await Promise.all([...new Set(parts.map(([, path = '']) => path))].map(read)))];
};

/** In bytes. */
const BUDGET = 200_000;

const idsIn = (page: string): readonly string[] => [...page.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id);

describe.each([
  ['/docs', 'pt-BR', 'Referência da API'],
  ['/docs/en', 'en', 'API reference'],
])('the reference at %s', (first, language, title) => {
  let pages: Awaited<ReturnType<typeof referenceIn>>;
  let parts: string;
  beforeAll(async () => {
    pages = await referenceIn(first);
    parts = pages
      .slice(1)
      .map(({ page }) => page)
      .join('');
  });

  it('has a page for each resource, with every operation and schema once, and leads nowhere that is not there', async () => {
    expect(pages[0]?.page).toMatch(new RegExp(`<html lang="${language}">.*<h1>${title}</h1>`, 's'));
    const names = document.tags.map(({ name }) => `${first}/${name}`);
    expect(new Set(pages.slice(1).map(({ path }) => path))).toEqual(
      new Set([...names, `${first}/objects`, ...(first === '/docs' ? ['/docs/erros'] : [])]),
    );
    // What errors consist of is told by the page of each code.
    const ofErrors = /Error$|^(AvailableFares?|(Order|Mandate)Reference|PaymentChallenge)$/;
    const schemas = Object.keys(document.components.schemas)
      .filter((name) => !ofErrors.test(name))
      .map((name) => `schema-${name}`);
    // As the first page does, for whoever comes by an address of the time when that was all.
    for (const page of [pages[0]?.page ?? '', parts]) {
      const ids = idsIn(page);
      const known = [...operations.map(({ operationId }) => operationId), ...schemas];
      expect(ids).toEqual(expect.arrayContaining(known));
      for (const id of known) expect([id, ids.filter((one) => one === id).length]).toEqual([id, 1]);
    }
    const placed = new Map(pages.map(({ path, page }) => [path, idsIn(page)]));
    for (const { path, page } of pages) {
      expect(idsIn(page)).toHaveLength(new Set(idsIn(page)).size);
      for (const [, place = '', id = ''] of page.matchAll(
        new RegExp(`href="(|${first}|${first}/[a-z]+)#([^"]*)"`, 'g'),
      ))
        expect([path, place, placed.get(place || path)]).toEqual([path, place, expect.arrayContaining([id])]);
    }
    expect((await fetch(`${tested.origin}${first}/nothing`)).status).toBe(404);
  });

  it('has of every operation what it takes and what it answers and refuses, its own errors as they are answered', () => {
    for (const { operationId, parameters = [], responses } of operations) {
      const [, section = ''] =
        new RegExp(`<section class="operation" id="${operationId}".*?>(.*?)</section>`, 's').exec(parts) ?? [];
      const codes = Object.values(responses).flatMap(({ content }) =>
        Object.keys(content?.['application/json']?.examples ?? {}).filter((name) =>
          ERROR_CODES.some((one) => one === name),
        ),
      );
      const said = [...parameters.map(({ name }) => name), ...codes, ...Object.keys(responses)];
      expect([operationId, said.filter((word) => !section.includes(`>${word}<`))]).toEqual([operationId, []]);
      for (const [, code, answer = ''] of section.matchAll(
        /<summary>.*?<code>(\w+)<\/code>.*?<pre[^>]*>(.*?)<\/pre>/gs,
      ))
        expect(JSON.parse(textOf(answer.replaceAll(/<[^>]*>/g, '')))).toMatchObject({ error: code });
    }
    expect(parts.split('<summary><span class="status">').length).toBeGreaterThan(100);
  });

  it('finds what there is, by a form that needs no script, and is kept out of search engines', async () => {
    const read = async (query: string) => (await fetch(`${tested.origin}${first}/search?q=${query}`)).text();
    const found = await read('remaining');
    expect(found).toMatch(/<a href="[^"]*\/mandates#schema-Mandate"\s*><code>Mandate.remaining/);
    expect(found).toContain('name="robots" content="noindex');
    expect(await read('%3Cscript%3E')).not.toContain('<script>');
    expect(await read('mandate_limit_exceeded')).toMatch(/href="\/docs\/err\w+\/mandate_limit_exceeded"/);
  });

  it('loads, with all that a page needs from here, less than 200 KB', async () => {
    for (const { path, page } of pages) {
      const files = [...page.matchAll(/(?:<link rel="stylesheet" href|<script[^>]* src)="([^"]+)"/g)].map(
        ([, file = '']) => file,
      );
      const loaded = await Promise.all(files.map(async (file) => (await fetch(new URL(file, tested.origin))).text()));
      const bytes = [page, ...loaded].reduce((sum, one) => sum + Buffer.byteLength(one), 0);
      expect([path, Math.max(bytes, BUDGET)]).toEqual([path, BUDGET]);
    }
  });

  it('calls every operation in words that a shell understands, and the open ones answer', async () => {
    const curls = [...parts.matchAll(/<code>(curl .*?)<\/code>/gs)].map(([, curl = '']) => textOf(curl));
    expect(curls).toHaveLength(operations.length);
    // What belongs to an option stands under it.
    for (const [, body = ''] of curls.join('\n').matchAll(/-d '(\{\n.*?\})'/gs))
      expect(body.split('\n').slice(1)).not.toContainEqual(expect.stringMatching(/^(?! {4}| {2}\})/));
    // In place of curl, what writes down what the shell made of its arguments.
    const script = `TOKEN=x BOOKING_ID=x CANCELLATION_ID=x MANDATE_ID=x ORDER_ID=x WEBHOOK_ID=x EVENT_ID=x\ncurl() { printf '%s\\037' "$@"; printf '\\036'; }`;
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

/** Headers that answers were seen with, by status; documented ones are listed by their operation. */
const seen = new Set<string>();
const observe = (name: string, { status, headers }: { readonly status: number; readonly headers: Headers }): void => {
  const described = operations.find((one) => one.name === name)?.responses[String(status)]?.headers ?? {};
  for (const header of Object.keys(described)) {
    const isSure = header === 'X-Request-Id' || header === 'Location';
    if (isSure) expect([name, status, header, headers.has(header)]).toEqual([name, status, header, true]);
    if (headers.has(header)) seen.add(`${status} ${header}`);
  }
};

/** What differs from one purchase to the next: ids, instants, hashes, tickets, seats, and where the service is. */
const alike = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer)
      .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '')
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'instant')
      .replaceAll(/\d{4}-\d\d-\d\d/g, 'date')
      .replaceAll(/[0-9a-f]{64}/g, 'hash')
      .replaceAll(/\b977\d{10}\b/g, 'ticket')
      .replaceAll(/(locator\\?":\\?")[2-9A-Z]{6}/g, '$1locator')
      .replaceAll(
        /(seats|remainingSeconds|logIndex)(\\?":)(\d+|null)/g,
        (_, name: string, colon: string) => `${name}${colon}0`,
      ),
  );

describe('a purchase by what the document says', () => {
  it('is answered as its examples show', async () => {
    const { access_token: token } = await tokensFor(tested.origin);
    const api = new Api(`${tested.origin}/api/v1`, token);
    const known: Record<string, string> = {};
    const call = async (name: string, values: Readonly<Record<string, string>> = {}, query = '') => {
      const [method = '', path = ''] = name.split(' ');
      const { responses, requestBody } = operations.find((one) => one.name === name) ?? { responses: {} };
      const [status, success] = Object.entries(responses).find(([one]) => one.startsWith('2')) ?? [];
      const sent = requestBody?.content['application/json']?.example;
      const body = sent === undefined ? undefined : { ...(sent as object), ...known };
      const address = path.replaceAll(/\{(\w+)\}/g, (_, one: string) => values[one] ?? '') + query;
      const answer: Answered<{ readonly id: string }> = await api.call(method, address, body);
      observe(name, answer);
      expect([name, answer.status, alike(answer.body)]).toEqual([
        name,
        Number(status),
        alike(success?.content?.['application/json']?.example),
      ]);
      return answer.body.id;
    };
    await call('GET /health');
    await call('GET /flights', {}, '?q=AL4012');
    await call('GET /flights/{flightNumber}', { flightNumber: 'AL4012' });
    await call('GET /flights/{flightNumber}/fares', { flightNumber: 'AL4012' }, '?budget=60000');
    await call('POST /webmcp/call');
    const bookingId = await call('POST /bookings');
    await call('GET /bookings/{id}', { id: bookingId });
    await call('GET /bookings');
    const mandateId = await call('POST /mandates');
    Object.assign(known, { bookingId, mandateId });
    const order = { id: await call('POST /orders') };
    delete known['bookingId'];
    delete known['mandateId'];
    for (const path of ['/orders', '/orders/{id}', '/orders/{id}/receipt']) await call(`GET ${path}`, order);
    const mandate = { id: mandateId };
    for (const path of ['/mandates', '/mandates/{id}', '/mandates/{id}/events']) await call(`GET ${path}`, mandate);
    await call('DELETE /mandates/{id}', mandate);
    const another = { flightNumber: 'AL4012', fareCode: 'CLASSICA' };
    const { body } = await api.post<{ readonly id: string }>('/bookings', another);
    await call('PATCH /bookings/{id}', { id: body.id });
  });

  it('is made by a client that openapi-typescript generates, whose errors it tells apart by their codes', async () => {
    const folder = await newFolder();
    const buy = await generatedBuyer(text, join(folder, 'client'));
    const { access_token: token } = await tokensFor(tested.origin);
    expect(await buy(`${tested.origin}/api/v1`, token)).toEqual({
      needed: 459_90,
      challenge: expect.stringContaining('/desafios/'),
      same: true,
      status: 'paid',
      total: { amount: 459_90, currency: 'BRL' },
      explained: `${tested.origin}/docs/erros/mandate_limit_exceeded`,
    });
    await removeFolder(folder);
  });
});

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
          const answer = await fetch(url, { ...sent, ...(body !== undefined && { body }) });
          const { status } = answer;
          observe(name, answer);
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
      expect({ name, status, isLetIn: status !== 401, isKnown: status < 500 && status !== 429 }).toEqual({
        ...{ name, status },
        isLetIn: !needsToken,
        isKnown: true,
      });
    }
  });

  it('is counted under a name of its own, where it is traffic', () => {
    const nameless = operations
      .map(({ name }) => name.replaceAll(/\{(\w+)\}/g, ':$1').split(' '))
      .filter(([method = '', path = '']) => operationOf(method, path) === OTHER)
      .map(([, path]) => path);
    expect(nameless).toEqual([
      '/health',
      '/health/ready',
      '/observability/agent-traffic',
      '/observability/agent-traffic/stream',
    ]);
  });

  it('sends every header that is described for its answers', async () => {
    const { access_token: token } = await tokensFor(tested.origin);
    const api = new Api(`${tested.origin}/api/v1`, token);
    const twice = async (path: string, body: object, key: string) => {
      for (let time = 0; time < 2; time += 1)
        observe(`POST ${path}`, await api.call('POST', path, body, { 'idempotency-key': key }));
    };
    const booked = { flightNumber: 'AL4012', fareCode: 'LEVE' };
    await twice('/bookings', booked, 'one');
    await twice('/webmcp/call', { tool: 'create_booking', arguments: booked }, 'two');
    const { body: booking } = await api.post<{ readonly id: string }>('/bookings', booked);
    const { body: mandate } = await api.post<{ readonly id: string }>('/mandates', {
      limit: { amount: 90_000, currency: 'BRL' },
    });
    const order = { bookingId: booking.id, mandateId: mandate.id };
    await twice('/orders', { ...order, payment: DECLINED_CARD }, 'three');
    const asked = { ...order, payment: { ...DECLINED_CARD, cardNumber: '4000000000003220' } };
    await api.post('/orders', asked);
    observe('POST /orders', await api.post('/orders', { ...order, payment: DECLINED_CARD }));
    const booker = await tokensFor(tested.origin, { scopes: ['booking:write'] });
    observe('GET /orders', await new Api(api.base, booker.access_token).get('/orders'));
    const receiver = await Receiver.open();
    const told = await tokensFor(tested.origin, { scopes: ['receipt:read', 'webhook:manage'] });
    const teller = new Api(api.base, told.access_token);
    const { body: webhook } = await teller.post<{ readonly id: string }>('/webhooks', { url: receiver.url });
    observe('DELETE /webhooks/{id}', await teller.call('DELETE', `/webhooks/${webhook.id}`));
    await receiver.close();
    const strict = { prefer: 'handling=strict' };
    observe('GET /flights', await api.call('GET', '/flights?q=rec', undefined, strict));
    observe('GET /flights', await api.call('GET', '/flights?foo=1', undefined, strict));
    observe('POST /bookings', await api.call('POST', '/bookings', booked, strict));
    const { headers } = await api.get('/flights/AL4012');
    const known = { 'if-none-match': headers.get('etag') ?? '' };
    observe('GET /flights/{flightNumber}', await fetch(`${api.base}/flights/AL4012`, { headers: known }));
    const end = new AbortController();
    const stream = () => fetch(`${api.base}/observability/agent-traffic/stream`, { signal: end.signal });
    const open = [];
    for (let place = 0; place < 9; place += 1) open.push(await stream());
    for (const answer of open) observe('GET /observability/agent-traffic/stream', answer);
    end.abort();

    const described = operations.flatMap(({ responses }) =>
      Object.entries(responses).flatMap(([status, answer]) =>
        Object.keys(answer.headers ?? {}).map((header) => `${status} ${header}`),
      ),
    );
    // Nothing fails here, nobody is slow, no event is a month old, and no token is bound to a key.
    const elsewhere = /^(408|410|500|503)|DPoP-Nonce$/;
    expect([...new Set(described)].filter((one) => !seen.has(one) && !elsewhere.test(one))).toEqual([]);
  });
});
