import type { PageEnd } from '#documents';
import { positionOf } from '#event-store';
import { SYSTEM } from '#kernel';
import { NOW } from '#testing';
import fc from 'fast-check';
import { readCatalogFile } from './catalog-file.js';
import type { Flight } from './flight.decider.js';
import { FlightIndex, type Matched } from './flight-index.js';
import { flightsProjection } from './flights.projection.js';
import { meant } from './known-flights.js';
import type { FlightSearch } from './matching-flights.js';
import { Places } from './places.js';
import { sampleFlight } from './testing/index.js';

let flights: readonly Flight[];
let index: FlightIndex;
let places: Places;

beforeAll(async () => {
  const bahia = {
    flightNumber: 'XY7',
    slug: 'xy7',
    from: 'RIO',
    fromCity: null,
    to: 'VDC',
    toCity: "Vitória d'Água-Fria",
  };
  flights = [
    ...(await readCatalogFile()).map((entry) => sampleFlight({ ...entry, departureDate: null })),
    sampleFlight(bahia),
  ];
  const documents = flights.flatMap((data) => {
    const id = data.flightNumber;
    const place = { stream: `flight-${id}`, id, revision: 0, position: positionOf(1), occurredAt: NOW, actor: SYSTEM };
    const document = flightsProjection.evolve(null, { type: 'FlightScheduled', data, ...place }, id);
    return document && 'seatsLeft' in document ? document : [];
  });
  index = new FlightIndex(documents);
  places = new Places(flights);
});

const found = (search: FlightSearch): readonly string[] => {
  const { matched } = meant(search, { index, places });
  const [all = [], ...more] = pages(matched, 500);
  expect(more).toEqual([]);
  expect(pages(matched, 2).flat()).toEqual(all);
  return all;
};

const pages = (matched: Matched, limit: number): readonly (readonly string[])[] => {
  const all: (readonly string[])[] = [];
  for (let after: PageEnd | null | undefined; after !== null;) {
    const { count, ids, end } = index.page(matched, index.byDeparture, { limit, after });
    all.push(ids);
    expect(end === null).toBe(count === all.flat().length);
    after = end;
  }
  return all;
};
const idsWhere = (matches: (flight: Flight) => boolean): readonly string[] =>
  flights
    .filter(matches)
    .sort((one, other) => (order(one) < order(other) ? -1 : 1))
    .map(({ flightNumber }) => flightNumber);
const order = ({ departureTime, flightNumber }: Flight): string => `${departureTime} ${flightNumber}`;

