import { SigningPlatform } from '../../libs/ucp/src/testing/index.js';
import { SmallSetting } from '../support/setting.js';
import { coveredIn } from '../support/signed-message.js';
import { ACCEPTED, KNOWN_PLATFORM, PlatformAgent } from '../support/ucp.js';

const setting = new SmallSetting();
let platform: SigningPlatform;
beforeAll(async () => {
  platform = await SigningPlatform.open();
});
afterAll(() => platform.close());

interface Found {
  readonly products: readonly { readonly variants: readonly { readonly id: string }[] }[];
}

const KEY = { idempotencyKey: '550e8400-e29b-41d4-a716-446655440000' };
const post = async (path: string, body: object, change: Readonly<Record<string, string>> = {}) => {
  const [url, text] = [setting.origin + path, JSON.stringify(body)];
  const headers = { ...platform.headers('POST', url, text, KEY), ...change };
  const response = await fetch(url, { method: 'POST', headers, body: text });
  return { status: response.status, answer: (await response.json()) as object };
};

describe('a platform that signs', () => {
  it('finds, and opens a session that only it can see; another signature opens none', async () => {
    const found = (await post('/ucp/v1/catalog/search', { query: '*' })).answer as Found;
    const item = { id: found.products[0]?.variants[0]?.id };
    const session = { line_items: [{ item, quantity: 1 }] };
    const created = await post('/ucp/v1/checkout-sessions', session);
    expect(created.status).toBe(201);
    const { id } = created.answer as { readonly id: string };
    const url = `${setting.origin}/ucp/v1/checkout-sessions/${id}`;
    const signed = await fetch(url, { headers: platform.headers('GET', url) });
    expect(await signed.json()).toMatchObject({ id, ucp: { status: 'success' } });
    const said = await fetch(url, { headers: { 'ucp-agent': `profile="${platform.profileUrl}"` } });
    expect(await said.json()).toMatchObject({ ucp: { status: 'error' } });
    const { idempotencyKey: key } = KEY;
    const unsigned = { 'ucp-agent': `profile="${platform.profileUrl}"`, 'content-type': 'application/json' };
    const repeated = await fetch(`${setting.origin}/ucp/v1/checkout-sessions`, {
      ...{ method: 'POST', headers: { ...unsigned, 'idempotency-key': key }, body: JSON.stringify(session) },
    });
    expect([repeated.status, ((await repeated.json()) as { readonly id: string }).id]).toEqual([
      201,
      expect.not.stringContaining(id),
    ]);
    const swapped = await post('/ucp/v1/checkout-sessions', session, { 'idempotency-key': 'another-key-of-others' });
    expect(swapped).toMatchObject({ status: 401, answer: { code: 'signature_invalid' } });
    const halved = await fetch(url, {
      ...{ method: 'PUT', body: JSON.stringify(session) },
      headers: { ...unsigned, 'signature-input': platform.headers('GET', url)['signature-input'] ?? '' },
    });
    expect([halved.status, await halved.json()]).toEqual([401, expect.objectContaining({ code: 'signature_missing' })]);
  });
});

describe('what is answered about a purchase', () => {
  const AGENT = { 'ucp-agent': `profile="${KNOWN_PLATFORM}"`, 'content-type': 'application/json' };
  const OF_ANSWERS = ['@status', 'content-type', 'content-digest'];
  /** What the signature of an answer covers; null: it has none. */
  const covered = async (path: string, method: string, body?: object) => {
    const given = { method, headers: AGENT, ...(body && { body: JSON.stringify(body) }) };
    const answer = await fetch(`${setting.origin}${path}`, given);
    const message = { headers: Object.fromEntries(answer.headers), text: await answer.text() };
    return coveredIn(message, { '@status': String(answer.status) }, `${setting.origin}/.well-known/ucp`);
  };
  const called = (name: string, given: object) => {
    const meta = { 'ucp-agent': { profile: KNOWN_PLATFORM }, 'idempotency-key': crypto.randomUUID() };
    const params = { name, arguments: { meta, ...given } };
    return covered('/ucp/mcp', 'POST', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  };

  it('is signed by a key of the profile, by REST and by MCP; what is on sale is not', async () => {
    const agent = new PlatformAgent(() => setting.origin);
    const item = await agent.item();
    const checkout = { line_items: [{ item: { id: item }, quantity: 1 }] };
    const { id } = await agent.create(item);
    expect(await covered('/ucp/v1/checkout-sessions', 'POST', checkout)).toEqual(OF_ANSWERS);
    expect(await covered(`/ucp/v1/checkout-sessions/${id}`, 'GET')).toEqual(OF_ANSWERS);
    for (const [name, given] of [
      ['create_checkout', { checkout }],
      ['get_checkout', { id }],
      ['update_checkout', { id, checkout }],
      ['complete_checkout', { id, checkout: ACCEPTED }],
    ] as const)
      expect([name, await called(name, given)]).toEqual([name, OF_ANSWERS]);
    const order = (await agent.get(id)).order?.id;
    expect(await covered(`/ucp/v1/orders/${order ?? ''}`, 'GET')).toEqual(OF_ANSWERS);
    expect(await called('get_order', { id: order })).toEqual(OF_ANSWERS);
    expect(await called('search_catalog', { catalog: { query: '*' } })).toBeNull();
  });
});
