import type { Answer, Api } from '#agent';
import { Receiver } from '../../libs/outbox/src/testing/index.js';
import { apiAt, PURCHASE, tokensFor } from '../support/agent.js';
import type { Booking, List, Mandate, Order, Refused } from '../support/answers.js';
import { bearer, sendMessage } from '../support/doors.js';
import { bodyOf, book, brl, GOOD_CARD, grant, TRIP, TRIP_PRICE } from '../support/purchase.js';
import { until } from '#testing';
import { SmallSetting } from '../support/setting.js';

/** Members and parameters that no operation knows: named where money is spent, and cheap, however many there are. */

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}
interface Warning {
  readonly in: string;
  readonly field: string;
  readonly suggestion?: string;
  readonly message: string;
}
interface Warned {
  readonly warnings?: readonly Warning[];
}

const setting = new SmallSetting();
let document: Document;
let token: string;
let mandate: Mandate;
/** The agent with every scope there is. */
let agent: Api;
let receiver: Receiver;
let webhook: string;
let eventId: string;
beforeAll(async () => {
  document = bodyOf(await setting.anyone.get<Document>('/openapi.json'), 200);
  token = (await tokensFor(setting.origin, { scopes: [...PURCHASE, 'webhook:manage'] })).access_token;
  agent = apiAt(setting.origin, token);
  receiver = await Receiver.open();
  webhook = await aWebhook();
  mandate = await grant(setting.ana, TRIP_PRICE * 100);
  await until(() => receiver.told.length > 0);
  eventId = receiver.told[0]?.body.id ?? '';
});
afterAll(() => receiver.close());

const aWebhook = async (): Promise<string> =>
  bodyOf(await agent.post<{ readonly id: string }>('/webhooks', { url: receiver.url }), 201).id;

type Sent = readonly [path: string, body?: Readonly<Record<string, unknown>>];

/** A good request of every operation that writes. */
const WRITES: Readonly<Record<string, () => Sent | Promise<Sent>>> = {
  createBooking: () => ['/bookings', TRIP],
  changeBooking: async () => [`/bookings/${(await book(setting.ana)).id}`, { passengers: 2 }],
  createMandate: () => ['/mandates', { limit: brl(1) }],
  revokeMandate: async () => [`/mandates/${(await grant(setting.ana, 1)).id}`, {}],
  placeOrder: async () => ['/orders', await anOrder()],
  quoteCancellation: async () => [`/orders/${(await paid()).id}/cancellations`],
  cancelOrder: async () => {
    const { id } = await paid();
    const quoted = await setting.ana.post<{ readonly id: string }>(`/orders/${id}/cancellations`, {});
    return [`/orders/${id}/cancellations/${bodyOf(quoted, 201).id}/confirm`];
  },
  createWebhook: () => ['/webhooks', { url: receiver.url }],
  changeWebhook: () => [`/webhooks/${webhook}`, { description: 'de teste' }],
  deleteWebhook: async () => [`/webhooks/${await aWebhook()}`, {}],
  rotateWebhookSecret: () => [`/webhooks/${webhook}/rotate-secret`],
  testWebhook: () => [`/webhooks/${webhook}/test`],
  resendWebhookDelivery: () => [`/webhooks/${webhook}/deliveries/${eventId}/resend`],
  replayWebhook: async () => [
    `/webhooks/${webhook}/replay`,
    { after: bodyOf(await agent.get<{ readonly nextCursor: string }>('/events'), 200).nextCursor },
  ],
  callTool: () => ['/webmcp/call', { tool: 'search_flights', arguments: {} }],
};
const anOrder = async () => ({
  bookingId: (await book(setting.ana)).id,
  mandateId: mandate.id,
  payment: GOOD_CARD,
  buyer: {},
  expectedTotal: brl(TRIP_PRICE),
});

const paid = async () => bodyOf(await setting.ana.post<Order>('/orders', await anOrder()), 201);

const operationsOf = (methods: readonly string[]) =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => (item[method] ? [{ path, method: method.toUpperCase(), ...item[method] }] : [])),
  );

