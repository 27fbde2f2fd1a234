import { EventSource } from 'eventsource';
import { TcpProxy, until } from '#testing';
import type { Api } from '#agent';
import { apiAt, PILOT, tokensFor } from '../support/agent.js';
import { AN_INSTANT } from '../support/matchers.js';
import { bodyOf, book, brl, buy, giveBack, grant, laterTrip, TRIP_PRICE } from '../support/purchase.js';
import { Setting } from '../support/setting.js';

interface Event {
  readonly id: string;
  readonly type: string;
  readonly cursor: string;
  readonly timestamp: string;
  readonly data: { readonly id?: string };
}
interface Page {
  readonly items: readonly Event[];
  readonly nextCursor: string;
}

const setting = new Setting();
const page = async (api: Api, query = ''): Promise<Page> => bodyOf(await api.get<Page>(`/events${query}`), 200);

/** What is told after a cursor, once that much is. */
const toldAfter = async (api: Api, cursor: string, count: number): Promise<readonly Event[]> => {
  for (;;) {
    const { items } = await page(api, `?after=${cursor}`);
    if (items.length >= count) return items;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};
const nowAt = async (api: Api): Promise<string> => (await page(api)).nextCursor;

describe('the public events of an agent', () => {
  it('tell a purchase, its mandate and its way back in the order of the log, as the resources were then', async () => {
    const { ana } = setting;
    const from = await nowAt(ana);
    const mandate = await grant(ana, TRIP_PRICE);
    const paid = await buy(ana, await book(ana, laterTrip()), mandate);
    const refund = await giveBack(ana, paid);
    await ana.call('DELETE', `/mandates/${mandate.id}`);
    const told = await toldAfter(ana, from, 7);
    expect(told.map(({ type }) => type).toSorted()).toEqual([
      'mandate.exhausted',
      'mandate.granted',
      'mandate.nearly_exhausted',
      'mandate.refunded',
      'mandate.revoked',
      'order.cancelled',
      'order.paid',
    ]);
    const of = (type: string) => told.find((event) => event.type === type);
    expect(of('order.paid')).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      type: 'order.paid',
      timestamp: AN_INSTANT,
      cursor: expect.any(String),
      data: expect.objectContaining({
        id: paid.id,
        status: 'paid',
        mandateId: mandate.id,
        grandTotal: brl(TRIP_PRICE),
        tickets: [{ ticketCode: paid.ticketCode }],
        url: `${setting.origin}/api/v1/orders/${paid.id}`,
      }),
    });
    for (const name of ['metadata', 'travellers', 'contact']) expect(of('order.paid')?.data).not.toHaveProperty(name);
    expect(of('order.cancelled')?.data).toMatchObject({ status: 'cancelled', refund: { amount: brl(refund) } });
    expect(of('mandate.granted')?.data).toMatchObject({ id: mandate.id, consumed: brl(0), status: 'valid' });
    expect(of('mandate.exhausted')?.data).toMatchObject({ consumed: brl(TRIP_PRICE), status: 'exhausted' });
    expect(of('mandate.refunded')?.data).toMatchObject({ refunded: brl(refund), status: 'valid' });
    expect(of('mandate.revoked')?.data).toMatchObject({ status: 'revoked' });
    const types = told.filter(({ data }) => data.id === mandate.id).map(({ type }) => type);
    expect(types[0]).toBe('mandate.granted');
    expect(types.at(-1)).toBe('mandate.revoked');
    // One stored event told two things, each with an id of its own.
    expect(new Set(told.map(({ id }) => id)).size).toBe(7);
    expect(await page(ana, `?after=${told[2]?.cursor}`)).toMatchObject({ items: told.slice(3) });
    expect(await page(ana, `?after=${from}&limit=2`)).toEqual({ items: told.slice(0, 2), nextCursor: told[1]?.cursor });
    const { items, nextCursor } = await page(ana, `?after=${from}&types=order.paid,mandate.revoked`);
    expect(items.map(({ type }) => type)).toEqual(['order.paid', 'mandate.revoked']);
    expect((await page(ana, `?after=${nextCursor}`)).items).toEqual([]);
  });

  it('cross four fifths of a ceiling each time that it is reached', async () => {
    const { ana } = setting;
    const from = await nowAt(ana);
    const mandate = await grant(ana, TRIP_PRICE + 1_000);
    for (let times = 0; times < 2; times += 1) {
      const paid = await buy(ana, await book(ana, laterTrip()), mandate);
      await giveBack(ana, paid);
    }
    const told = await toldAfter(ana, from, 9);
    const types = told.filter(({ data }) => data.id === mandate.id).map(({ type }) => type);
    expect(types).toEqual([
      'mandate.granted',
      ...['mandate.nearly_exhausted', 'mandate.refunded'],
      ...['mandate.nearly_exhausted', 'mandate.refunded'],
    ]);
  });

  it('are told to no other agent of the traveller, and to no other traveller', async () => {
    const { ana, otherOfAna, bruno } = setting;
    const from = await nowAt(ana);
    const mandate = await grant(ana, TRIP_PRICE);
    await toldAfter(ana, from, 1);
    for (const other of [otherOfAna, bruno]) expect((await page(other, `?after=${from}`)).items).toEqual([]);
    await grant(otherOfAna, 100);
    const [own] = await toldAfter(otherOfAna, from, 1);
    expect(own?.data.id).not.toBe(mandate.id);
    // A cursor is a place in the log and no more: another’s opens nothing.
    expect((await page(bruno, `?after=${own?.cursor}`)).items).toEqual([]);
  });

  it('are those that the token is good for', async () => {
    const { ana, origin } = setting;
    const from = await nowAt(ana);
    await grant(ana, 100);
    await toldAfter(ana, from, 1);
    const only = async (scope: string) => apiAt(origin, (await tokensFor(origin, { scopes: [scope] })).access_token);
    const reads = await only('receipt:read');
    expect((await page(reads, `?after=${from}`)).items).toEqual([]);
    expect(await reads.get('/events?types=mandate.granted')).toMatchObject({
      status: 403,
      body: { error: 'insufficient_scope' },
    });
    expect(await (await only('catalog:read')).get('/events')).toMatchObject({ status: 403 });
    expect(await setting.anyone.get('/events')).toMatchObject({ status: 401 });
  });

  it.each(['?after=', '?after=abc', `?after=${Buffer.from(`${'9'.repeat(20)}.000000`).toString('base64url')}`])(
    'refuse a cursor that is none: %s',
    async (query) => {
      expect(await setting.ana.get(`/events${query}`)).toMatchObject({
        status: 422,
        body: { error: 'invalid_cursor' },
      });
    },
  );

  it('refuse a type that there is not', async () => {
    const answer = await setting.ana.get('/events?types=order.paid,order.lost');
    expect(answer).toMatchObject({ status: 422, body: { error: 'invalid_query', details: [{ field: 'types' }] } });
  });

  it('have a schema for each type, and none for another', async () => {
    const answer = await setting.anyone.get('/events/schemas/order.paid.json');
    expect(answer).toMatchObject({
      status: 200,
      body: {
        $id: `${setting.origin}/api/v1/events/schemas/order.paid.json`,
        properties: { type: { const: 'order.paid' } },
      },
    });
    expect(await setting.anyone.get('/events/schemas/order.lost.json')).toMatchObject({ status: 404 });
  });
});

