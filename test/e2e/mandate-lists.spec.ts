import type { List, Mandate } from '../support/answers.js';
import { AN_ID, AN_INSTANT, anError } from '../support/matchers.js';
import { bodyOf, book, brl, buy, DECLINED_CARD, grant, order, TRIP_PRICE, wholeList } from '../support/purchase.js';
import { letPass } from '../support/service.js';
import { Setting } from '../support/setting.js';

const setting = new Setting();

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
      refusal: null,
      hash: A_HASH,
      previousHash: A_HASH,
      ...more,
    });
    const refusal = {
      message:
        'R$\u00a0279,90 recusados: São Paulo → Belo Horizonte (AL1201). O valor ultrapassa o teto do mandato; nada foi cobrado.',
      bookingId: AN_ID,
      flightNumber: 'AL1201',
      from: 'CGH',
      to: 'CNF',
      unitPrice: brl(TRIP_PRICE),
    };
    const failed = { orderId: expect.not.stringMatching(orderId) };
    // Where it is in the transparency log depends on whether it is sealed yet.
    expect(items.map(({ logIndex: _, ...item }) => item)).toEqual([
      line('MandateCreated', TRIP_PRICE + 100, TRIP_PRICE + 100),
      line('MandateReserved', TRIP_PRICE, 100, failed),
      line('MandateReleased', TRIP_PRICE, TRIP_PRICE + 100, failed),
      line('MandateReserved', TRIP_PRICE, 100, { orderId }),
      line('MandateConsumed', TRIP_PRICE, 100, { orderId }),
      line('MandateChargeRefused', TRIP_PRICE, 100, { reason: 'mandate_limit_exceeded', refusal }),
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
    expect(await setting.ana.get(other)).toMatchObject(anError(422, 'invalid_cursor'));
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
    async (query) => expect(await setting.ana.get(`/mandates?${query}`)).toMatchObject(anError(422, 'invalid_query')),
  );

  it('binds a cursor to its status', async () => {
    await grant(setting.ana, 1);
    await grant(setting.ana, 1);
    const page = bodyOf(await setting.ana.get<List<Mandate>>('/mandates?status=valid&limit=1'), 200);
    const cursor = `cursor=${page.nextCursor ?? ''}`;
    expect(await setting.ana.get(`/mandates?status=valid&${cursor}`)).toMatchObject({ status: 200 });
    expect(await setting.ana.get(`/mandates?${cursor}`)).toMatchObject(anError(422, 'invalid_cursor'));
  });
});

describe('a list by time', () => {
  interface Dated {
    readonly id: string;
    readonly at: string;
  }
  /** Three of a kind, a second apart. */
  const three = async (create: () => Promise<Dated>): Promise<readonly Dated[]> => {
    const made: Dated[] = [];
    for (let n = 0; n < 3; n += 1) {
      letPass(setting.service, 1_000);
      made.push(await create());
    }
    return made;
  };
  const api = () => setting.bruno;
  /** No booking shows when it was made: its stream does. */
  const booked = async (): Promise<Dated> => {
    const { id } = await book(api());
    const { events } = setting.service.dependencies;
    for await (const { metadata } of events.readStream(`booking-${id}`)) return { id, at: metadata.occurredAt };
    throw new Error(`there is no booking ${id}`);
  };
  const granted = async (): Promise<Dated> => {
    const { id, duration } = await grant(api(), TRIP_PRICE);
    return { id, at: duration.startsAt };
  };
  const ordered = async (): Promise<Dated> => {
    const { id, createdAt: at } = await buy(api(), await book(api()), await grant(api(), TRIP_PRICE));
    return { id, at };
  };
  it.each([
    ['/bookings', booked],
    ['/mandates', granted],
    ['/orders', ordered],
  ] as const)('(%s) has what was created from an instant on and before another one', async (path, create) => {
    const [first, second, third] = await three(create);
    if (!first || !second || !third) throw new Error('there are three');
    const listed = async (query: string) => {
      const page = bodyOf(await api().get<List<{ id: string }>>(`${path}?${query}`), 200);
      return { count: page.count, ids: page.items.map(({ id }) => id), next: page.nextCursor };
    };
    const all = { count: 3, ids: [third.id, second.id, first.id], next: null };
    expect(await listed(`createdFrom=${first.at}`)).toEqual(all);
    expect(await listed(`createdFrom=${first.at}&createdTo=${third.at}`)).toEqual({
      count: 2,
      ids: [second.id, first.id],
      next: null,
    });
    expect((await listed(`createdTo=${first.at}`)).ids).not.toContain(first.id);
    // Another offset and another precision of the same instant, and one that lies between two of the clock.
    const inRecife = new Date(Date.parse(second.at) - 3 * 3_600_000).toISOString().replace('Z', '000-03:00');
    expect(await listed(`createdFrom=${inRecife}`)).toMatchObject({ ids: [third.id, second.id] });
    expect(await listed(`createdFrom=${second.at.replace('Z', '5Z')}`)).toMatchObject({ ids: [third.id] });
    const none = { count: 0, ids: [], next: null };
    expect(await listed(`createdFrom=9999-12-31T23:59:59-12:00`)).toEqual(none);
    // What has no millisecond of the clock in it has nothing in it.
    expect(
      await listed(`createdFrom=${first.at.replace('Z', '1Z')}&createdTo=${first.at.replace('Z', '15Z')}`),
    ).toEqual(none);
    expect(await listed('createdFrom=1900-01-01T00:00:00Z&createdTo=1960-01-01T00:00:00Z')).toEqual(none);

    const page = await listed(`createdFrom=${first.at}&limit=2`);
    expect(page).toMatchObject({ count: 3, ids: [third.id, second.id], next: expect.any(String) });
    const cursor = `limit=2&cursor=${page.next ?? ''}`;
    expect(await listed(`createdFrom=${first.at}&${cursor}`)).toEqual({ count: 3, ids: [first.id], next: null });
    for (const other of ['', `createdFrom=${second.at}&`, `createdFrom=${first.at}&createdTo=${third.at}&`])
      expect(await api().get(`${path}?${other}${cursor}`)).toMatchObject(anError(422, 'invalid_cursor'));
  });

  it.each([
    'createdFrom=ontem',
    'createdFrom=2026-02-30T00:00:00Z',
    'createdTo=2026-01-31',
    'createdTo=1767225600',
    'createdFrom=2026-01-31T00:00:00Z&createdFrom=2026-01-31T00:00:00Z',
    'createdFrom=2026-01-31T00:00:00Z&createdTo=2026-01-31T00:00:00Z',
    'createdFrom=2026-01-31T00:00:00.0010Z&createdTo=2026-01-30T21:00:00.001-03:00',
    'createdFrom=2026-01-31T00:00:00.0002Z&createdTo=2026-01-31T00:00:00.0001Z',
  ])('refuses %s, and says which parameter is wrong', async (query) => {
    for (const path of ['/bookings', '/mandates', '/orders'])
      expect(await setting.ana.get(`${path}?${query}`)).toMatchObject(
        anError(422, 'invalid_query', { details: [{ field: expect.stringMatching(/^created(?:From|To)$/) }] }),
      );
  });
});
