import { until } from '#testing';
import { Receiver } from '../../libs/outbox/src/testing/index.js';
import type { Api } from '#agent';
import { apiAt, PURCHASE, tokensFor } from '../support/agent.js';
import { bodyOf, book, buy, dayIn, grant, TRIP, TRIP_PRICE } from '../support/purchase.js';
import { startProcess } from '../support/real-process.js';
import { LATER, ownFolder } from '../support/service.js';
import { stayEmbedded } from '../support/stores.js';
import { swept } from '../support/sweep.js';

stayEmbedded('it kills the process that has the files');

/** How often something is killed, and how many orders are placed meanwhile each time. */
const [KILLS, ORDERS] = swept({ short: [3, 8], middle: [6, 20], full: [40, 25] } as const);
const ENVIRONMENT = { ...LATER, LOG_LEVEL: 'silent', LIMIT_OPEN_MANDATES: '0' };

interface Event {
  readonly id: string;
  readonly type: string;
  readonly cursor: string;
  readonly data: { readonly id?: string; readonly mandateId?: string };
}

/** The mandate that an event is about, or by which its order is paid. */
const laneOf = ({ data }: Event): string => data.mandateId ?? data.id ?? '';

const groupedBy = <Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): ReadonlyMap<string, readonly Item[]> => {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
};

const folder = ownFolder(() => service.end('SIGKILL'));
let service: Awaited<ReturnType<typeof startProcess>>;
const start = async () => {
  service = await startProcess(folder, ENVIRONMENT);
};

const toldBy = async (api: Api): Promise<readonly Event[]> => {
  const all: Event[] = [];
  for (let after = ''; ;) {
    const query = after === '' ? '' : `?after=${after}`;
    const { items } = bodyOf(await api.get<{ readonly items: readonly Event[] }>(`/events${query}`), 200);
    if (items.length === 0) return all;
    all.push(...items);
    after = items.at(-1)?.cursor ?? '';
  }
};

it('every event arrives, in the order of its mandate, though receiver and service are killed again and again', async () => {
  await start();
  const { access_token: token } = await tokensFor(service.origin, { scopes: [...PURCHASE, 'webhook:manage'] });
  const api = () => apiAt(service.origin, token);
  const receiver = await Receiver.open();
  bodyOf(await api().post('/webhooks', { url: receiver.url }), 201);

  /** Mandates, and an order on each; what a kill breaks off is whatever it is. */
  const purchases = (round: number) =>
    Array.from({ length: ORDERS }, async () => {
      const mandate = await grant(api(), TRIP_PRICE);
      const trip = { ...TRIP, date: dayIn(5 + round) }; // no day has seats for all
      await buy(api(), await book(api(), trip), mandate);
      await api().call('DELETE', `/mandates/${mandate.id}`);
    });
  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = receiver.told.length;
    const under = purchases(kill);
    await until(() => receiver.told.length > before + ORDERS);
    if (kill % 3 !== 0) await receiver.close();
    if (kill % 3 !== 1) {
      await service.end('SIGKILL');
      await start();
    }
    await Promise.allSettled(under);
    if (kill % 3 !== 0) await receiver.listen();
  }
  await Promise.all(purchases(KILLS));

  const expected = await toldBy(api());
  const idsOf = (events: readonly Event[]) => events.map(({ id }) => id);
  const received = () => receiver.told.map(({ body }) => body as unknown as Event);
  await until(async () => {
    const ids = new Set(idsOf(received()));
    return idsOf(await toldBy(api())).every((id) => ids.has(id));
  });
  const lanes = groupedBy(await toldBy(api()), laneOf);
  expect(expected.length).toBeGreaterThan(3 * ORDERS);
  for (const [lane, events] of lanes) {
    const arrived = idsOf(received().filter((event) => laneOf(event) === lane));
    expect([...new Set(arrived)]).toEqual(idsOf(events));
  }
  const times = [...groupedBy(idsOf(received()), (id) => id).values()].map((all) => all.length);
  expect(Math.max(...times)).toBeLessThanOrEqual(1 + KILLS);
  await receiver.close();
}, 1_800_000);