describe('searching flights', () => {
  it.each<[string, (flight: Flight) => boolean]>([
    ['', () => true],
    ['  ', () => true],
    ['recife', ({ toCity }) => toCity === 'Recife'],
    ['Reci', ({ toCity }) => toCity === 'Recife'],
    ['ecife', () => false],
    ['SAO PAULO', ({ toCity }) => toCity === 'São Paulo'],
    ['são', ({ toCity }) => toCity === 'São Paulo'],
    ['paulo sao', ({ toCity }) => toCity === 'São Paulo'],
    ['sao-paulo', ({ toCity }) => toCity === 'São Paulo'],
    ['janeiro', ({ toCity }) => toCity === 'Rio de Janeiro'],
    ['rec', ({ from, to, toCity }) => from === 'REC' || to === 'REC' || toCity === 'Recife'],
    ['gru', ({ from, to }) => from === 'GRU' || to === 'GRU'],
    ['gr', () => false],
    ['gru lis', ({ from, to, toCity }) => (from === 'GRU' && toCity === 'Lisboa') || (from === 'LIS' && to === 'GRU')],
    ['gru recife', ({ from, toCity }) => from === 'GRU' && toCity === 'Recife'],
    ['recife, REC', ({ toCity }) => toCity === 'Recife'],
    ['recife lisboa', () => false],
    ['AL4012', ({ flightNumber }) => flightNumber === 'AL4012'],
    ['al 40-12', ({ flightNumber }) => flightNumber === 'AL4012'],
    ['al40', ({ flightNumber }) => flightNumber.startsWith('AL40')],
    ['al4012 recife', () => false],
    ['d’água fria', ({ flightNumber }) => flightNumber === 'XY7'],
    ['rio', ({ toCity, from }) => toCity === 'Rio de Janeiro' || from === 'RIO'],
    ['%', () => false],
    ['number:al4012', () => false],
    ['code:rec;', () => false],
  ])('%j finds what it means, by departure time and number', (q, matches) =>
    expect(found({ q })).toEqual(idsWhere(matches)),
  );

  it('narrows by airports, in any case', () => {
    expect(found({ from: 'gru', to: ' rec ' })).toEqual(idsWhere(({ from, to }) => from === 'GRU' && to === 'REC'));
    expect(found({ q: 'lisboa', from: 'REC' })).toEqual(['AL8003']);
    expect(found({ from: '', to: '' })).toHaveLength(flights.length);
    expect(found({ from: 'XXX' })).toEqual([]);
  });

  it.each<[string, (flight: Flight) => boolean]>([
    ['guarulhos', ({ from, to }) => from === 'GRU' || to === 'GRU'],
    ['Congonhas', ({ from, to }) => from === 'CGH' || to === 'CGH'],
    ['aeroporto do Galeão', ({ from, to }) => from === 'GIG' || to === 'GIG'],
    ['galeao lisboa', ({ from, toCity }) => from === 'GIG' && toCity === 'Lisboa'],
    ['viracopos', ({ from }) => from === 'VCP'],
    ['4011', ({ flightNumber }) => flightNumber === 'AL4011'],
    ['voo 40-1', ({ flightNumber }) => flightNumber.startsWith('AL401')],
    ['voo AL4012', ({ flightNumber }) => flightNumber === 'AL4012'],
    ['santos', ({ from, to }) => from === 'SDU' || to === 'SDU'],
    // What begins a city's name is that city: Santos Dumont and São Gonçalo, Natal's, are not asked.
    ['san', ({ toCity }) => toCity === 'Santiago'],
    ['são paulo guarulhos', ({ to, from, toCity }) => toCity === 'São Paulo' && (to === 'GRU' || from === 'GRU')],
    ['aeroporto de', () => false],
  ])('%j is of an airport’s name, or a number without its letters, where nothing else is', (q, matches) =>
    expect(found({ q })).toEqual(idsWhere(matches)),
  );

  it('reads names only where q says nothing by itself, whatever else narrows the search', () =>
    expect(found({ q: 'san', to: 'SDU' })).toEqual([]));

  it.each<[FlightSearch, (flight: Flight) => boolean]>([
    [{ from: 'campinas' }, ({ from }) => from === 'VCP'],
    [{ from: 'Viracopos' }, ({ from }) => from === 'VCP'],
    [{ from: 'vcp' }, ({ from }) => from === 'VCP'],
    [{ from: 'são paulo' }, ({ from }) => from === 'GRU' || from === 'CGH'],
    [{ to: 'SAO PAULO' }, ({ to }) => to === 'GRU' || to === 'CGH'],
    [{ to: 'São Paulo, Guarulhos (GRU)' }, ({ to }) => to === 'GRU'],
    [{ to: 'aeroporto de congonhas' }, ({ to }) => to === 'CGH'],
    [{ from: 'sao paulo', to: 'rio de janeiro' }, ({ from, to }) => /GRU|CGH/.test(from) && /GIG|SDU/.test(to)],
    [{ from: 'rio', q: 'lisboa' }, ({ from, toCity }) => from === 'RIO' && toCity === 'Lisboa'],
    [{ from: 'aeroporto' }, () => false],
    [{ from: 'x'.repeat(5_000) }, () => false],
    [{ from: 'a b '.repeat(5_000) }, () => false],
  ])('%j means airports by code, city or name', (search, matches) => expect(found(search)).toEqual(idsWhere(matches)));

  it('does not care for case, accents or the order of the words', () => {
    const words = fc.shuffledSubarray(['São', 'Foz', 'do', 'GRU', 'Rec', 'Brasília', 'AL40', 'É', 'x'], {
      maxLength: 3,
    });
    fc.assert(
      fc.property(words, (some) => {
        const plain = some.map((word) => word.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase());
        expect(found({ q: plain.join(' ') })).toEqual(found({ q: some.join(' ').toLowerCase() }));
        expect(found({ q: [...some].sort().join('  ') })).toEqual(found({ q: some.join(' ') }));
      }),
      { numRuns: 60 },
    );
  });
});
