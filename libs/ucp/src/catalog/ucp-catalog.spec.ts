import fc from 'fast-check';
import { FlightDocuments, flightsProjection, importCatalog, readCatalogFile } from '#catalog';
import { Aggregates } from '#event-store';
import { baseUrlsAt } from '#http';
import { type Currency, RandomIds } from '#kernel';
import { ReadModels } from '#read-models';
import { FixedClock, openForAll } from '#testing';
import { offerOf, priced } from '../../../booking/src/testing/index.js';
import { changeFlight, holdSeats, sampleFare, sampleTimetable } from '../../../catalog/src/testing/index.js';
import { MemoryDocuments } from '../../../documents/src/testing/index.js';
import { MemoryEventStore } from '../../../event-store/src/testing/index.js';
import type { Asking } from '../asking.js';
import { asUcpError, rpcCodeOf } from '../ucp-error.js';
import { CATALOG_LOOKUP, CATALOG_SEARCH } from '../versions.js';
import { queryTextIn } from './query-text.js';
import { UcpCatalog } from './ucp-catalog.js';

/** The catalogue of UCP over stores of its own. It is nine o'clock of 2026-01-15, a Thursday, in São Paulo. */
const startCatalog = async (entries: Parameters<typeof importCatalog>[1]) => {
  const clock = new FixedClock();
  const log = new MemoryEventStore();
  const store = new MemoryDocuments(clock);
  const aggregates = new Aggregates(log, clock, new RandomIds());
  await importCatalog(aggregates, entries);
  const readModels = new ReadModels(log, store, [flightsProjection], clock, (_, error) => {
    throw error;
  });
  await readModels.start();
  const caughtUp = async (): Promise<void> => readModels.caughtUp((await log.head())?.position ?? '');
  await caughtUp();
  const catalog = new UcpCatalog(new FlightDocuments(store, readModels, aggregates, clock), clock);
  return { catalog, aggregates, clock, caughtUp, stop: () => readModels.stop() };
};

const asking: Asking = {
  platform: { profile: 'https://agent.example/profile', capabilities: new Map(), webhookUrl: null, keys: [] },
  active: new Set([CATALOG_SEARCH, CATALOG_LOOKUP]),
  proof: null,
  caller: null,
  urls: baseUrlsAt('https://voos.example'),
  cause: { correlationId: 'test', causationId: 'test' },
};

interface ShownVariant {
  readonly id: string;
  readonly price: { readonly amount: number; readonly currency: Currency };
  readonly availability: { readonly available: boolean; readonly status: string };
  readonly inputs?: readonly object[];
}
interface ShownProduct {
  readonly id: string;
  readonly variants: readonly ShownVariant[];
}
const idsOf = (products: readonly { readonly id: string }[]) => products.map(({ id }) => id);

const flight = (flightNumber: string, changes: Parameters<typeof sampleTimetable>[0] = {}) =>
  sampleTimetable({ flightNumber, slug: flightNumber.toLowerCase(), ...changes });

