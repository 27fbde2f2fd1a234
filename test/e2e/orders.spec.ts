import type { List, Order } from '../support/answers.js';
import { anError } from '../support/matchers.js';
import { bodyOf, book, buy, DECLINED_CARD, grant, order, TRIP_PRICE, wholeList } from '../support/purchase.js';
import { letPass } from '../support/service.js';
import { Setting } from '../support/setting.js';

const setting = new Setting();

describe('an order', () => {
  it('reads as it was answered', async () => {
    const paid = await buy(setting.ana, await book(setting.ana), await grant(setting.ana, TRIP_PRICE));
    expect(bodyOf(await setting.ana.get(`/orders/${paid.id}`), 200)).toEqual(paid);
    expect(bodyOf(await setting.otherOfAna.get(`/orders/${paid.id}`), 200)).toEqual(paid);
  });

  it('that failed says why, and has no receipt', async () => {
    const mandate = await grant(setting.ana, TRIP_PRICE);
    await order(setting.ana, await book(setting.ana), mandate, DECLINED_CARD);
    const [failed] = await wholeList<Order>(setting.ana, '/orders?status=failed');
    expect(failed).toMatchObject({ status: 'failed', ticketCode: null, failure: 'payment_declined' });
    const read = await setting.ana.get(`/orders/${failed?.id ?? ''}`);
    expect(bodyOf(read, 200)).toEqual(failed);
    expect(await setting.ana.get(`/orders/${failed?.id ?? ''}/receipt`)).toMatchObject(
      anError(404, 'ticket_not_found'),
    );
  });

  it('of another holder reads as one that nobody knows, and so does its receipt', async () => {
    const paid = await buy(setting.ana, await book(setting.ana), await grant(setting.ana, TRIP_PRICE));
    const read = async (path: string) => {
      const { status, body } = await setting.bruno.get<object>(path);
      return { status, ...body, requestId: '' };
    };
    for (const [tail, error] of [
      ['', 'order_not_found'],
      ['/receipt', 'ticket_not_found'],
    ] as const) {
      const foreign = await read(`/orders/${paid.id}${tail}`);
      expect(foreign).toMatchObject({ status: 404, error });
      expect(await read(`/orders/${crypto.randomUUID()}${tail}`)).toEqual(foreign);
      expect(await read(`/orders/1${tail}`)).toEqual(foreign);
    }
  });
});

describe('the list of orders', () => {
  it("has the holder's orders of every client, newest first, by status if asked", async () => {
    const mandate = await grant(setting.bruno, TRIP_PRICE * 2);
    const first = await buy(setting.bruno, await book(setting.bruno), mandate);
    letPass(setting.service, 1_000);
    await order(setting.bruno, await book(setting.bruno), mandate, DECLINED_CARD);
    letPass(setting.service, 1_000);
    const last = await buy(setting.bruno, await book(setting.bruno), mandate);

    const listed = await wholeList<Order>(setting.bruno, '/orders');
    expect(listed.map(({ status }) => status)).toEqual(['paid', 'failed', 'paid']);
    expect([listed[0], listed[2]]).toEqual([last, first]);
    expect(await wholeList<Order>(setting.bruno, '/orders?status=paid')).toEqual([last, first]);
    expect(await wholeList<Order>(setting.bruno, '/orders?status=failed')).toEqual([listed[1]]);
    for (const none of ['pending', 'cancelled'])
      expect(await wholeList<Order>(setting.bruno, `/orders?status=${none}`)).toEqual([]);

    const page = bodyOf(await setting.bruno.get<List<Order>>('/orders?limit=1'), 200);
    expect([page.count, page.items]).toEqual([3, [last]]);
    const next = bodyOf(await setting.bruno.get<List<Order>>(`/orders?limit=1&cursor=${page.nextCursor ?? ''}`), 200);
    expect([next.count, next.items]).toEqual([3, [listed[1]]]);
  });

  it('keeps its pages while new orders come in', async () => {
    const mandate = await grant(setting.otherOfAna, TRIP_PRICE * 3);
    for (let count = 0; count < 2; count += 1) {
      await buy(setting.otherOfAna, await book(setting.otherOfAna), mandate);
      letPass(setting.service, 1_000);
    }
    const whole = await wholeList<Order>(setting.ana, '/orders');
    const page = bodyOf(await setting.ana.get<List<Order>>('/orders?limit=1'), 200);
    await buy(setting.otherOfAna, await book(setting.otherOfAna), mandate);
    const rest = bodyOf(await setting.ana.get<List<Order>>(`/orders?cursor=${page.nextCursor ?? ''}`), 200);
    expect([...page.items, ...rest.items]).toEqual(whole);
  });

  it.each(['status=done', 'status=paid&status=paid', 'limit=0', 'cursor=a&cursor=b'])('refuses %s', async (query) =>
    expect(await setting.ana.get(`/orders?${query}`)).toMatchObject(anError(422, 'invalid_query')),
  );
});