/** Every member of a body's schema by its path: `payment.cardNumber`. */
const membersOf = (schema: Schema, path = ''): readonly string[] => {
  const named = document.components.schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;
  return Object.entries(named.properties ?? {}).flatMap(([name, inner]) => [
    `${path}${name}`,
    ...membersOf(inner, `${path}${name}.`),
  ]);
};

/** A name as somebody in a hurry writes it. */
const misspelled = (path: string): string => `${path.slice(0, -1)}${path.at(-1) === 'x' ? 'y' : 'x'}`;

const withMember = (body: object, path: string): object => {
  const [first = '', ...rest] = path.split('.');
  const inner: unknown = Reflect.get(body, first);
  const value = rest.length > 0 ? withMember(inner as object, rest.join('.')) : 'SEGREDO';
  return { ...body, [first]: value };
};

const warningsOf = (body: unknown): readonly Warning[] | undefined =>
  (body as Warned | null)?.warnings ??
  (body as { readonly structuredContent?: Warned } | null)?.structuredContent?.warnings;
const namesIn = (body: unknown) => warningsOf(body)?.map(({ field, suggestion }) => [field, suggestion]);

describe('every operation that writes', () => {
  it('is tried here', () => {
    const written = operationsOf(['post', 'put', 'patch', 'delete']).map(({ operationId }) => operationId);
    expect(written.sort()).toEqual(Object.keys(WRITES).sort());
  });

  it('says nothing where all is known', async () => {
    for (const { operationId, method } of operationsOf(['post', 'patch', 'delete'])) {
      const { body, status } = await sent(operationId, method);
      expect([operationId, status < 300, warningsOf(body)]).toEqual([operationId, true, undefined]);
    }
  });

  it('names an unknown member, and each misspelled one with what was meant', async () => {
    let tried = 0;
    for (const { operationId, method, requestBody } of operationsOf(['post', 'patch', 'delete'])) {
      const known = membersOf(requestBody?.content['application/json']?.schema ?? {});
      const expected = known.map((path) => [misspelled(path), path.length > 2 ? path : undefined]);
      const { body, status } = await sent(operationId, method, [...known.map(misspelled), 'desconhecido']);
      expect([operationId, status < 300]).toEqual([operationId, true]);
      if (status === 204) continue; // it has no place for a warning
      expect(new Set(namesIn(body))).toEqual(new Set([...expected, ['desconhecido', undefined]]));
      expect(JSON.stringify(body)).not.toContain('SEGREDO');
      tried += known.length;
    }
    expect(tried).toBeGreaterThan(20);
  });

  it('refuses them where the caller prefers that, and does nothing', async () => {
    const before = await counts();
    for (const { operationId, method } of operationsOf(['post', 'patch', 'delete'])) {
      const { status, headers, body } = await sent(operationId, method, ['desconhecido'], {
        prefer: 'handling=strict',
      });
      expect([operationId, status, (body as Refused).error, headers.get('preference-applied')]).toEqual([
        operationId,
        422,
        'unknown_member',
        'handling=strict',
      ]);
      expect((body as Refused).details).toEqual([{ in: 'body', field: 'desconhecido', message: 'é desconhecido' }]);
    }
    const { bookings, mandates, orders } = await counts();
    // What is changed, ordered, quoted, cancelled and revoked is made for the try.
    expect([bookings, mandates, orders]).toEqual([before.bookings + 4, before.mandates + 1, before.orders + 2]);
  });
});

const counts = async () => {
  const count = async (path: string) => bodyOf(await setting.ana.get<List<object>>(path), 200).count;
  return { bookings: await count('/bookings'), mandates: await count('/mandates'), orders: await count('/orders') };
};

