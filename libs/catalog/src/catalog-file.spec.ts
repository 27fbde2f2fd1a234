import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ownFolder } from '#testing';
import { catalogOf, InvalidCatalog, readCatalogFile } from './catalog-file.js';
import { sampleFare, sampleFlight } from './testing/index.js';

const fare = { code: 'A', name: 'A', price: 1, arrivalTime: '18:45', arrivalDayOffset: 0, baggage: 'none' };
const free = { percent: 0 };
const on = (...cancellation: readonly object[]) => ({ ...fare, conditions: { cancellation } });
const { fares: _fares, departureDate: _date, timeZone: _zone, currency: _currency, ...terms } = sampleFlight();
const entry = (changes: object = {}) => ({ ...terms, prices: [fare], ...changes });
const other = (changes: object = {}) => entry({ flightNumber: 'AL1', slug: 'other', ...changes });

const refusalOf = (content: unknown): string => {
  try {
    catalogOf(content);
  } catch (error) {
    if (error instanceof InvalidCatalog) return error.message;
    throw error;
  }
  return 'accepted';
};

describe('a catalogue', () => {
  it('is read into flights, in reais and on no certain day where it does not say', () =>
    expect(catalogOf({ flights: [entry({ flightNumber: 'al 4012', prices: [sampleFare()] })] })).toEqual([
      sampleFlight({ fares: [sampleFare()] }),
    ]));

  it('may say what follows from other fields, a date with its zone, and a currency', () => {
    const dated = { departureDate: '2026-12-24', timeZone: 'America/Recife', currency: 'USD' };
    const derived = { arrivesSameDay: true, hasCheckedBag: false };
    expect(catalogOf({ flights: [entry({ ...dated, prices: [{ ...fare, ...derived }] })] })).toMatchObject([
      { ...dated, fares: [fare] },
    ]);
  });

  it.each<[string, object]>([
    ['flightNumber', { flightNumber: 'nenhum' }],
    ['slug', { slug: 'São Paulo' }],
    ['from', { from: 'gru' }],
    ['to', { to: 'GRU' }],
    ['toCity', { toCity: ' ' }],
    ['departureTime', { departureTime: '24:00' }],
    ['departureTime', { departureTime: '9:30' }],
    ['departureDate', { departureDate: '2026-02-30', timeZone: 'UTC' }],
    ['timeZone', { departureDate: '2026-02-28' }],
    ['timeZone', { departureDate: '2026-02-28', timeZone: 'America/Nowhere' }],
    ['durationMin', { durationMin: 0 }],
    ['seats', { seats: -1 }],
    ['seats', { seats: undefined }],
    ['currency', { currency: 'ARS' }],
    ['prices', { prices: [] }],
    ['prices[1].code', { prices: [fare, { ...fare, name: 'B' }] }],
    ['prices[0].code', { prices: [{ ...fare, code: 'A B' }] }],
    ['prices[0].price', { prices: [{ ...fare, price: 0 }] }],
    ['prices[0].price', { prices: [{ ...fare, price: 10.5 }] }],
    ['prices[0].price', { prices: [{ ...fare, price: '10' }] }],
    ['prices[0].arrivalTime', { prices: [{ ...fare, arrivalTime: '18h45' }] }],
    ['prices[0].arrivalDayOffset', { prices: [{ ...fare, arrivalDayOffset: -1 }] }],
    ['prices[0].baggage', { prices: [{ ...fare, baggage: 'two' }] }],
    ['prices[0].arrivesSameDay', { prices: [{ ...fare, arrivesSameDay: false }] }],
    ['prices[0].hasCheckedBag', { prices: [{ ...fare, hasCheckedBag: true }] }],
    ['prices[0].conditions.cancellation[0].until', { prices: [on({ until: '1 dia', fee: { percent: 1 } })] }],
    ['prices[0].conditions.cancellation[0].fee.percent', { prices: [on({ until: 'P1D', fee: { percent: 101 } })] }],
    ['prices[0].conditions.cancellation', { prices: [on({ until: 'P1D', fee: free }, { until: 'PT24H', fee: free })] }],
    ['prices', { prices: [on({ until: 'P1D', fee: { amount: 1, currency: 'USD' } })] }],
  ])('is refused naming the entry and its %s', (field, changes) =>
    expect(refusalOf({ flights: [other(), entry(changes)] })).toMatch(
      `flights[1] "${'flightNumber' in changes ? 'nenhum' : 'AL4012'}" ${field}: `,
    ),
  );

  it('has conditions by fare code for the fares that have none of their own; taxes and a withdrawal where nothing is said', () => {
    const table = { A: { cancellation: [{ until: 'PT24H', fee: { percent: 20 } }], withdrawal: false } };
    const prices = [fare, { ...on(), code: 'B' }, { ...fare, code: 'C' }];
    const [flight] = catalogOf({ conditions: { ...table, B: table.A }, flights: [entry({ prices })] });
    expect(flight?.fares.map(({ conditions }) => conditions)).toEqual([
      { ...table.A, taxesRefundable: true },
      { cancellation: [], taxesRefundable: true, withdrawal: true },
      undefined,
    ]);
  });

  it('is refused for a number that stands twice, however it is written', () =>
    expect(refusalOf({ flights: [other(), entry({ flightNumber: 'al-1' })] })).toBe(
      'flights[1] "al-1" flightNumber: is that of an earlier flight',
    ));

  it('is refused for a slug that stands twice', () =>
    expect(refusalOf({ flights: [other(), entry({ slug: 'other' })] })).toBe(
      'flights[1] "AL4012" slug: is that of an earlier flight',
    ));

  it('is refused for a field nobody knows, by the name of the field', () =>
    expect(refusalOf({ flights: [entry({ departureDat: null })] })).toBe(
      'flights[0] "AL4012": Unrecognized key: "departureDat"',
    ));

  it('is refused with a line for each thing that is wrong', () =>
    expect(refusalOf({ flights: [{ ...other(), from: 1 }, entry({ to: 1 }), null] }).split('\n')).toEqual([
      expect.stringMatching(/^flights\[0\] "AL1" from: /),
      expect.stringMatching(/^flights\[1\] "AL4012" to: /),
      expect.stringMatching(/^flights\[2\]: /),
    ]));

  it.each([null, [], {}, { flights: [] }, { flights: {} }])('is refused where it is %j', (content) =>
    expect(refusalOf(content)).not.toBe('accepted'),
  );
});

describe('a catalogue file', () => {
  const folder = ownFolder();

  const fileWith = async (text: string): Promise<string> => {
    const path = join(folder, 'catalog.json');
    await writeFile(path, text);
    return path;
  };

  it('is read', async () =>
    expect(await readCatalogFile(await fileWith(JSON.stringify({ flights: [entry()] })))).toHaveLength(1));

  it.each([
    [
      'is not there',
      () => Promise.resolve(join(folder, 'none.json')),
      /none\.json cannot be imported:\nit is not there \(ENOENT\)$/,
    ],
    ['is not JSON', () => fileWith('{'), /catalog\.json cannot be imported:\nit is not JSON: /],
    ['holds something else', () => fileWith('[]'), /imported:\nit is not { "flights": \[ … \] }: /],
    ['is wrong', () => fileWith('{"flights":[{}]}'), /catalog\.json cannot be imported:\nflights\[0\] flightNumber: /],
  ])('is refused by its name where it %s', async (_, path, message) => {
    const reading = readCatalogFile(await path());
    await expect(reading).rejects.toThrow(InvalidCatalog);
    await expect(reading).rejects.toThrow(message);
  });
});
