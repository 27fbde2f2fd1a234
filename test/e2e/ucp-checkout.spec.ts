import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { flightAsItIs } from '#catalog';
import { flights } from '#catalog/pure';
import { bookings } from '#booking';
import { IDEMPOTENCY } from '#http';
import { plus, systemContext } from '#kernel';
import { SESSIONS } from '#ucp';
import { changesOf } from '../support/changes.js';
import { SmallSetting } from '../support/setting.js';
import { ACCEPTED, type Checkout, KNOWN_PLATFORM, OTHER_PLATFORM, paidBy, PlatformAgent } from '../support/ucp.js';

const setting = new SmallSetting({ LIMIT_PUBLIC_READS: '0', LIMIT_REFUSED_CARDS: '0' });
const origin = () => setting.origin;
const agent = new PlatformAgent(origin);
/** What is written of bookings and orders meanwhile. */
const soldBy = async (work: () => Promise<unknown>): Promise<readonly string[]> => {
  const { events } = await changesOf(setting.service, work);
  return events.map(({ type }) => type).filter((type) => /^(Booking|Order)/.test(type));
};
const codes = ({ messages }: Pick<Checkout, 'messages'>) => messages.map(({ code }) => code);

describe('a checkout session by REST', () => {
  it('is put together, changed and bought: its booking and its order have its id and its total', async () => {
    const item = await agent.item();
    const begun = await agent.create(item, 2, { buyer: { first_name: 'Zoé', email: 'zoe@example.com' } });
    expect(begun).toMatchObject({ status: 'ready_for_complete', messages: [], currency: 'BRL' });
    expect(begun.continue_url).toBe(`${setting.origin}/comprar/${begun.id}`);
    const body = { line_items: [{ item: { id: item }, quantity: 3 }] };
    const { body: changed, headers } = await agent.ask('PUT', `/checkout-sessions/${begun.id}`, body);
    expect(headers.get('signature-input')).toMatch(/^sig1=\("@status" "content-type" "content-digest"\)/);
    const [line] = changed.line_items;
    const total = (line?.item.price ?? 0) * 3;
    expect(changed.totals.map(({ type, amount }) => [type, amount])).toEqual([
      ['subtotal', total],
      ['total', total],
    ]);
    expect(changed.totals[0]?.lines?.reduce((sum, { amount }) => sum + amount, 0)).toBe(total);
    const key = randomUUID();
    const bought = await agent.complete(begun.id, ACCEPTED, key);
    expect([bought.status, bought.messages, bought.continue_url]).toEqual(['completed', [], undefined]);
    expect(await agent.complete(begun.id, ACCEPTED, key)).toEqual(bought);
    expect(await agent.complete(begun.id, ACCEPTED, randomUUID())).toEqual(bought);
    const read = await agent.ask('GET', `/checkout-sessions/${begun.id}`);
    expect([read.body, read.headers.get('cache-control')]).toEqual([bought, 'no-store']);
    const { body: order } = await agent.ask('GET', `/orders/${bought.order?.id ?? ''}`);
    expect(order).toMatchObject({ id: bought.order?.id, checkout_id: begun.id, label: bought.order?.label });
    expect(order.line_items).toMatchObject([
      { item: { id: item }, quantity: { original: 3, total: 3, fulfilled: 3 }, status: 'fulfilled' },
    ]);
    const over = await agent.ask('POST', `/checkout-sessions/${begun.id}/cancel`);
    expect([over.status, over.body.code]).toEqual([409, 'checkout_completed']);
    expect((await agent.ask('PUT', `/checkout-sessions/${begun.id}`, body)).status).toBe(409);
  });

  it('is bought once, however often it is sent at once', async () => {
    const { id } = await agent.create(await agent.item());
    const keys = [...Array.from({ length: 6 }, () => randomUUID()), ...Array.from({ length: 6 }, () => 'the same')];
    await Promise.all(keys.map((key) => agent.complete(id, ACCEPTED, `${key} ${id}`.replace(' ', '-'))));
    const { status, order } = await agent.ended(id);
    expect(status).toBe('completed');
    const { state } = await setting.service.dependencies.aggregates.load(bookings, id);
    expect(state).toMatchObject({ kind: 'ticketed', orderId: order?.id, abandoned: {} });
  });

  it('is refused where too many of its platform wait for a traveller, without using its key up', async () => {
    const { documents } = setting.service.dependencies;
    const other = new PlatformAgent(origin, OTHER_PLATFORM);
    const item = await agent.item();
    const { id } = await other.create(item);
    const session = await documents.get<object>(SESSIONS.name, id);
    const many = Array.from({ length: 999 }, () => randomUUID());
    await Promise.all(many.map((one) => documents.insert(SESSIONS.name, one, session?.body ?? {})));
    const [key, asked] = [randomUUID(), { line_items: [{ item: { id: item }, quantity: 1 }] }];
    const refused = await other.ask('POST', '/checkout-sessions', asked, key);
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
      429,
      'rate_limited',
      '60',
    ]);
    const tool = await other.call('create_checkout', { checkout: asked });
    expect([tool.status, tool.error?.data?.code]).toEqual([429, 'rate_limited']);
    await Promise.all(many.map((one) => documents.delete(SESSIONS.name, one)));
    expect((await other.ask('POST', '/checkout-sessions', asked, key)).status).toBe(201);
  });

  it('is bought as it is shown, where a booking that an earlier try left is of something else', async () => {
    const { documents } = setting.service.dependencies;
    const { id } = await agent.create(await agent.item(3), 2);
    await agent.complete(id, paidBy('alcada_test_declined'));
    const session = await documents.get<{ line: object }>(SESSIONS.name, id);
    if (!session) throw new Error('it is kept');
    const line = { ...session.body.line, quantity: 3 };
    await documents.replace(SESSIONS.name, id, session.version, { ...session.body, line });
    const shown = await agent.get(id);
    const bought = await agent.complete(id);
    expect([bought.status, bought.line_items, bought.totals]).toEqual(['completed', shown.line_items, shown.totals]);
    const { body: order } = await agent.ask('GET', `/orders/${bought.order?.id ?? ''}`);
    expect([order.line_items[0]?.quantity, order.totals.at(-1)]).toMatchObject([{ total: 3 }, shown.totals.at(-1)]);
  });

  it('may be paid otherwise after it was declined, and says who has to decide where nobody has', async () => {
    const { id } = await agent.create(await agent.item());
    const declined = await agent.complete(id, paidBy('alcada_test_declined'));
    expect([declined.status, codes(declined)]).toEqual(['ready_for_complete', ['payment_failed']]);
    for (const body of [paidBy('alcada_test_escalated'), { payment: { instruments: [] } }]) {
      const asked = await agent.complete(id, body);
      expect([asked.status, asked.messages[0]?.severity]).toEqual(['requires_escalation', 'requires_buyer_review']);
      expect(asked.continue_url).toContain(id);
    }
    const { body: changed } = await agent.ask('PUT', `/checkout-sessions/${id}`, {
      line_items: [{ item: { id: await agent.item(1) }, quantity: 2 }],
    });
    const bought = await agent.complete(id);
    expect(bought).toMatchObject({ status: 'completed', totals: changed.totals });
    for (const wrong of [
      paidBy('nada'),
      { payment: { instruments: [{ id: 'a', handler_id: 'gpay', type: 'card' }] } },
    ]) {
      const other = await agent.create(await agent.item());
      expect((await agent.complete(other.id, wrong)).status).toBe('ready_for_complete');
    }
    const unpaid = await agent.create(await agent.item());
    expect((await agent.complete(unpaid.id, {})).content).toBe('A requisição é inválida: $.payment: É obrigatório.');
  });

  it('says what is wrong with it, and is not bought as long as it is', async () => {
    const item = await agent.item();
    const two = { line_items: [1, 2].map(() => ({ item: { id: item }, quantity: 1 })) };
    const { body: many } = await agent.ask('POST', '/checkout-sessions', two);
    const tenth = await agent.create(item, 10);
    const unreachable = await agent.create(item, 1, { buyer: { email: 'zo\u0000e@example.com' } });
    for (const [checkout, code] of [
      [many, 'too_many_line_items'],
      [tenth, 'out_of_stock'],
      [unreachable, 'invalid_email'],
    ] as const) {
      expect([checkout.status, codes(checkout)]).toEqual(['incomplete', [code]]);
      const refused = await agent.complete(checkout.id);
      expect([refused.status, codes(refused)]).toEqual(['incomplete', [code]]);
    }
    const mixed = [{ item: { id: 'x:y' }, quantity: 1 }, ...two.line_items.slice(1)];
    const claims = { line_items: mixed, context: { eligibility: ['com.example.gold'] } };
    const { body: claimed } = await agent.ask('POST', '/checkout-sessions', claims);
    expect([claimed.status, claimed.line_items[0]?.item.id]).toEqual(['ready_for_complete', item]);
    expect(claimed.messages.map(({ code, path }) => [code, path])).toEqual([
      ['item_unavailable', '$.line_items[0]'],
      ['eligibility_not_accepted', '$.context.eligibility'],
    ]);
    const none = await agent.ask('POST', '/checkout-sessions', { line_items: [{ item: { id: 'x:y' }, quantity: 1 }] });
    expect([none.status, none.body.ucp.status, codes(none.body)]).toEqual([200, 'error', ['item_unavailable']]);
    const malformed = [
      {},
      { line_items: [] },
      { line_items: [{ item: { id: item }, quantity: 0 }] },
      { line_items: 1 },
    ];
    for (const body of malformed) {
      const { status, body: answer } = await agent.ask('POST', '/checkout-sessions', body);
      expect([status, answer.code]).toEqual([400, 'invalid_request']);
    }
  });

  it('charges no price that was not shown: one that rose in between is shown first', async () => {
    const item = await agent.item(2);
    const begun = await agent.create(item);
    const [flightId = '', code = ''] = item.split(':');
    const { aggregates } = setting.service.dependencies;
    const state = await flightAsItIs(aggregates, flightId);
    if (state.status !== 'scheduled') throw new Error('it is on sale');
    const fares = state.flight.fares.map((fare) =>
      fare.code === code ? { ...fare, price: fare.price + 1_000 } : fare,
    );
    const reprice = { type: 'RepriceFares', fares, departure: state.flight } as const;
    await aggregates.handle(flights, flightId, reprice, systemContext('a test'));
    let shown = begun;
    const sold = await soldBy(async () => {
      shown = await agent.complete(begun.id);
    });
    expect(sold).toEqual([]);
    const [before, now] = [begun, shown].map(({ totals }) => totals.at(-1)?.amount ?? 0);
    expect([shown.status, codes(shown), now]).toEqual(['ready_for_complete', ['price_changed'], (before ?? 0) + 1_000]);
    const bought = await agent.complete(begun.id);
    expect([bought.status, bought.totals]).toEqual(['completed', shown.totals]);
  });

  it('waits for a purchase of somebody else that has written nothing yet', async () => {
    const { documents, clock, ids } = setting.service.dependencies;
    const { id } = await agent.create(await agent.item());
    const session = await documents.get<object>(SESSIONS.name, id);
    if (!session) throw new Error('it is kept');
    const held = { holder: ids.next(), completingUntil: plus(clock.now(), 60_000), purchases: [ids.next()] };
    await documents.replace(SESSIONS.name, id, session.version, { ...session.body, ...held });
    const path = `/checkout-sessions/${id}/complete`;
    const sold = await soldBy(async () => {
      const { status, body } = await agent.ask('POST', path, ACCEPTED);
      expect([status, body.code]).toEqual([409, 'checkout_in_progress']);
    });
    expect(sold).toEqual([]);
  });

  it('is canceled by a second try where the first one ended before it did anything', async () => {
    const { documents } = setting.service.dependencies;
    const [{ id }, key] = [await agent.create(await agent.item()), randomUUID()];
    const cancel = async () => (await agent.ask('POST', `/checkout-sessions/${id}/cancel`, undefined, key)).body.status;
    expect(await cancel()).toBe('canceled');
    const rows = await documents.scan<{ answer: string | null }>(IDEMPOTENCY.name, null, 1_000);
    const record = rows.findLast(({ body }) => body.answer?.includes('"status":"canceled"'));
    const session = await documents.get<object>(SESSIONS.name, id);
    if (!record || !session) throw new Error('both are kept');
    const begun = { ...record.body, answer: null, leasedUntil: '2020-01-01T00:00:00.000Z' };
    await documents.replace(IDEMPOTENCY.name, record.id, record.version, begun);
    await documents.replace(SESSIONS.name, id, session.version, { ...session.body, canceledAt: undefined });
    expect((await agent.get(id)).status).toBe('ready_for_complete');
    expect([await cancel(), (await agent.get(id)).status]).toEqual(['canceled', 'canceled']);
  });

  it('is forgotten with its booking, also by the answers that are kept of its updates', async () => {
    const { documents, idempotent } = setting.service.dependencies;
    const item = await agent.item();
    const { id } = await agent.create(item);
    const named = { line_items: [{ item: { id: item }, quantity: 1 }], buyer: { email: 'forget.me@example.com' } };
    await agent.ask('PUT', `/checkout-sessions/${id}`, named, randomUUID());
    const kept = async () => {
      const rows = await documents.scan<{ answer: string | null }>(IDEMPOTENCY.name, null, 1_000);
      return rows.filter(({ body }) => body.answer?.includes('forget.me@example.com')).length;
    };
    expect(await kept()).toBe(1);
    await idempotent.forget(new Set([id]));
    expect(await kept()).toBe(0);
  });

  it('is answered the same under its key, and 409 under a key that was used otherwise', async () => {
    const body = { line_items: [{ item: { id: await agent.item() }, quantity: 1 }] };
    const key = randomUUID();
    const [first, again] = [
      await agent.ask('POST', '/checkout-sessions', body, key),
      await agent.ask('POST', '/checkout-sessions', body, key),
    ];
    expect([first.status, again.status, again.body.id]).toEqual([201, 201, first.body.id]);
    const other = await agent.ask('POST', '/checkout-sessions', { ...body, buyer: { first_name: 'Ana' } }, key);
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_conflict']);
    const canceled = await agent.ask('POST', `/checkout-sessions/${first.body.id}/cancel`, undefined, randomUUID());
    expect([canceled.status, canceled.body.status]).toEqual([200, 'canceled']);
    const late = await agent.ask('POST', `/checkout-sessions/${first.body.id}/complete`, ACCEPTED);
    expect([late.status, late.body.code]).toEqual([409, 'checkout_canceled']);
  });
});

