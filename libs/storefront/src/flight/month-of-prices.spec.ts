import type { DaysOfFlight, FlightView } from '#catalog';
import { sampleFare, sampleFlight } from '../../../catalog/src/testing/index.js';
import { monthOfPrices } from './month-of-prices.js';

const shownAs = (departureDate: string) => ({ slug: 'al4012', currency: 'BRL', departureDate }) as FlightView;

/** What leaves on each date: its lowest price and the seats left. */
const days = (departures: Readonly<Record<string, readonly [price: number, seats: number]>>): DaysOfFlight => ({
  first: '2026-11-27',
  last: '2027-01-25',
  departures: new Map(
    Object.entries(departures).map(([departureDate, [price, seatsLeft]]) => [
      departureDate,
      { ...sampleFlight({ departureDate, fares: [sampleFare({ price })] }), seatsLeft },
    ]),
  ),
});
const shown = (on: DaysOfFlight, date = '2026-12-03'): string => monthOfPrices(shownAs(date), on).text;

describe('a month of lowest prices', () => {
  it('leads from each day to its departure, and says which is the cheapest and which is shown', () => {
    const text = shown(days({ '2026-12-02': [459_90, 3], '2026-12-03': [399_90, 1], '2026-12-04': [100_00, 0] }));
    expect(text).toMatch(/href="\/voos\/al4012\?date=2026-12-03#dias"\s+aria-current="date"/);
    expect(text).toContain('quinta-feira, 3 de dezembro de 2026: ');
    expect(text).toMatch(/399,90, o menor preço/);
    expect(text).not.toMatch(/459,90, o menor preço/);
    expect(text).toContain('esgotado');
    expect(text).not.toContain('date=2026-12-04');
    expect(text.match(/<li/g)).toHaveLength(7 + 31);
    // 2026-11-27 is a Friday.
    expect(text).toMatch(/class="gone weekday-5"/);
  });

  it('calls none the cheapest where all cost the same', () =>
    expect(shown(days({ '2026-12-02': [459_90, 3], '2026-12-03': [459_90, 1] }))).not.toContain('o menor preço'));

  it('goes on to the days that are not shown, and back', () => {
    const on = days({ '2026-12-03': [459_90, 3], '2026-12-28': [459_90, 3], '2027-01-05': [459_90, 1] });
    expect(shown(on)).toMatch(/date=2026-12-28#dias">Dias seguintes/);
    const next = shown(on, '2027-01-05');
    expect(next).toMatch(/date=2026-12-03#dias">Dias anteriores/);
    expect(next).not.toContain('Dias seguintes');
    expect(next.match(/<li/g)).toHaveLength(7 + 29);
  });
});
