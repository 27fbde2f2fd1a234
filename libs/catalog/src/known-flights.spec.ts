import { positionOf } from '#event-store';
import { flightIdOf } from '#events';
import { SYSTEM } from '#kernel';
import { NOW } from '#testing';
import { departuresOn } from './dated-search.js';
import type { Flight } from './flight.decider.js';
import { FlightIndex } from './flight-index.js';
import { FlightsOnSale } from './flights-on-sale.js';
import { flightsProjection } from './flights.projection.js';
import { KnownFlights } from './known-flights.js';
import { sampleFlight, sampleTimetable } from './testing/index.js';

let events = 0;

/** Adds a flight as its stream has it, at another place in the log each time. */
const add = (known: KnownFlights, data: Flight): void => {
  const position = positionOf((events += 1));
  const id = flightIdOf(data);
  const place = { stream: `flight-${id}`, id, revision: 0, position, occurredAt: NOW, actor: SYSTEM };
  const document = flightsProjection.evolve(null, { type: 'FlightScheduled', data, ...place }, id);
  if (document) known.onSale.add(document);
};

const RECIFE = { from: 'GRU', fromCity: 'São Paulo', to: 'REC', toCity: 'Recife' };
const LISBON = { from: 'CGH', fromCity: 'São Paulo', to: 'LIS', toCity: 'Lisboa' };

const flightAt = (flightNumber: string, price: number, route: Partial<Flight>): Flight => {
  const flight = sampleFlight({ ...route, flightNumber, slug: flightNumber.toLowerCase() });
  return { ...flight, fares: flight.fares.map((fare) => ({ ...fare, price })) };
};

describe('a flight', () => {
  it('is found by its number and known by its id, however many have the number', () => {
    const known = new KnownFlights('flights');
    for (const flightId of ['b', 'a']) add(known, sampleFlight({ flightId, slug: flightId }));
    const page = { limit: 1, cursor: undefined };
    const first = known.find({ q: 'AL4012' }, page);
    expect(first).toMatchObject({ count: 2, items: ['a'] });
    expect(known.find({ q: 'AL4012' }, { ...page, cursor: first.nextCursor ?? '' }).items).toEqual(['b']);
    expect(known.onSale.get('b').slug).toBe('b');
  });
});

it('puts no day in order on which nothing is sold, however far off it is', () => {
  const onSale = new FlightsOnSale();
  const { replacesUndated: _, ...terms } = sampleTimetable();
  const place = { id: 'AL4012', revision: 0, position: positionOf((events += 1)), occurredAt: NOW, actor: SYSTEM };
  const scheduled = { type: 'TimetableScheduled', data: { ...terms, firstDate: '2026-01-01' } } as const;
  const timetable = flightsProjection.evolve(null, { ...scheduled, stream: 'timetable-AL4012', ...place }, 'AL4012');
  if (!timetable) throw new Error('a timetable has no document');
  onSale.add(timetable);
  onSale.at(NOW);
  const { byDeparture } = new FlightIndex([{ ...sampleFlight(), searchTerms: [] }]);
  const orderOf = (date: string): never => {
    throw new Error(`${date} was put in order`);
  };
  const search = {
    matched: Uint8Array.of(1),
    byDeparture,
    sort: 'price',
    orderOf,
    limit: 10,
    after: undefined,
  } as const;
  expect(onSale.leaving(sampleFlight(), '2100-01-01')).toBeDefined();
  for (const days of [
    { first: '2100-01-01', last: '2100-01-31' },
    { first: '2025-01-01', last: '2025-01-31' },
  ])
    expect(departuresOn(onSale, days, search).count).toBe(0);
});

describe('the routes on sale', () => {
  it('count every flight, however many are cheaper', () => {
    const known = new KnownFlights('flights');
    for (let n = 0; n < 600; n += 1) add(known, flightAt(`AL${n + 1000}`, 10_000 + n, RECIFE));
    for (let n = 0; n < 700; n += 1) add(known, flightAt(`AL${n + 2000}`, 900_000 - n, LISBON));
    expect(known.size).toBe(1_300);
    expect(known.routes(6)).toEqual([
      { from: 'São Paulo', to: 'Lisboa', count: 700, cheapest: 'AL2699' },
      { from: 'São Paulo', to: 'Recife', count: 600, cheapest: 'AL1000' },
    ]);
    expect(known.routes(1)).toHaveLength(1);
  });

  it('are counted once, and again after a flight or a lowest price is another', () => {
    const known = new KnownFlights('flights');
    for (const number of ['AL1', 'AL2']) add(known, flightAt(number, 50_000, RECIFE));
    const first = known.routes(6);
    expect(known.routes(6)).toBe(first);
    add(known, flightAt('AL2', 40_000, RECIFE));
    expect(known.routes(6)).toMatchObject([{ count: 2, cheapest: 'AL2' }]);
    add(known, flightAt('AL3', 60_000, RECIFE));
    expect(known.routes(6)).toMatchObject([{ count: 3, cheapest: 'AL2' }]);
  });
});
