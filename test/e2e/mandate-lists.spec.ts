import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { List, Mandate } from '../support/answers.js';
import { AN_INSTANT } from '../support/matchers.js';
import { bodyOf, book, brl, buy, DECLINED_CARD, grant, order, TRIP_PRICE, wholeList } from '../support/purchase.js';
import { letPass } from '../support/service.js';
import { openSetting, type Setting } from '../support/setting.js';

let setting: Setting;
beforeAll(async () => {
  setting = await openSetting();
});
afterAll(() => setting.close());

const revoke = ({ id }: Mandate, api = setting.ana) => api.call<Mandate>('DELETE', `/mandates/${id}`);

describe('the statement of a mandate', () => {
  it('tells everything that happened to it, oldest first, and what remained', async () => {
    const mandate = await grant(setting.ana, TRIP_PRICE + 100);
    const booking = await book(setting.ana);
    await order(setting.ana, booking, mandate, DECLINED_CARD);
    const { id: orderId } = await buy(setting.ana, booking, mandate);
    await order(setting.ana, await book(setting.ana), mandate);
    await revoke(mandate, setting.otherOfAna);

    const path = `/mandates/${mandate.id}/events`;
    const { count, items } = bodyOf(await setting.ana.get<List<Record<string, unknown>>>(path), 200);
    const A_HASH: unknown = expect.stringMatching(/^[0-9a-f]{64}$/);
    const line = (type: string, amount: number | null, remaining: number, more: object = {}) => ({
      revision: expect.any(Number),
      type,
      occurredAt: AN_INSTANT,
      clientId: 'alcada-pilot',
      orderId: null,
      amount: amount === null ? null : brl(amount),
      remaining: brl(remaining),
      reason: null,
      hash: A_HASH,
      previousHash: A_HASH,
      ...more,
    });
    const failed = { orderId: expect.not.stringMatching(orderId) };
    // Where it is in the transparency log depends on whether it is sealed yet.
    expect(items.map(({ logIndex: _, ...item }) => item)).toEqual([
      line('MandateCreated', TRIP_PRICE + 100, TRIP_PRICE + 100),
      line('MandateReserved', TRIP_PRICE, 100, failed),
      line('MandateReleased', TRIP_PRICE, TRIP_PRICE + 100, failed),
      line('MandateReserved', TRIP_PRICE, 100, { orderId }),
      line('MandateConsumed', TRIP_PRICE, 100, { orderId }),
      line('MandateChargeRefused', TRIP_PRICE, 100, { reason: 'mandate_limit_exceeded' }),
      line('MandateRevoked', null, 100, { clientId: 'outro-agente' }),
    ]);
    expect(items.map(({ revision }) => revision)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(count).toBe(7);
  });

  it('comes a page at a time', async () => {
    const mandate = await grant(setting.ana, TRIP_PRICE);
    await buy(setting.ana, await book(setting.ana), mandate);
    const path = `/mandates/${mandate.id}/events`;
    const first = bodyOf(await setting.ana.get<List<{ type: string }>>(`${path}?limit=2`), 200);
    expect([first.count, first.items.map(({ type }) => type)]).toEqual([3, ['MandateCreated', 'MandateReserved']]);
    const rest = bodyOf(await setting.ana.get(`${path}?limit=2&cursor=${first.nextCursor ?? ''}`), 200);
    expect(rest).toMatchObject({ count: 3, items: [{ type: 'MandateConsumed' }], nextCursor: null });
    const other = `/mandates/${(await grant(setting.ana, 1)).id}/events?cursor=${first.nextCursor ?? ''}`;
    expect(await setting.ana.get(other)).toMatchObject({ status: 422, body: { error: 'invalid_cursor' } });
  });
});

describe('the list of mandates', () => {
  it("has the holder's mandates of every client, newest first, and finds them by status as it is now", async () => {
    const valid = await grant(setting.bruno, TRIP_PRICE);
    letPass(setting.service, 1_000);
    const brief = await grant(setting.bruno, TRIP_PRICE, { durationMinutes: 1 });
    letPass(setting.service, 60_000);
    const spent = await grant(setting.bruno, TRIP_PRICE);
    await buy(setting.bruno, await book(setting.bruno), spent);
    letPass(setting.service, 1_000);
    const revoked = await grant(setting.bruno, TRIP_PRICE);
    await revoke(revoked, setting.bruno);

    const listed = async (query: string) => {
      const items = await wholeList<Mandate>(setting.bruno, `/mandates${query}`);
      return items.map(({ id, status }) => [id, status]);
    };
    expect(await listed('')).toEqual([
      [revoked.id, 'revoked'],
      [spent.id, 'exhausted'],
      [brief.id, 'expired'],
      [valid.id, 'valid'],
    ]);
    for (const [{ id }, status] of [
      [valid, 'valid'],
      [brief, 'expired'],
      [spent, 'exhausted'],
      [revoked, 'revoked'],
    ] as const)
      expect(await listed(`?status=${status}`)).toEqual([[id, status]]);
  });

  it.each(['status=open', 'status=', 'status=valid&status=valid', 'limit=0', 'limit=501', 'limit=1&limit=1'])(
    'refuses %s',
    async (query) =>
      expect(await setting.ana.get(`/mandates?${query}`)).toMatchObject({
        status: 422,
        body: { error: 'invalid_query' },
      }),
  );

  it('binds a cursor to its status', async () => {
    await grant(setting.ana, 1);
    await grant(setting.ana, 1);
    const page = bodyOf(await setting.ana.get<List<Mandate>>('/mandates?status=valid&limit=1'), 200);
    const cursor = `cursor=${page.nextCursor ?? ''}`;
    expect(await setting.ana.get(`/mandates?status=valid&${cursor}`)).toMatchObject({ status: 200 });
    expect(await setting.ana.get(`/mandates?${cursor}`)).toMatchObject({
      status: 422,
      body: { error: 'invalid_cursor' },
    });
  });
});