describe('the shelf of UCP', () => {
  const shop = openForAll(() =>
    startCatalog([
      flight('AL4012'),
      flight('AL4014', { departureTime: '05:00', seats: 4, fares: [sampleFare({ price: 100_00, taxes: 34_00 })] }),
      flight('AL4016', { departureTime: '10:30', from: 'REC', fromCity: 'Recife', to: 'GRU', toCity: 'São Paulo' }),
      flight('AL9', { departureTime: '23:00', to: 'LIS', toCity: 'Lisboa', currency: 'EUR' }),
    ]),
  );
  const search = (input: object) => shop.catalog.search(asking, input);
  const found = async (input: object) => idsOf((await search(input)).products);
  const lookUp = async (input: object) => {
    const { products, messages = [] } = await shop.catalog.lookup(asking, input);
    const inputs = products.map(({ id, variants }) => ({
      id,
      ...Object.fromEntries(variants.map((variant) => [variant.id, variant.inputs])),
    }));
    return { products, inputs, messages };
  };

  it('shows a departure as a product and its fares as variants', async () => {
    const { products, ...rest } = await search({ query: 'AL4012', context: { currency: 'BRL' } });
    expect(rest).toEqual({
      ucp: {
        version: '2026-04-08',
        status: 'success',
        capabilities: { [CATALOG_SEARCH]: [{ version: '2026-04-08' }] },
      },
      pagination: { has_next_page: false, total_count: 1 },
    });
    const url = 'https://voos.example/voos/al4012?date=2026-01-15';
    const [product, variant] = [products[0], products[0]?.variants[1]];
    expect(product).toMatchObject({
      id: 'AL4012.2026-01-15',
      title: 'AL4012 · São Paulo (GRU) → Recife (REC), 15 de janeiro de 2026, 15:30',
      description: {
        plain:
          'Voo AL4012 de São Paulo (GRU) para Recife (REC): parte em 15 de janeiro de 2026, às 15:30, 3 h 15 min de viagem, a partir de R$\u00a0459,90 por passageiro com taxas.',
      },
      url,
      categories: ['GRU-REC', 'São Paulo', 'Recife'].map((value) => ({ value, taxonomy: 'merchant' })),
      price_range: { min: { amount: 459_90, currency: 'BRL' }, max: { amount: 579_90, currency: 'BRL' } },
      options: [
        {
          name: 'Tarifa',
          values: [
            { id: 'LEVE', label: 'Leve' },
            { id: 'CLASSICA', label: 'Clássica' },
          ],
        },
      ],
    });
    expect(variant).toMatchObject({
      id: 'AL4012.2026-01-15:CLASSICA',
      title: 'Clássica',
      url,
      price: { amount: 579_90, currency: 'BRL' },
      availability: { available: true, status: 'in_stock' },
      options: [{ name: 'Tarifa', id: 'CLASSICA', label: 'Clássica' }],
      metadata: {
        departureDate: '2026-01-15',
        departureAt: '2026-01-15T18:30:00.000Z',
        saleEndsAt: '2026-01-15T17:30:00.000Z',
        seats: 10,
        baggage: 'checked',
        hasCheckedBag: true,
        arrivalTime: '18:45',
        base: 579_90,
        taxes: 0,
      },
      seller: { links: [{ type: 'refund_policy', url }] },
    });
    expect(variant?.description.plain).toMatch(
      /^Com bagagem despachada; chega às 18:45 no mesmo dia\. Se a viagem for cancelada/,
    );
  });

  it.each<[string, readonly string[]]>([
    ['recife', ['AL4014.2026-01-16', 'AL4012.2026-01-15']],
    ['GRU REC', ['AL4014.2026-01-16', 'AL4012.2026-01-15']],
    ['REC-GRU', ['AL4016.2026-01-15']],
    ['voos de São Paulo para Recife em 3 de fevereiro', ['AL4014.2026-02-03', 'AL4012.2026-02-03']],
    ['são paulo recife', ['AL4014.2026-01-16', 'AL4012.2026-01-15']],
    ['Recife → São Paulo 03/02/2026', ['AL4016.2026-02-03']],
    ['AL4012 amanhã', ['AL4012.2026-01-16']],
    ['al 4012 2026-01-20', ['AL4012.2026-01-20']],
    ['16/01', ['AL4014', 'AL4016', 'AL4012', 'AL9'].map((number) => `${number}.2026-01-16`)],
    ['AL4012 31/12', []],
    ['AL4012 31/02', []],
    ['zzz_no_such_product_zzz', []],
  ])('understands %j', async (query, ids) => {
    const { products, messages } = await search({ query });
    expect([idsOf(products), messages]).toEqual([ids, undefined]);
  });

  it.each(['3 de março', '3 DE MARÇO', '03/03', '3/3/2026', '2026-03-03', 'dia 3 de mar'])(
    'reads %j as a day',
    (day) => {
      const said = queryTextIn(`Recife,  ${day}`, '2026-01-15');
      expect(said).toEqual({ all: false, date: '2026-03-03', text: 'Recife' });
    },
  );

  it('narrows by price, category, place, day and passengers, and says where a price could not be compared', async () => {
    const cheap = await search({ filters: { price: { max: 500_00 } }, context: { currency: 'BRL' } });
    const variants = cheap.products.map(({ id, variants }) => [id, ...variants.map(({ title }) => title)]);
    expect(variants).toEqual([
      ['AL4014.2026-01-16', 'Clássica'],
      ['AL4016.2026-01-15', 'Leve'],
      ['AL4012.2026-01-15', 'Leve'],
      ['AL9.2026-01-15', 'Leve', 'Clássica'],
    ]);
    expect(cheap.messages).toEqual([
      {
        type: 'info',
        code: 'price_filter_ignored',
        content: 'O filtro de preço está em BRL e não foi aplicado a preços em EUR.',
      },
    ]);
    expect(await found({ filters: { price: { max: 499_00, min: 100_01 }, to: 'Recife' } })).toEqual([
      'AL4012.2026-01-15',
    ]);
    expect(await found({ filters: { categories: ['REC-GRU', 'Lisboa'] } })).toEqual([
      'AL4016.2026-01-15',
      'AL9.2026-01-15',
    ]);
    const days = { dateFrom: '2026-01-20', dateTo: '2026-01-21' };
    expect(await found({ filters: { from: 'são paulo', to: 'REC', passengers: 5, ...days } })).toEqual([
      'AL4012.2026-01-20',
      'AL4012.2026-01-21',
    ]);
    expect(await found({ query: 'recife', filters: { date: '2026-01-20', brand: 'x' } })).toEqual([
      'AL4014.2026-01-20',
      'AL4012.2026-01-20',
    ]);
  });

  it('shows everything, with what a group can buy for an hour yet first, whatever the size of its pages', async () => {
    const all = await search({ query: '*' });
    const [ready, rest] = [
      ['AL4012.2026-01-15', 'AL9.2026-01-15'],
      ['AL4014.2026-01-16', 'AL4016.2026-01-15'],
    ];
    expect(idsOf(all.products)).toEqual([...ready, ...rest]);
    for (const limit of [1, 2, 3]) {
      const pages: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await search({ query: '*', pagination: { limit, cursor } });
        expect(page.pagination.total_count).toBe(4);
        pages.push(...idsOf(page.products));
        ({ cursor } = page.pagination);
      } while (cursor !== undefined && pages.length < 9);
      expect(pages).toEqual(idsOf(all.products));
    }
  });

  it.each<[object, string]>([
    [{}, '$.query'],
    [{ query: ' ', filters: { brand: 'x', categories: [] } }, '$.query'],
    [{ query: 7 }, '$.query'],
    [{ filters: { price: { min: 1.5 } } }, '$.filters.price.min'],
    [{ filters: { passengers: 10 } }, '$.filters.passengers'],
    [{ filters: { date: '2026-02-30' } }, '$.filters.date'],
    [{ filters: { to: 'REC', dateFrom: '2026-01-20' } }, '$.filters.dateTo'],
    [{ filters: { categories: ['a', 1] } }, '$.filters.categories[1]'],
    [{ query: '*', pagination: { cursor: 'x' } }, '$.pagination.cursor'],
    [{ query: '*', pagination: { limit: 0 } }, '$.pagination.limit'],
  ])('refuses the search %j', async (input, path) => {
    await expect(search(input)).rejects.toMatchObject({
      ...{ status: 400, code: 'invalid_request' },
      messages: [{ type: 'error', code: 'invalid_request', severity: 'recoverable', path }],
    });
  });

  it('finds each product once by its own and its variants’ ids, and says what found it', async () => {
    const [day, other] = ['AL4012.2026-01-15', 'AL4016.2026-01-20'];
    const ids = [day, day, `${day}:CLASSICA`, `${other}:CLASSICA`, 'AL4012', `${day}:NADA`, 'AL4012.2026-12-31', '%:x'];
    const { inputs, messages } = await lookUp({ ids });
    expect(inputs).toEqual([
      {
        id: day,
        [`${day}:LEVE`]: [{ id: day, match: 'featured' }],
        [`${day}:CLASSICA`]: [{ id: `${day}:CLASSICA`, match: 'exact' }],
      },
      { id: other, [`${other}:CLASSICA`]: [{ id: `${other}:CLASSICA`, match: 'exact' }] },
    ]);
    expect(messages).toEqual(ids.slice(4).map((content) => ({ type: 'info', code: 'not_found', content })));
    const both = await lookUp({ ids: [day, `${day}:LEVE`], filters: { price: { max: 500_00 } } });
    expect(both.products[0]?.variants.map(({ inputs }) => inputs.length)).toEqual([2]);
    expect((await lookUp({ ids: [`${day}:CLASSICA`], filters: { price: { max: 500_00 } } })).inputs).toEqual([]);
    expect((await lookUp({ ids: [day], filters: { categories: ['REC-GRU'] } })).inputs).toEqual([]);
    const many = Array.from({ length: 51 }, (_, at) => `p${at}`);
    for (const [input, code] of [
      [{ ids: many }, 'request_too_large'],
      [{ ids: [] }, 'invalid_request'],
    ] as const) {
      const refusal = await lookUp(input).catch(asUcpError);
      expect(refusal).toMatchObject({ status: 400, code });
      expect(rpcCodeOf(asUcpError(refusal))).toBe(-32602);
    }
  });

  it('tells of one product what is chosen, what may be, and what is left of a choice that no fare has', async () => {
    const id = 'AL4012.2026-01-15';
    const shown = async (input: object) => {
      const { product } = (await shop.catalog.product(asking, input)) as {
        readonly product: ShownProduct & { readonly selected: readonly object[]; readonly options: readonly object[] };
      };
      return { ...product, ids: idsOf(product.variants).map((one) => one.split(':')[1]) };
    };
    const [leve, classica] = [
      { name: 'Tarifa', id: 'LEVE', label: 'Leve' },
      { name: 'Tarifa', id: 'CLASSICA', label: 'Clássica' },
    ];
    expect(await shown({ id })).toMatchObject({ ids: ['LEVE', 'CLASSICA'], selected: [leve] });
    const label = { name: 'Tarifa', label: 'Clássica' };
    expect(await shown({ id, selected: [label], preferences: ['Tarifa'] })).toMatchObject({
      ids: ['CLASSICA'],
      selected: [classica],
      options: [
        {
          name: 'Tarifa',
          values: [
            { label: 'Leve', available: true, exists: true },
            { label: 'Clássica', available: true, exists: true },
          ],
        },
      ],
    });
    expect(await shown({ id, selected: [{ name: 'Tarifa', label: 'Ouro' }] })).toMatchObject({
      ids: ['LEVE', 'CLASSICA'],
      selected: [],
    });
    // A variant's id says all that is chosen.
    expect(await shown({ id: `${id}:LEVE`, selected: [label] })).toMatchObject({ ids: ['LEVE'], selected: [leve] });
    await expect(shown({ id, selected: [label, label] })).rejects.toMatchObject({ code: 'invalid_request' });
    const filters = { price: { max: 1 } };
    for (const input of [{ id: 'nada' }, { id: 'AL4012' }, { id, filters }]) {
      expect(await shop.catalog.product(asking, input)).toMatchObject({
        ucp: { status: 'error' },
        messages: [{ type: 'error', code: 'not_found', severity: 'unrecoverable' }],
      });
    }
  });

  it('still knows what is sold out, cancelled or has left, and that it cannot be bought', async () => {
    const statusOf = async (id: string, passengers?: number) => {
      const { products } = await lookUp({ ids: [id], filters: { passengers } });
      return products[0]?.variants[0]?.availability;
    };
    await holdSeats(shop.aggregates, 'AL4012.2026-01-22', 'o1', 8);
    await changeFlight(shop.aggregates, 'AL4012.2026-01-23', { type: 'CancelFlight' });
    await shop.caughtUp();
    expect(await statusOf('AL4012.2026-01-22', 3)).toEqual({ available: false, status: 'out_of_stock' });
    expect(await statusOf('AL4012.2026-01-22')).toEqual({ available: true, status: 'in_stock' });
    const closed = { available: false, status: 'discontinued' };
    expect(await statusOf('AL4012.2026-01-23')).toEqual(closed);
    expect(await statusOf('AL4014.2026-01-15')).toEqual(closed);
    expect(await found({ query: 'AL4012', filters: { date: '2026-01-23' } })).toEqual([]);
  });
});

