import type { Answer, Api } from '#agent';
import { agentAt, BRUNO } from '../support/agent.js';
import type { List, Mandate, Order, Refused } from '../support/answers.js';
import { CHALLENGED_CARD } from '../support/challenge.js';
import { bodyOf, book, DECLINED_CARD, GOOD_CARD, grant, order, TRIP, TRIP_PRICE } from '../support/purchase.js';
import { letPass, settled } from '../support/service.js';
import { ServiceUnderTest } from '../support/service-under-test.js';

const TEN_MINUTES = 600_000;

const tested = new ServiceUnderTest();
let ana: Api;
let bruno: Api;
let mandates: ReadonlyMap<Api, Mandate>;
/** Nobody has had a card refused for ten minutes, nor has a challenge that waits. */
beforeEach(async () => {
  letPass(tested.service, 2 * TEN_MINUTES);
  ana = await agentAt(tested.origin);
  bruno = await agentAt(tested.origin, { traveller: BRUNO });
  mandates = new Map([
    [ana, await grant(ana, 1_000 * TRIP_PRICE)],
    [bruno, await grant(bruno, 1_000 * TRIP_PRICE)],
  ]);
});

const mandateOf = (agent: Api): Mandate => {
  const mandate = mandates.get(agent);
  if (!mandate) throw new Error('an agent without a mandate');
  return mandate;
};
const pay = async (agent: Api, card: object, trip: object = {}): Promise<Answer<Order>> =>
  order(agent, await book(agent, { ...TRIP, ...trip }), mandateOf(agent), card);
const payAtOnce = async (agent: Api, count: number, card: object, trip: object = {}) => {
  const booked = await Promise.all(Array.from({ length: count }, () => book(agent, { ...TRIP, ...trip })));
  return Promise.all(booked.map((booking) => order(agent, booking, mandateOf(agent), card)));
};
const codeOf = ({ status, body }: Answer<unknown>): string => `${status} ${(body as Refused).error}`;
const tally = (answers: readonly Answer<unknown>[]) => {
  const codes = answers.map(codeOf);
  return Object.fromEntries([...new Set(codes)].map((code) => [code, codes.filter((one) => one === code).length]));
};
// A challenged order waits for no read model.
const ordersOf = async (agent: Api): Promise<number> => {
  await settled(tested.service);
  return bodyOf(await agent.get<List<Order>>('/orders'), 200).count;
};

describe('an agent that tries cards', () => {
  it('has ten refused of 60 that it sends at once; the others leave no order', async () => {
    const before = await ordersOf(ana);
    const answers = await payAtOnce(ana, 60, DECLINED_CARD);
    expect(tally(answers)).toEqual({ '402 payment_declined': 10, '429 rate_limited': 50 });
    for (const { status, headers } of answers)
      if (status === 429) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await ordersOf(ana)) - before).toBe(10);
    expect(codeOf(await pay(ana, GOOD_CARD))).toBe('429 rate_limited');
    letPass(tested.service, TEN_MINUTES);
    bodyOf(await pay(ana, GOOD_CARD), 201);
  });
});

describe('an agent that holds seats with challenges nobody answers', () => {
  it('has them counted as refused cards once they have lapsed', async () => {
    const waiting = [await pay(bruno, CHALLENGED_CARD), await pay(bruno, CHALLENGED_CARD)];
    const ids = waiting.map(({ body }) => (body as unknown as { order: { id: string } }).order.id);
    letPass(tested.service, TEN_MINUTES + 1);
    for (const id of ids) await untilFailed(bruno, id);
    const answers = await payAtOnce(bruno, 10, DECLINED_CARD);
    expect(tally(answers)).toEqual({ '402 payment_declined': 8, '429 rate_limited': 2 });
  });

  it('has what is refused for too many of them counted as well', async () => {
    const answers = await payAtOnce(ana, 30, CHALLENGED_CARD);
    expect(tally(answers)).toEqual({ '402 payment_challenge_required': 2, '429 rate_limited': 28 });
    expect(codeOf(await pay(ana, GOOD_CARD))).toBe('429 rate_limited');
  });
});

/** Recovery finishes a challenge that has lapsed. */
const untilFailed = async (agent: Api, id: string): Promise<void> => {
  while ((await agent.get<Order>(`/orders/${id}`)).body.status !== 'failed')
    await tested.service.dependencies.clock.sleep(50);
};