describe('platforms among one another', () => {
  let server: Server;
  let stranger: PlatformAgent;
  beforeAll(async () => {
    const capabilities = Object.fromEntries(
      ['checkout', 'order', 'catalog.search'].map((name) => [`dev.ucp.shopping.${name}`, [{ version: '2026-04-08' }]]),
    );
    const profile = { ucp: { version: '2026-04-08', services: {}, payment_handlers: {}, capabilities } };
    server = createServer((_, answer) => {
      answer.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'public, max-age=60' });
      answer.end(JSON.stringify(profile));
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    stranger = new PlatformAgent(origin, `http://127.0.0.1:${(server.address() as AddressInfo).port}/profile`);
  });
  afterAll(() => new Promise((closed) => server.close(closed)));

  it('know nothing of each other, and one that proves nothing pays with no token and reads no order', async () => {
    const item = await agent.item();
    const [own, theirs] = [await agent.create(item), await stranger.create(item)];
    expect([codes(await stranger.get(own.id)), codes(await agent.get(theirs.id))]).toEqual([
      ['not_found'],
      ['not_found'],
    ]);
    for (const path of [`/checkout-sessions/${own.id}/complete`, `/checkout-sessions/${own.id}/cancel`])
      expect(codes((await stranger.ask('POST', path, ACCEPTED)).body)).toEqual(['not_found']);
    expect(codes(await stranger.complete(theirs.id))).toEqual(['platform_unproven']);
    const bought = await agent.complete(own.id);
    const read = await stranger.ask('GET', `/orders/${bought.order?.id ?? ''}`);
    expect([read.status, read.body.code]).toEqual([401, 'identity_required']);
    const other = new PlatformAgent(origin, OTHER_PLATFORM);
    expect(codes((await other.ask('GET', `/orders/${bought.order?.id ?? ''}`)).body)).toEqual(['not_found']);
  });
});