describe('whatever is searched for in the catalogue that ships', () => {
  const shop = openForAll(async () => startCatalog(await readCatalogFile()));
  const cities = ['Recife', 'GRU', 'São Paulo', 'rio', 'Lisboa', 'FEN', 'porto'];

  it('has pages that are parts of one list, and variants that can be booked at their prices', async () => {
    const input = fc.record({
      query: fc.constantFrom('', '*', ...cities, 'GRU REC', 'São Paulo para Recife', '20/01', 'Recife 2026-02-01'),
      filters: fc.record(
        {
          from: fc.constantFrom(...cities),
          price: fc.record({ min: fc.nat(500_00), max: fc.integer({ min: 500_00, max: 2_000_00 }) }),
          passengers: fc.integer({ min: 1, max: 9 }),
          date: fc.constantFrom('2026-01-15', '2026-01-31'),
        },
        { requiredKeys: ['passengers'] },
      ),
    });
    await fc.assert(
      fc.asyncProperty(input, fc.integer({ min: 1, max: 60 }), async (asked, limit) => {
        const products: ShownProduct[] = [];
        let cursor: string | undefined;
        let total: number;
        do {
          const page = await shop.catalog.search(asking, { ...asked, pagination: { limit, cursor } });
          total = page.pagination.total_count;
          expect(page.products.length).toBe(Math.min(limit, 50, total - products.length));
          products.push(...page.products);
          ({ cursor } = page.pagination);
        } while (cursor !== undefined);
        expect(new Set(idsOf(products)).size).toBe(total);
        const { min = 0, max = Infinity } = asked.filters.price ?? {};
        for (const { id, variants } of products.slice(0, 5)) {
          const offer = await offerOf(shop.aggregates, id);
          for (const { id: variant, price, availability } of variants) {
            const fareCode = variant.slice(id.length + 1);
            const { total } = priced(offer, { fareCode, passengers: 1 }, shop.clock.now(), 0);
            expect([price, availability.available]).toEqual([total, true]);
            expect(min <= price.amount && price.amount <= max).toBe(true);
          }
        }
      }),
      { numRuns: 40 },
    );
  });
});
