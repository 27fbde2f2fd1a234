import { flightAsItIs } from '#catalog';
import { flights } from '#catalog/pure';
import { systemContext } from '#kernel';
import { ANA } from '../support/agent.js';
import { loggedIn } from '../support/challenge.js';
import { changesOf } from '../support/changes.js';
import { GOOD_CARD } from '../support/purchase.js';
import { letPass } from '../support/service.js';
import { SmallSetting } from '../support/setting.js';
import { ACCEPTED, type Checkout, PlatformAgent } from '../support/ucp.js';

const setting = new SmallSetting({ LIMIT_PUBLIC_READS: '0', LIMIT_REFUSED_CARDS: '0' });
const agent = new PlatformAgent(() => setting.origin);
let item = '';
beforeAll(async () => {
  item = await agent.item();
});

/** Whatever `work` writes first to such a stream, of this type where one is named, waits until something else was done. */
const meanwhile = async <Result>(
  [prefix = '', type]: readonly string[],
  work: () => Promise<Result>,
  other: () => Promise<void>,
) => {
  const { events } = setting.service.dependencies;
  const append = events.append.bind(events);
  const waiting: typeof append = async (stream, ...rest) => {
    if (stream.startsWith(prefix) && (type === undefined || JSON.stringify(rest).includes(type))) {
      Object.assign(events, { append });
      await other();
    }
    return append(stream, ...rest);
  };
  Object.assign(events, { append: waiting });
  let result: Result | undefined;
  const changes = await changesOf(setting.service, async () => (result = await work()));
  if (result === undefined) throw new Error('it was done');
  return { result, ...changes, paid: changes.events.filter(({ type }) => type === 'OrderPaid').length };
};

/** Makes what an item is of cost so much more, in cents. */
const reprice = async (more: number): Promise<void> => {
  const [flightId = '', code = ''] = item.split(':');
  const { aggregates } = setting.service.dependencies;
  const state = await flightAsItIs(aggregates, flightId);
  if (state.status !== 'scheduled') throw new Error('it is on sale');
  const fares = state.flight.fares.map((fare) => (fare.code === code ? { ...fare, price: fare.price + more } : fare));
  const command = { type: 'RepriceFares', fares, departure: state.flight } as const;
  await aggregates.handle(flights, flightId, command, systemContext('a test'));
};

const complete = ({ id }: Checkout) => agent.ask('POST', `/checkout-sessions/${id}/complete`, ACCEPTED);
const totalOf = ({ totals }: Pick<Checkout, 'totals'>) => totals.at(-1)?.amount;
/** What the order of a session charged. */
const charged = async ({ order }: Checkout) => totalOf((await agent.ask('GET', `/orders/${order?.id ?? ''}`)).body);

it('is completed once its mandate says so too, and not as soon as its order is paid', async () => {
  const session = await agent.create(item);
  const during = new Set<string>();
  const { result, paid } = await meanwhile(
    ['mandate-', 'MandateConsumed'],
    () => complete(session),
    async () => {
      for (let looks = 0; looks < 5; looks += 1)
        for (const { status } of [await agent.get(session.id), (await complete(session)).body]) during.add(status);
    },
  );
  expect([result.body.status, paid, [...during]]).toEqual(['completed', 1, ['complete_in_progress']]);
});

describe('a purchase that takes longer than it holds its session', () => {
  it.each<[string, (session: Checkout) => Promise<unknown>, string]>([
    ['canceled', ({ id }) => agent.ask('POST', `/checkout-sessions/${id}/cancel`), 'canceled'],
    [
      'changed',
      ({ id }) => agent.ask('PUT', `/checkout-sessions/${id}`, { line_items: [{ item: { id: item }, quantity: 2 }] }),
      'ready_for_complete',
    ],
  ])('buys nothing once its session was %s', async (_, change, status) => {
    const session = await agent.create(item);
    const { result, paid, ledgerRows } = await meanwhile(
      [`booking-${session.id}`],
      () => complete(session),
      async () => {
        letPass(setting.service, 61_000);
        await change(session);
        expect((await agent.get(session.id)).status).toBe(status);
      },
    );
    expect([result.status, paid, ledgerRows]).toEqual([409, 0, 0]);
    expect((await agent.get(session.id)).status).toBe(status);
  });

  it('is under way past the end of its session', async () => {
    const session = await agent.create(item);
    letPass(setting.service, 30 * 60_000 - 5_000);
    const { result, paid } = await meanwhile(
      [`booking-${session.id}`],
      () => complete(session),
      async () => {
        letPass(setting.service, 6_000);
        expect((await agent.get(session.id)).status).toBe('complete_in_progress');
        const again = await complete(session);
        expect([again.status, again.body.code]).toEqual([409, 'checkout_in_progress']);
      },
    );
    expect([result.body.status, paid]).toEqual(['completed', 1]);
  });
});

describe('a purchase beside another one of its session', () => {
  it('leaves the price as it is shown, at which the other one charges', async () => {
    const session = await agent.create(item);
    const { result } = await meanwhile(
      [`booking-${session.id}`],
      () => complete(session),
      async () => {
        await reprice(-1_000);
        const other = await complete(session);
        expect([other.status, other.body.code]).toEqual([409, 'checkout_in_progress']);
      },
    );
    expect(result.body.status).toBe('completed');
    expect([totalOf(result.body), await charged(result.body)]).toEqual([totalOf(session), totalOf(session)]);
  });

  it('is the only one of a page and a platform, which shows what it charged', async () => {
    const session = await agent.create(item);
    const { browser, page } = await loggedIn(`${setting.origin}/comprar/${session.id}`, ANA);
    const { paid } = await meanwhile(
      [`booking-${session.id}`],
      () => browser.submit(page, { ...GOOD_CARD, decision: 'approve' }),
      async () => {
        await reprice(1_000);
        expect((await complete(session)).status).toBe(409);
      },
    );
    expect(paid).toBe(1);
    const bought = await agent.get(session.id);
    expect([bought.status, totalOf(bought)]).toEqual(['completed', totalOf(session)]);
  });
});
