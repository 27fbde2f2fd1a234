import type { Booking, Money } from '../support/answers.js';
import { bodyOf } from '../support/purchase.js';
import { SmallSetting } from '../support/setting.js';

interface Variant {
  readonly id: string;
  readonly price: Money;
  readonly availability: { readonly available: boolean };
  readonly metadata: Readonly<Record<'flightNumber' | 'departureDate' | 'fareCode' | 'saleEndsAt', string>> & {
    readonly seats: number;
  };
}
interface Answer {
  readonly ucp: { readonly status: string; readonly capabilities: object };
  readonly products: readonly { readonly id: string; readonly variants: readonly Variant[] }[];
  readonly product: { readonly id: string; readonly variants: readonly Variant[] };
  readonly pagination: { readonly cursor?: string; readonly has_next_page: boolean; readonly total_count: number };
  readonly code: string;
  readonly messages: readonly { readonly code: string; readonly path?: string }[];
}

const setting = new SmallSetting();
const AGENT = { 'ucp-agent': 'profile="https://spck.dev/agent"', 'content-type': 'application/json' };

const ask = async (operation: string, input: object | string, headers: Readonly<Record<string, string>> = AGENT) => {
  const body = typeof input === 'string' ? input : JSON.stringify(input);
  const response = await fetch(`${setting.origin}/ucp/v1/catalog/${operation}`, { method: 'POST', headers, body });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer };
};

describe('the catalogue by REST', () => {
  it('begins with what a group can still buy, whose variants can be booked at their prices', async () => {
    const { status, headers, body } = await ask('search', { query: '*' });
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(body.ucp).toMatchObject({ status: 'success', capabilities: { 'dev.ucp.shopping.catalog.search': [{}] } });
    expect(body.products).toHaveLength(10);
    const variants = body.products.flatMap((product) => product.variants);
    const [first] = variants;
    expect(first?.metadata.seats).toBeGreaterThanOrEqual(9);
    expect(Date.parse(first?.metadata.saleEndsAt ?? '')).toBeGreaterThan(Date.now() + 3_500_000);
    for (const { metadata, price, availability } of variants.slice(0, 5)) {
      const { flightNumber, departureDate: date, fareCode } = metadata;
      const trip = { flightNumber, date, fareCode, passengers: 9 };
      const booking = bodyOf(await setting.ana.post<Booking>('/bookings', trip), 201);
      expect([booking.total, availability.available]).toEqual([{ ...price, amount: price.amount * 9 }, true]);
    }
  });

  it('goes on from a cursor, in its place or where the public suite has it', async () => {
    const { body: first } = await ask('search', { query: 'São Paulo' });
    const { cursor, total_count: count } = first.pagination;
    const [next, again] = [
      await ask('search', { query: 'São Paulo', pagination: { cursor, limit: 10 } }),
      await ask('search', { query: 'São Paulo', cursor }),
    ];
    expect(next.body.products).toHaveLength(Math.min(10, count - 10));
    expect(again.body).toEqual(next.body);
    const ids = [first, next.body].flatMap(({ products }) => products.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('knows a product and a variant by their ids', async () => {
    const { body } = await ask('search', { query: 'AL1201' });
    const [product] = body.products;
    const [id = '', variant = ''] = [product?.id, product?.variants[1]?.id];
    const found = await ask('lookup', { ids: [id, id, variant, 'nada'] });
    expect(found.body.products).toMatchObject([
      {
        id,
        variants: [{ inputs: [{ id, match: 'featured' }] }, { id: variant, inputs: [{ id: variant, match: 'exact' }] }],
      },
    ]);
    expect(found.body.messages).toEqual([{ type: 'info', code: 'not_found', content: 'nada' }]);
    expect((await ask('product', { id: variant })).body.product).toMatchObject({ id, variants: [{ id: variant }] });
    const lost = await ask('product', { id: 'nada' });
    expect([lost.status, lost.body.ucp.status, lost.body.messages[0]?.code]).toEqual([200, 'error', 'not_found']);
  });

  it('refuses what it cannot read, and whoever does not say who it is', async () => {
    const [{ 'ucp-agent': _, ...nobody }, ids] = [AGENT, Array.from({ length: 51 }, String)];
    const refused = async (...asked: Parameters<typeof ask>) => {
      const { status, body } = await ask(...asked);
      return [status, body.code, ...body.messages.map(({ path }) => path)];
    };
    expect(await refused('search', {})).toEqual([400, 'invalid_request', '$.query']);
    expect(await refused('search', '{')).toEqual([400, 'invalid_request', undefined]);
    expect(await refused('search', [])).toEqual([400, 'invalid_request', '$']);
    expect(await refused('lookup', { ids: 'a' })).toEqual([400, 'invalid_request', '$.ids']);
    expect(await refused('lookup', { ids })).toEqual([400, 'request_too_large', undefined]);
    expect(await refused('product', {})).toEqual([400, 'invalid_request', '$.id']);
    expect(await refused('search', { query: '*' }, nobody)).toEqual([400, 'invalid_profile_url', undefined]);
  });
});
