import { plus, systemContext } from '#kernel';
import { NOW, openForAll } from '#testing';
import { conditionsView } from '#site';
import { readCatalogFile } from './catalog-file.js';
import { startFlightsApi } from './testing/flights-api.js';
import { holdSeats, sampleFare } from './testing/index.js';
import { flights } from './flight.decider.js';

const api = openForAll(() => startFlightsApi());

const refused = (status: number, error: string) => ({ status, body: { error } });

describe('GET /flights', () => {
  it('lists every flight by departure time and number', async () => {
    const { status, body } = await api.get('');
    expect(status).toBe(200);
    const { count, items, nextCursor } = body as { count: number; items: Record<string, string>[]; nextCursor: null };
    expect([count, nextCursor]).toEqual([(await readCatalogFile()).length, null]);
    expect(items).toHaveLength(count);
    const order = items.map(({ departureTime, flightNumber }) => `${departureTime} ${flightNumber}`);
    expect(order).toEqual([...order].sort());
  });

  it('finds by words, and shows a flight as the interface says', async () => {
    const { body } = await api.get('?q=Noronha');
    expect(body).toEqual({
      count: 1,
      items: [
        {
          flightId: 'AL4101',
          flightNumber: 'AL4101',
          slug: 'recife-rec-fernando-de-noronha-fen-al4101',
          from: 'REC',
          fromCity: 'Recife',
          to: 'FEN',
          toCity: 'Fernando de Noronha',
          departureTime: '10:30',
          departureDate: null,
          departureAt: null,
          durationMin: 75,
          seats: 70,
          currency: 'BRL',
          prices: [
            {
              code: 'LEVE',
              name: 'Leve',
              price: 899_90,
              base: 865_22,
              taxes: 34_68,
              conditions: conditionsView(),
              arrivalTime: '12:45',
              arrivalDayOffset: 0,
              baggage: 'none',
              arrivesSameDay: true,
              hasCheckedBag: false,
            },
            {
              code: 'CLASSICA',
              name: 'Clássica',
              price: 1139_90,
              base: 1105_22,
              taxes: 34_68,
              conditions: expect.objectContaining({ cancellation: [{ until: 'PT24H', fee: { percent: 20 } }] }),
              arrivalTime: '12:45',
              arrivalDayOffset: 0,
              baggage: 'checked',
              arrivesSameDay: true,
              hasCheckedBag: true,
            },
          ],
          url: 'https://voos.example/voos/recife-rec-fernando-de-noronha-fen-al4101',
        },
      ],
      nextCursor: null,
    });
  });

  it('counts all that match and gives them a page at a time', async () => {
    const whole = (await api.get('?from=gru&to=rec')).body as { count: number; items: unknown[] };
    const items: unknown[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await api.get(`?from=gru&to=rec&limit=2${cursor && `&cursor=${cursor}`}`);
      const page = body as { count: number; items: unknown[]; nextCursor: string | null };
      expect(page.count).toBe(whole.count);
      items.push(...page.items);
      cursor = page.nextCursor;
    }
    expect(items).toEqual(whole.items);
    expect(items).toHaveLength(3);
  });

  it.each<[string, (flight: { prices: { price: number }[]; durationMin: number; departureTime: string }) => string]>([
    ['price', ({ prices }) => String(Math.min(...prices.map(({ price }) => price))).padStart(12, '0')],
    ['duration', ({ durationMin }) => String(durationMin).padStart(5, '0')],
    ['departure', () => ''],
  ])('orders by %s, then by departure and number, a page at a time', async (sort, keyOf) => {
    type Flights = { count: number; items: Parameters<typeof keyOf>[0][]; nextCursor: string | null };
    const items: Flights['items'] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = (await api.get(`?limit=20&sort=${sort}${cursor && `&cursor=${cursor}`}`)).body as Flights;
      items.push(...page.items);
      cursor = page.nextCursor;
    }
    const known = (await api.get('?limit=500')).body as Flights;
    const key = (flight: Flights['items'][number]) => `${keyOf(flight)} ${flight.departureTime}`;
    // Sorting is stable, and the list that is sorted is by departure and number.
    expect(items).toEqual(
      [...known.items].sort((one, other) => (key(one) < key(other) ? -1 : key(one) > key(other) ? 1 : 0)),
    );
  });

  it('orders by the price of today', async () => {
    const cheapest = async () =>
      ((await api.get('?q=recife&sort=price&limit=1')).body as { items: { flightNumber: string }[] }).items;
    const dearest = ((await api.get('?q=recife&sort=price')).body as { items: { flightNumber: string }[] }).items.at(
      -1,
    );
    expect(await cheapest()).not.toMatchObject([{ flightNumber: dearest?.flightNumber }]);
    const fares = [sampleFare({ price: 1_00 })];
    await api.aggregates.handle(
      flights,
      dearest?.flightNumber ?? '',
      { type: 'RepriceFares', fares },
      systemContext('test'),
    );
    await api.caughtUp();
    expect(await cheapest()).toMatchObject([{ flightNumber: dearest?.flightNumber, prices: [{ price: 1_00 }] }]);
  });

  it.each([
    ['q=recife%20sao%20paulo', { from: 'Recife', to: 'São Paulo' }, 'Voos de Recife para São Paulo'],
    ['q=Campinas', { from: 'Campinas' }, 'Voos de Campinas'],
    ['q=recfie', { q: 'Recife' }, 'Você quis dizer “Recife”?'],
    ['from=galeo&to=Lisoa', { from: 'Galeão', to: 'Lisboa' }, 'Você quis dizer “Galeão e Lisboa”?'],
    ['from=VCP&to=LIS', { to: 'LIS' }, 'Voos para LIS'],
    ['q=lisboa&from=VCP', { from: 'VCP', to: 'Lisboa' }, ''],
  ])('suggests what finds something instead of ?%s', async (query, suggested, message) => {
    const { body } = await api.get(`?${query}`);
    const { suggestions, ...list } = body as {
      suggestions: { query: Record<string, string>; count: number; message: string }[];
    };
    expect(list).toEqual({ count: 0, items: [], nextCursor: null });
    if (message !== '') expect(suggestions[0]).toMatchObject({ query: suggested, message });
    for (const { query: other, count } of suggestions) {
      expect((await api.get(`?${new URLSearchParams(other).toString()}`)).body).toMatchObject({ count });
      expect(count).toBeGreaterThan(0);
    }
  });

  it('suggests nothing where there are flights, and where nothing is near', async () => {
    expect((await api.get('?q=recife')).body).not.toHaveProperty('suggestions');
    expect((await api.get('?q=qqqqqq')).body).toEqual({ count: 0, items: [], nextCursor: null, suggestions: [] });
  });

  it('finds nothing without an error', async () =>
    expect(await api.get('?q=xyz')).toMatchObject({ status: 200, body: { count: 0, items: [], nextCursor: null } }));

  it('ignores parameters it does not know', async () =>
    expect(await api.get('?colour=1&colour=2')).toMatchObject({ status: 200 }));

  it.each([
    'limit=0',
    'limit=501',
    'limit=1.5',
    'limit=',
    'limit=1&limit=1',
    'q=a&q=b',
    'from=GRU&from=CGH',
    'sort=preco',
    'sort=price&sort=price',
    `q=${'a'.repeat(101)}`,
  ])('refuses ?%s as invalid_query', async (query) =>
    expect(await api.get(`?${query}`)).toMatchObject(refused(422, 'invalid_query')),
  );

  it('refuses a cursor of another search, and what is none', async () => {
    const { nextCursor } = (await api.get('?limit=1&q=gru')).body as { nextCursor: string };
    expect(await api.get(`?limit=1&q=rec&cursor=${nextCursor}`)).toMatchObject(refused(422, 'invalid_cursor'));
    expect(await api.get('?cursor=abc')).toMatchObject(refused(422, 'invalid_cursor'));
  });

  it('answers 304 to whom has it already', async () => {
    const { etag } = await api.get('?q=gru');
    expect(await api.get('?q=gru', { 'if-none-match': etag ?? '' })).toMatchObject({ status: 304, body: null });
  });
});

describe('GET /flights/{flightNumber}', () => {
  it.each(['AL4012', 'al-4012', 'Al%204012'])('knows %s', async (number) =>
    expect(await api.get(`/${number}`)).toMatchObject({ status: 200, body: { flightNumber: 'AL4012', to: 'REC' } }),
  );

  it.each(['AL9999', '__proto__', '%00', '%F0%9F%9B%AB'])('does not know %s', async (number) =>
    expect(await api.get(`/${number}`)).toMatchObject(refused(404, 'flight_not_found')),
  );

  it('shows the seats that are left to sell', async () => {
    await holdSeats(api.aggregates, 'AL4101', 'order', 9);
    await api.caughtUp();
    expect(await api.get('/AL4101')).toMatchObject({ body: { seats: 61 } });
    const release = { type: 'ReleaseSeats', orderId: 'order', holdBefore: plus(NOW, 60_000) } as const;
    await api.aggregates.handle(flights, 'AL4101', release, systemContext('test'));
    await api.caughtUp();
    expect(await api.get('/AL4101')).toMatchObject({ body: { seats: 70 } });
  });
});