/** Sends a good request of an operation with these members beside its own. */
const sent = async (
  operationId: string,
  method: string,
  more: readonly string[] = [],
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer<unknown>> => {
  const [path, body = {}] = (await WRITES[operationId]?.()) ?? ['/'];
  return agent.call(method, path, more.reduce(withMember, body), headers);
};

describe('every operation that reads', () => {
  it('names unknown and misspelled parameters, and is kept by nobody then', async () => {
    const booking = await book(setting.ana);
    const order = await paid();
    const idOf = (path: string) => {
      if (path.startsWith('/webhooks')) return webhook;
      return path.startsWith('/bookings') ? booking.id : path.startsWith('/mandates') ? mandate.id : order.id;
    };
    for (const { path, operationId, responses, parameters = [] } of operationsOf(['get'])) {
      const isJson = responses['200']?.content?.['application/json'] !== undefined;
      if (!isJson || ['getReceipt', 'getCreditNote'].includes(operationId)) continue;
      const known = parameters.flatMap((one) => (one.in === 'query' ? [one.name] : []));
      const expected = known.map((name) => [misspelled(name), name.length > 2 ? name : undefined]);
      const query = [...known.map(misspelled), 'desconhecido'].map((name) => `${name}=SEGREDO`).join('&');
      const needed = operationId === 'quoteFares' ? '&budget=1' : '';
      const place = path.replace('{flightNumber}', 'AL1201').replace('{id}', idOf(path));
      const { status, headers, body } = await agent.get(`${place}?${query}${needed}`);
      expect([operationId, status, headers.get('etag'), headers.get('cache-control')]).toEqual([
        operationId,
        200,
        null,
        'no-store',
      ]);
      expect([operationId, new Set(namesIn(body))]).toEqual([
        operationId,
        new Set([...expected, ['desconhecido', undefined]]),
      ]);
      expect(JSON.stringify(body)).not.toContain('SEGREDO');
    }
  });

  it('shows a receipt as the same bytes, and refuses it only where that is preferred', async () => {
    const { id } = await paid();
    const { body } = await setting.ana.get(`/orders/${id}/receipt`);
    expect((await setting.ana.get(`/orders/${id}/receipt?x=1`)).body).toEqual(body);
    const strict = { prefer: 'handling=strict' };
    for (const path of ['receipt', 'receipt/proof', 'ticket.pdf', 'ticket.ics'].map((of) => `/orders/${id}/${of}?x=1`))
      expect((await setting.ana.call('GET', path, undefined, strict)).status).toBe(422);
  });
});

describe('a tool', () => {
  const overMcp = async (name: string, args: object, headers: Readonly<Record<string, string>> = {}) => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
    const answer = await sendMessage(setting.origin, message, { ...bearer(token), ...headers });
    return { headers: answer.headers, body: ((await answer.json()) as { readonly result: unknown }).result };
  };
  const overWebMcp = (name: string, args: object, headers: Readonly<Record<string, string>> = {}) =>
    setting.ana.call<unknown>('POST', '/webmcp/call', { tool: name, arguments: args }, headers);

  it.each([
    ['WebMCP', overWebMcp],
    ['MCP', overMcp],
  ])('warns and refuses over %s as REST does', async (_, call) => {
    const args = { ...TRIP, passangers: 2, x: { secret: 'SEGREDO' } };
    const { body } = await call('create_booking', args);
    const told = warningsOf(body)?.map(({ in: place, field, suggestion }) => [place, field, suggestion]);
    expect(told).toEqual([
      ['arguments', 'passangers', 'passengers'],
      ['arguments', 'x', undefined],
    ]);
    expect(JSON.stringify(body)).not.toContain('SEGREDO');

    const refused = await call('create_booking', args, { prefer: 'handling=strict' });
    expect(refused.headers.get('preference-applied')).toBe('handling=strict');
    expect(refused.body).toMatchObject({
      isError: true,
      structuredContent: { error: 'unknown_member', status: 422, details: [{ field: 'passangers' }, { field: 'x' }] },
    });
  });

  it('tells what stands beside its arguments', async () => {
    const { body } = await setting.ana.post('/webmcp/call', { tool: 'create_booking', passengers: 2, arguments: TRIP });
    expect(warningsOf(body)).toEqual([{ in: 'body', field: 'passengers', message: 'é desconhecido e foi ignorado' }]);
  });
});

