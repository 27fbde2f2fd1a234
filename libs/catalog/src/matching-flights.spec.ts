import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EmbeddedDocuments, type Filter, type PageEnd } from '#documents';
import { positionOf } from '#event-store';
import { SYSTEM } from '#kernel';
import { FixedClock, NOW } from '#testing';
import fc from 'fast-check';
import { readCatalogFile } from './catalog-file.js';
import type { Flight } from './flight.decider.js';
import { FlightIndex } from './flight-index.js';
import { type FlightDocument, flightsProjection } from './flights.projection.js';
import { type FlightSearch, matchingFlights } from './matching-flights.js';
import { sampleFlight } from './testing/index.js';

const COLLECTION = 'flights-test';

let folder: string;
let store: EmbeddedDocuments;
let flights: readonly Flight[];
let index: FlightIndex;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flights-'));
  store = await EmbeddedDocuments.open({
    file: join(folder, 'read-models.db'),
    durability: 'normal',
    clock: new FixedClock(),
  });
  const searched = [['departureTime'], ['from', 'departureTime'], ['to', 'departureTime']];
  const indexes = [...searched.map((fields) => ({ fields })), { fields: ['searchTerms'], multiValued: true }];
  await store.prepare({ name: COLLECTION, indexes });
  const bahia = { flightNumber: 'XY7', slug: 'xy7', from: 'RIO', to: 'VDC', toCity: "Vitória d'Água-Fria" };
  flights = [...(await readCatalogFile()), sampleFlight(bahia)];
  const writes = flights.map((data) => {
    const id = data.flightNumber;
    const place = { stream: `flight-${id}`, id, revision: 0, position: positionOf(1), occurredAt: NOW, actor: SYSTEM };
    const body = flightsProjection.evolve(null, { type: 'FlightScheduled', data, ...place }, id);
    return { id, body, position: positionOf(1), isNew: true };
  });
  index = new FlightIndex(writes.flatMap(({ body }) => body ?? []));
  await store.putGuarded(COLLECTION, writes);
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

const found = async (search: FlightSearch): Promise<readonly string[]> => {
  const filter = matchingFlights(search);
  const sort = { field: 'departureTime', direction: 'ascending' } as const;
  const documents = await store.find<FlightDocument>(COLLECTION, { ...filter, sort, limit: 500 });
  expect(await store.count(COLLECTION, filter)).toBe(documents.length);
  const ids = documents.map(({ id }) => id);
  expect(pages(filter, 500)).toEqual([ids]);
  expect(pages(filter, 2).flat()).toEqual(ids);
  return ids;
};

/** The pages that the index in memory gives. */
const pages = (filter: Filter, limit: number): readonly (readonly string[])[] => {
  const all: (readonly string[])[] = [];
  for (let after: PageEnd | null | undefined; after !== null;) {
    const { count, numbers, end } = index.find(filter, { limit, after });
    all.push(numbers);
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
    ['4012', () => false],
    ['al4012 recife', () => false],
    ['d’água fria', ({ flightNumber }) => flightNumber === 'XY7'],
    ['rio', ({ toCity, from }) => toCity === 'Rio de Janeiro' || from === 'RIO'],
    ['%', () => false],
    ['number:al4012', () => false],
    ['code:rec;', () => false],
  ])('%j finds what it means, by departure time and number', async (q, matches) =>
    expect(await found({ q })).toEqual(idsWhere(matches)),
  );

  it('narrows by airports, in any case', async () => {
    expect(await found({ from: 'gru', to: ' rec ' })).toEqual(
      idsWhere(({ from, to }) => from === 'GRU' && to === 'REC'),
    );
    expect(await found({ q: 'lisboa', from: 'REC' })).toEqual(['AL8003']);
    expect(await found({ from: '', to: '' })).toHaveLength(flights.length);
    expect(await found({ from: 'RECIFE' })).toEqual([]);
  });

  it('does not care for case, accents or the order of the words', async () => {
    const words = fc.shuffledSubarray(['São', 'Foz', 'do', 'GRU', 'Rec', 'Brasília', 'AL40', 'É', 'x'], {
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(words, async (some) => {
        const plain = some.map((word) => word.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase());
        expect(await found({ q: plain.join(' ') })).toEqual(await found({ q: some.join(' ').toLowerCase() }));
        expect(await found({ q: [...some].sort().join('  ') })).toEqual(await found({ q: some.join(' ') }));
      }),
      { numRuns: 60 },
    );
  });
});
