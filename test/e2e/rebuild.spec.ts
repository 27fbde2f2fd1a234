import { ordersProjection } from '#order/pure';
import { apiAt, tokensFor } from '../support/agent.js';
import { alcada } from '../support/alcada.js';
import type { Booking, Mandate, Order } from '../support/answers.js';
import { book, buy, grant, TRIP, TRIP_PRICE, wholeList } from '../support/purchase.js';
import { ownFolder, startService } from '../support/service.js';
import { stayEmbedded } from '../support/stores.js';

stayEmbedded('it asks for a server that is stopped');

const folder = ownFolder();
let token: string;
let before: readonly unknown[];

const shownAt = async (origin: string): Promise<readonly unknown[]> => {
  const ana = apiAt(origin, token);
  const orders = await wholeList<Order>(ana, '/orders');
  const receipts = await Promise.all(orders.map(async ({ id }) => (await ana.get(`/orders/${id}/receipt`)).body));
  const lists = await Promise.all(
    ['/bookings', '/mandates', '/flights'].map((path) => wholeList<Booking | Mandate>(ana, path)),
  );
  return [orders, receipts, ...lists].map((list) => list.map(withoutTime));
};

const withoutTime = (item: unknown): unknown =>
  JSON.parse(JSON.stringify(item, (key, value: unknown) => (key === 'remainingSeconds' || key === 'url' ? 0 : value)));

beforeAll(async () => {
  const service = await startService(folder);
  token = (await tokensFor(service.origin)).access_token;
  const ana = apiAt(service.origin, token);
  const metadata = { viagem: 'congresso' };
  for (let n = 0; n < 3; n += 1)
    await buy(ana, await book(ana, { ...TRIP, metadata }), await grant(ana, TRIP_PRICE, { metadata }));
  before = await shownAt(service.origin);
  await service.stop();
});

describe('alcada rebuild', () => {
  it('builds every read model anew, equal to what it was, and tells how far it is in lines where no terminal is', async () => {
    const { code, stdout, stderr } = await alcada(folder, ['rebuild', '--all', '--json']);
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringMatching(/^orders: 100 %$/m) });
    const { rebuilt } = JSON.parse(stdout) as { rebuilt: readonly string[] };
    expect(rebuilt).toEqual(expect.arrayContaining(['flights', 'bookings', 'mandates', 'orders']));
    const service = await startService(folder);
    expect(await shownAt(service.origin)).toEqual(before);
    expect(JSON.stringify(before)).toContain('congresso');
    await service.stop();
  });

  it('lists the read models, with the generation that is read and how far each is', async () => {
    const earlier = JSON.parse((await alcada(folder, ['rebuild', 'list', '--json'])).stdout) as readonly Listed[];
    expect(await alcada(folder, ['rebuild', 'orders'])).toMatchObject({ code: 0, stdout: 'Rebuilt: orders.\n' });
    const later = JSON.parse((await alcada(folder, ['rebuild', 'list', '--json'])).stdout) as readonly Listed[];
    const orders = (list: readonly Listed[]) => list.find(({ projection }) => projection === 'orders');
    expect(orders(later)?.generation).toBeGreaterThan(orders(earlier)?.generation ?? Infinity);
    expect(orders(later)).toMatchObject({ building: null, lag: { distance: 0, seconds: 0 } });
    const { version } = ordersProjection;
    expect((await alcada(folder, ['rebuild', 'list'])).stdout).toMatch(
      new RegExp(`^ {2}orders +version ${version}, generation \\d+; up to date$`, 'm'),
    );
  });

  it.each([
    ['an unknown name', ['pedidos'], 'there is no read model pedidos; choose one of flights, '],
    ['no name', [], 'which read model? Choose one of flights, '],
    ['two names', ['orders', 'flights'], "too many arguments for 'rebuild'"],
    ['a name beside --all', ['orders', '--all'], 'give one read model or --all, not both'],
  ])('does not understand %s', async (_, args, why) => {
    const { code, stderr } = await alcada(folder, ['rebuild', ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(`error: ${why}`);
  });

  it('is refused beside a server that runs on the same folder', async () => {
    const service = await startService(folder);
    const { code, stderr } = await alcada(folder, ['rebuild', 'orders']);
    await service.stop();
    expect(code).toBe(78);
    expect(stderr).toContain(`If a server runs on ${folder}, stop it first.`);
  });
});

interface Listed {
  readonly projection: string;
  readonly generation: number;
}