describe('what a stranger calls a member', () => {
  const fieldsOf = async (json: string) =>
    warningsOf((await setting.ana.call('POST', '/bookings', json)).body)?.map(({ field }) => field);

  it('is dropped where it is of the prototype', async () => {
    expect(await fieldsOf('{"__proto__":{"x":1},"constructor":{"prototype":1},"x":1}')).toEqual(['x']);
    const { body } = await setting.anyone.get('/flights?__proto__=1&constructor=1&limit=1');
    expect(warningsOf(body)).toBeUndefined();
  });

  it.each([
    ['many short names', `{${Array.from({ length: 1_000 }, (_, i) => `"${i.toString(36)}":0`).join(',')}}`],
    ['many names near one', `{${Array.from({ length: 1_000 }, (_, i) => `"passang${i}":0`).join(',')}}`],
    ['one long name of digits', `{"${'4'.repeat(65_000)}":0}`],
    ['one long name to escape', `{"${'é'.repeat(32_000)}":0}`],
  ])('costs little: %s in 64 KiB', async (_, json) => {
    const costs: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      const from = process.cpuUsage();
      bodyOf(await setting.ana.call<Booking>('POST', '/bookings', json), 201);
      const { user, system } = process.cpuUsage(from);
      costs.push((user + system) / 1_000);
    }
    // CPU time of service and client together; the least of six, since the process has other work as well.
    expect(Math.min(...costs)).toBeLessThan(60);
  });
});

describe('more members than any operation has', () => {
  const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`k${at}`, 0]));
  const deep = '['.repeat(33) + ']'.repeat(33);
  const call = (args: string) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_flights","arguments":${args}}}`;

  it.each([
    ['/api/v1/bookings', JSON.stringify(many)],
    ['/api/v1/webmcp/call', JSON.stringify({ tool: 'search_flights', arguments: many })],
    ['/mcp', call(JSON.stringify(many))],
    ['/mcp', JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'nope', params: many })],
    ['/oauth/register', JSON.stringify(many)],
    ['/api/v1/bookings', deep],
    ['/mcp', call(deep)],
  ])('are refused by %s before anything is made of them', async (path, body) => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const answer = await fetch(setting.origin + path, { method: 'POST', headers, body });
    expect([answer.status, ((await answer.json()) as Refused).requestId]).toEqual([413, expect.any(String)]);
  });

  it('are refused of a form', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = Object.keys(many).join('=0&');
    expect((await fetch(`${setting.origin}/oauth/token`, { method: 'POST', headers, body })).status).toBe(413);
  });
});

describe('a request that is sent again with its Idempotency-Key', () => {
  const post = (body: object, key: string, more: Readonly<Record<string, string>> = {}, query = '') =>
    setting.ana.call<unknown>('POST', `/bookings${query}`, body, { 'idempotency-key': key, ...more });

  it('gets the warnings of that request, and no others', async () => {
    const key = crypto.randomUUID();
    const sentBody = { ...TRIP, passangers: 2 };
    const first = await post(sentBody, key);
    const again = await post(sentBody, key);
    expect([again.status, again.headers.get('idempotent-replayed'), again.body]).toEqual([201, 'true', first.body]);
    expect(namesIn(again.body)).toEqual([['passangers', 'passengers']]);
    const other = await post(sentBody, key, {}, '?x=1');
    expect(other.headers.get('idempotent-replayed')).toBe('true');
    expect(namesIn(other.body)).toEqual([
      ['x', undefined],
      ['passangers', 'passengers'],
    ]);
    // Its first answer warned of a parameter; the next is the same without.
    expect((await post(sentBody, key)).body).toEqual(first.body);
    // Unknown members belong to the body that the key stands for.
    expect((await post({ ...TRIP, pasengers: 2 }, key)).body).toMatchObject({ error: 'idempotency_conflict' });
  });

  it('that was refused for what is unknown leaves its key free', async () => {
    const key = crypto.randomUUID();
    const strict = { prefer: 'handling=strict' };
    expect((await post({ ...TRIP, passangers: 2 }, key, strict)).body).toMatchObject({ error: 'unknown_member' });
    expect((await post({ ...TRIP, passengers: 2 }, key, strict)).status).toBe(201);
  });
});