describe('what is refused before an operation is known', () => {
  const JSON_TYPE = { 'content-type': 'application/json' };
  const sent = async (method: string, path: string, body?: string, headers: Record<string, string> = JSON_TYPE) => {
    const answer = await fetch(origin() + path, { method, headers, ...(body !== undefined && { body }) });
    return { status: answer.status, allow: answer.headers.get('allow'), body: await answer.json() };
  };
  const long = JSON.stringify('a'.repeat(70_000));

  it.each<[number, string, string, string, string | undefined]>([
    [404, 'route_not_found', 'GET', '/ucp', undefined],
    [404, 'route_not_found', 'POST', '/ucp/v1/carts', '{}'],
    [404, 'route_not_found', 'GET', '/ucp/v1/orders/%zz', undefined],
    [405, 'method_not_allowed', 'DELETE', '/ucp/v1/orders/x', undefined],
    [405, 'method_not_allowed', 'GET', '/ucp/mcp', undefined],
    [400, 'invalid_request', 'POST', '/ucp/v1/checkout-sessions', '{"a'],
    [413, 'payload_too_large', 'POST', '/ucp/v1/checkout-sessions', long],
  ])('is %i %s in the form of the protocol: %s %s', async (status, code, method, path, body) => {
    const content = expect.stringMatching(/\.$/);
    expect(await sent(method, path, body)).toMatchObject({ status, body: { code, content } });
  });

  it('names the methods that there are', async () => expect((await sent('GET', '/ucp/mcp')).allow).toBe('POST'));

  it.each<[number, number, string, string, string, string?]>([
    [400, -32700, 'invalid_request', '{"a', 'application/json'],
    [413, -32600, 'payload_too_large', long, 'application/json'],
    [415, -32600, 'unsupported_media_type', '{}', 'text/plain'],
  ])('is %i with an error %i of JSON-RPC by MCP: %s', async (status, code, name, body, type) => {
    const error = { code, message: expect.any(String), data: { code: name, content: expect.any(String) } };
    expect(await sent('POST', '/ucp/mcp', body, { 'content-type': type })).toMatchObject({
      ...{ status, body: { jsonrpc: '2.0', id: null, error } },
    });
  });
});