describe('the stream of events', () => {
  const open = async (token: string, headers: Readonly<Record<string, string>> = {}, query = '') => {
    const leaving = new AbortController();
    const response = await fetch(`${setting.origin}/api/v1/events${query}`, {
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream', ...headers },
      signal: leaving.signal,
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    /** What came, once it matches; null: the stream has ended without. */
    const until = async (pattern: RegExp): Promise<string | null> => {
      while (!pattern.test(text)) {
        const part = await reader?.read();
        if (!part || part.done) return null;
        text += part.value;
      }
      return text;
    };
    return { response, until, leave: () => leaving.abort() };
  };
  const idsIn = (text: string | null): readonly string[] =>
    [...(text ?? '').matchAll(/^id: (.+)$/gm)].map(([, id = '']) => id);

  it('sends what happens, goes on from the last event that a reader has, and ends with the grant', async () => {
    const { origin } = setting;
    const { access_token: token } = await tokensFor(origin);
    const ana = apiAt(origin, token);
    const live = await open(token);
    expect(live.response).toMatchObject({ status: 200 });
    expect(live.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const first = await grant(ana, 100);
    const [begun = '', told = ''] = idsIn(await live.until(/mandate\.granted/));
    live.leave();
    const second = await grant(ana, 200);
    const resumed = await open(token, { 'last-event-id': told });
    const text = await resumed.until(/mandate\.granted/);
    expect(text).toContain(second.id);
    expect(text).not.toContain(first.id);
    resumed.leave();
    const whole = await open(token, {}, `?after=${begun}&types=mandate.granted`);
    expect(await whole.until(new RegExp(`${first.id}[^]*${second.id}`))).not.toBeNull();
    const revoked = await fetch(`${origin}/oauth/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ token, client_id: PILOT.clientId, client_secret: PILOT.secret }),
    });
    expect(revoked.status).toBe(200);
    expect(await whole.until(/never comes/)).toBeNull();
  });

  it('is resumed by an EventSource of others that loses its line, from where it was and with nothing twice', async () => {
    const { origin } = setting;
    const { access_token: token } = await tokensFor(origin);
    const ana = apiAt(origin, token);
    const line = await TcpProxy.to({ host: '127.0.0.1', port: Number(new URL(origin).port) });
    const resumedFrom: (string | null)[] = [];
    const source = new EventSource(`http://127.0.0.1:${line.port}/api/v1/events`, {
      fetch: (url, init) => {
        const headers = new Headers(init.headers);
        resumedFrom.push(headers.get('last-event-id'));
        headers.set('authorization', `Bearer ${token}`);
        return fetch(url, { ...init, headers });
      },
    });
    const told: Event[] = [];
    source.addEventListener('message', ({ data }) => told.push(JSON.parse(String(data)) as Event));
    try {
      await new Promise((resolve) => source.addEventListener('open', resolve));
      const before = await nowAt(ana);
      const mandate = await grant(ana, TRIP_PRICE);
      const paid = await buy(ana, await book(ana, laterTrip()), mandate);
      const isNotified = (id: string, type: string) => () =>
        told.some((one) => one.data.id === id && one.type === type);
      await until(() => isNotified(paid.id, 'order.paid')() && isNotified(mandate.id, 'mandate.exhausted')());
      await line.goDown();
      await giveBack(ana, paid);
      await ana.call('DELETE', `/mandates/${mandate.id}`);
      await line.restore();
      await until(isNotified(mandate.id, 'mandate.revoked'));
      const { items } = await page(ana, `?after=${before}`);
      expect(told.map(({ id }) => id)).toEqual(items.map(({ id }) => id));
      expect(items).toHaveLength(7);
      expect(resumedFrom[0]).toBeNull();
      expect(resumedFrom.at(-1)).toBe(items[3]?.cursor);
    } finally {
      source.close();
      await line.close();
    }
  });

  it('is open five times for an agent, and has room again for a reader that leaves', async () => {
    const { access_token: token } = await tokensFor(setting.origin);
    const all = await Promise.all(Array.from({ length: 5 }, () => open(token)));
    const sixth = await open(token);
    expect(sixth.response.status).toBe(429);
    all.forEach(({ leave }) => leave());
    for (;;) {
      const again = await open(token);
      again.leave();
      if (again.response.status === 200) break;
    }
  });
});
