import { readFile } from 'node:fs/promises';
import { BAGGAGE, DEFAULT_CONDITIONS } from '#events';
import { type CatalogEntry, readCatalogFile } from './catalog-file.js';
import { arrivalAndBaggage } from './flight.view.js';
import { quoteFares } from './fare-quote.view.js';

const ZONES: Readonly<Record<string, string>> = {
  BEL: 'America/Belem',
  CGB: 'America/Cuiaba',
  EZE: 'America/Argentina/Buenos_Aires',
  FEN: 'America/Noronha',
  FOR: 'America/Fortaleza',
  LIS: 'Europe/Lisbon',
  MAD: 'Europe/Madrid',
  MAO: 'America/Manaus',
  MCZ: 'America/Maceio',
  MIA: 'America/New_York',
  MVD: 'America/Montevideo',
  NAT: 'America/Fortaleza',
  REC: 'America/Recife',
  SCL: 'America/Santiago',
  SSA: 'America/Bahia',
};
/** Where clocks change in the year, the catalogue's times are those of July. */
const JULY = Date.UTC(2026, 6, 15);

const hoursAhead = (airport: string): number => {
  const timeZone = ZONES[airport] ?? 'America/Sao_Paulo';
  return (Date.parse(`${new Date(JULY).toLocaleString('en-US', { timeZone })} UTC`) - JULY) / 3_600_000;
};

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

let flights: readonly CatalogEntry[];
beforeAll(async () => {
  flights = await readCatalogFile();
});

const bestOf = (flight: CatalogEntry) => quoteFares(flight, 0, 1).bestByConstraints;

describe('the catalogue that ships with the service', () => {
  it('has about 60 flights, 100 at most, with 2 to 4 fares each', () => {
    expect(flights.length).toBeGreaterThanOrEqual(60);
    expect(flights.length).toBeLessThanOrEqual(100);
    for (const { fares } of flights) expect([2, 3, 4]).toContain(fares.length);
  });

  it('is in reais, a timetable by the clocks of its airport, and has seats for everybody', () => {
    for (const flight of flights) {
      expect(flight).toMatchObject({
        currency: 'BRL',
        replacesUndated: true,
        timeZone: ZONES[flight.from] ?? 'America/Sao_Paulo',
      });
      expect(flight.seats).toBeGreaterThanOrEqual(9);
    }
  });

  it('has every kind of baggage', () =>
    expect(new Set(flights.flatMap(({ fares }) => fares.map(({ baggage }) => baggage)))).toEqual(new Set(BAGGAGE)));

  it('says of each fare code what a cancellation costs, and docs/decisions.md the same in its row', async () => {
    const page = await readFile('docs/decisions.md', 'utf8');
    const rows = new Map<string, Set<string>>();
    for (const { code, conditions = DEFAULT_CONDITIONS } of flights.flatMap(({ fares }) => fares)) {
      expect(conditions).toMatchObject({ taxesRefundable: true, withdrawal: true });
      const costs = conditions.cancellation.map(
        ({ until, fee }) => `${'percent' in fee && fee.percent} % until ${until}`,
      );
      rows.set(code, (rows.get(code) ?? new Set()).add(costs.join(', ') || 'the fare is lost'));
    }
    for (const [code, costs] of rows) {
      expect([code, costs.size]).toEqual([code, 1]);
      const row = new RegExp(`^- \`${code}\`: (.*)$`, 'm').exec(page)?.[1];
      expect([code, row]).toEqual([code, [...costs][0]]);
    }
  });

  it('has a slug that ends in the flight number', () => {
    for (const { slug, flightNumber } of flights) expect(slug.endsWith(`-${flightNumber.toLowerCase()}`)).toBe(true);
  });

  it('lands when departure, duration and time zones say; a connection later', () => {
    for (const { from, to, departureTime, durationMin, fares } of flights) {
      const lands = minutesOf(departureTime) + durationMin + (hoursAhead(to) - hoursAhead(from)) * 60;
      for (const { code, arrivalTime, arrivalDayOffset } of fares) {
        const arrives = arrivalDayOffset * 24 * 60 + minutesOf(arrivalTime);
        if (code === 'CONEXAO') expect(arrives).toBeGreaterThan(lands);
        else expect(arrives).toBe(lands);
      }
    }
  });

  it.each<[string, (flight: CatalogEntry) => boolean]>([
    ['a best fare', (flight) => bestOf(flight) !== null],
    [
      'a best fare that is not the cheapest with a checked bag',
      (flight) => {
        const { options, bestByConstraints } = quoteFares(flight, 0, 1);
        return bestByConstraints !== null && options.find(({ hasCheckedBag }) => hasCheckedBag) !== bestByConstraints;
      },
    ],
    [
      'no best fare since none has a checked bag',
      ({ fares }) => !fares.some((fare) => arrivalAndBaggage(fare).hasCheckedBag),
    ],
    [
      'no best fare since all arrive the next day',
      ({ fares }) => !fares.some((fare) => arrivalAndBaggage(fare).arrivesSameDay),
    ],
    [
      'no best fare since the one with a checked bag arrives the next day',
      (flight) =>
        bestOf(flight) === null &&
        flight.fares.some((fare) => arrivalAndBaggage(fare).arrivesSameDay) &&
        flight.fares.some((fare) => arrivalAndBaggage(fare).hasCheckedBag),
    ],
    [
      'two equally good best fares',
      (flight) => {
        const best = bestOf(flight);
        const alike = flight.fares.filter(
          (fare) => fare.price === best?.unitPrice.amount && arrivalAndBaggage(fare).hasCheckedBag,
        );
        return alike.length > 1;
      },
    ],
  ])('has a flight with %s', (_, is) => expect(flights.some(is)).toBe(true));
});
