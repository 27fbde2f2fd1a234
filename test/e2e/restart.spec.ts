import { apiAt, tokensFor } from '../support/agent.js';
import type { Booking, Mandate, Order } from '../support/answers.js';
import { book, buy, grant, mandateNow, TRIP_PRICE, wholeList } from '../support/purchase.js';
import { settled } from '../support/service.js';
import { ServiceOnFiles } from '../support/service-under-test.js';

const tested = new ServiceOnFiles();
let token: string;
beforeAll(async () => {
  token = (await tokensFor(tested.origin)).access_token;
});

const textOf = async (path: string): Promise<string> => {
  await settled(tested.service);
  const answer = await fetch(`${tested.origin}/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } });
  expect(answer.status).toBe(200);
  return answer.text();
};

const startAgain = async (): Promise<void> => {
  await tested.stop();
  await tested.start();
};

describe('a service started again', () => {
  it('still knows everything, the token included, and each receipt to the byte', async () => {
    const before = apiAt(tested.origin, token);
    const booking = await book(before);
    const mandate = await grant(before, TRIP_PRICE * 2);
    const order = await buy(before, booking, mandate);
    const spent = await mandateNow(before, mandate);
    const path = `/orders/${order.id}/receipt`;
    const receipt = await textOf(path);
    expect(await textOf(path)).toBe(receipt);

    await startAgain();
    const after = apiAt(tested.origin, token);
    expect(await textOf(path)).toBe(receipt);
    expect(await wholeList<Booking>(after, '/bookings')).toEqual([booking]);
    expect(await wholeList<Order>(after, '/orders')).toMatchObject([{ id: order.id, status: 'paid' }]);
    const { status, consumed, remaining } = await mandateNow(after, mandate);
    expect({ status, consumed, remaining }).toEqual({
      status: spent.status,
      consumed: spent.consumed,
      remaining: spent.remaining,
    });
    expect(await wholeList<Mandate>(after, '/mandates')).toMatchObject([{ id: mandate.id, consumed: spent.consumed }]);
  });

  it('writes nothing by being started', async () => {
    await startAgain(); // the end of the process before wrote down the traffic it had seen
    const head = (await tested.service.dependencies.events.head())?.position;
    await startAgain();
    expect((await tested.service.dependencies.events.head())?.position).toBe(head);
  });
});