describe('the same by MCP', () => {
  const call = (name: string, given: object) => agent.call(name, given);

  it('needs no initialize and takes JSON alone', async () => {
    const checkout = { line_items: [{ item: { id: await agent.item() }, quantity: 1 }] };
    const { id: rpc, result } = await call('create_checkout', { checkout });
    const id = result?.structuredContent.id ?? '';
    expect([rpc, JSON.parse(result?.content[0]?.text ?? '')]).toEqual([7, result?.structuredContent]);
    const { result: done } = await call('complete_checkout', { id, checkout: ACCEPTED });
    expect(done?.structuredContent.status).toBe('completed');
    const { result: order } = await call('get_order', { id: done?.structuredContent.order?.id });
    expect(order?.structuredContent).toMatchObject({ checkout_id: id });
    expect(await agent.get(id)).toEqual(done?.structuredContent);
  });

  it('checks what it is given by the schemas that it lists', async () => {
    const wrong = await call('create_checkout', { checkout: { line_items: 'all' } });
    expect([wrong.status, wrong.error?.code, wrong.error?.data?.code]).toEqual([400, -32602, 'invalid_request']);
    const unknown = await call('pay_everything', {});
    expect(unknown.error?.code).toBe(-32602);
    for (const meta of [
      {},
      'nobody',
      { 'ucp-agent': KNOWN_PLATFORM },
      { 'ucp-agent': { profile: [KNOWN_PLATFORM] } },
    ]) {
      const nobody = await call('get_checkout', { id: 'x', meta });
      expect([nobody.status, nobody.error?.data?.code]).toEqual([400, 'invalid_profile_url']);
    }
    const keyed = { 'ucp-agent': { profile: KNOWN_PLATFORM }, 'idempotency-key': 7 };
    const numbered = await call('cancel_checkout', { id: 'x', meta: keyed });
    expect([numbered.status, numbered.error?.data?.code]).toEqual([400, 'invalid_request']);
  });
});
