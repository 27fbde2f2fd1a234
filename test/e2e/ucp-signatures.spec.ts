import { SigningPlatform } from '../../libs/ucp/src/testing/index.js';
import { SmallSetting } from '../support/setting.js';

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
  });
});
