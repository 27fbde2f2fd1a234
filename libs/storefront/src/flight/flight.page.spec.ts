import type { FlightView, WhyClosed } from '#catalog';
import { baseUrlsAt } from '#http';
import { conditionsView } from '#site';
import { flightData, flightPage } from './flight.page.js';

const ORIGIN = { code: 'GRU', city: 'São Paulo', name: null };

const fare = (changes: Partial<FlightView['prices'][number]> = {}): FlightView['prices'][number] => ({
  code: 'LEVE',
  name: 'Leve',
  price: 459_90,
  base: 429_90,
  taxes: 30_00,
  conditions: conditionsView(),
  arrivalTime: '18:45',
  arrivalDayOffset: 0,
  baggage: 'none',
  arrivesSameDay: true,
  hasCheckedBag: false,
  ...changes,
});

const flight = (changes: Partial<FlightView> = {}): FlightView => ({
  flightId: 'AL4012',
  flightNumber: 'AL4012',
  slug: 'sao-paulo-recife-al4012',
  from: 'GRU',
  fromCity: 'São Paulo',
  to: 'REC',
  toCity: 'Recife',
  departureTime: '15:30',
  departureDate: null,
  departureAt: null,
  durationMin: 195,
  seats: 220,
  currency: 'BRL',
  prices: [fare()],
  url: 'https://voos.example/voos/sao-paulo-recife-al4012',
  ...changes,
});

describe('a flight for machines (schema.org)', () => {
  it('names airports, times of day, duration and what each fare costs', () => {
    expect(flightData(flight(), ORIGIN, true)).toEqual({
      '@context': 'https://schema.org',
      '@type': 'Flight',
      '@id': 'https://voos.example/voos/sao-paulo-recife-al4012',
      url: 'https://voos.example/voos/sao-paulo-recife-al4012',
      flightNumber: 'AL4012',
      provider: { '@type': 'Airline', iataCode: 'AL' },
      departureAirport: { '@type': 'Airport', iataCode: 'GRU', name: 'São Paulo (GRU)' },
      arrivalAirport: { '@type': 'Airport', iataCode: 'REC', name: 'Recife (REC)' },
      departureTime: '15:30:00',
      arrivalTime: '18:45:00',
      estimatedFlightDuration: 'PT3H15M',
      offers: [
        {
          '@type': 'Offer',
          name: 'Leve',
          sku: 'LEVE',
          price: '459.90',
          priceCurrency: 'BRL',
          availability: 'https://schema.org/InStock',
          url: 'https://voos.example/voos/sao-paulo-recife-al4012',
          seller: { '@type': 'Organization', name: 'Alçada' },
        },
      ],
    });
  });

  it('leaves and arrives on its dates where it has them, past the end of a month', () => {
    const dated = flight({
      departureDate: '2026-12-31',
      prices: [fare({ arrivalTime: '05:10', arrivalDayOffset: 1 })],
    });
    expect(flightData(dated, ORIGIN, true)).toMatchObject({
      departureTime: '2026-12-31T15:30:00',
      arrivalTime: '2027-01-01T05:10:00',
    });
  });

  it('says nothing of the arrival where its fares arrive at several times', () => {
    const prices = [fare(), fare({ code: 'CONEXAO', arrivalTime: '08:05', arrivalDayOffset: 1 })];
    expect(flightData(flight({ prices }), ORIGIN, true)).toMatchObject({ arrivalTime: undefined });
  });

  it('cannot be bought once it is sold out or gone', () => {
    expect(flightData(flight(), ORIGIN, false)).toMatchObject({
      offers: [{ availability: 'https://schema.org/SoldOut' }],
    });
  });
});

describe('the page of a flight', () => {
  const DAYS = { first: '2026-12-01', last: '2026-12-31', departures: new Map() };

  it.each<[WhyClosed | null, typeof DAYS | null, RegExp]>([
    ['cancelled', null, /Este voo foi cancelado\. A venda está encerrada\./],
    ['cancelled', DAYS, /Este voo foi cancelado\. Escolha outro dia\./],
    ['over', null, /Este voo já partiu\. A venda está encerrada\./],
    ['over', DAYS, /A venda deste dia está encerrada\. Escolha outro dia\./],
    [null, DAYS, /^(?!.*(encerrada|cancelado|partiu))/],
  ])('says whether and why it is sold no more: %s', (closed, days, words) => {
    const shown = flight({ departureDate: '2026-12-10' });
    const { status, html } = flightPage(
      { flight: shown, closed, days },
      ORIGIN,
      baseUrlsAt('https://voos.example'),
      null,
    );
    expect([status, html.replace(/<[^>]*>|\s+/g, ' ').replace(/ +/g, ' ')]).toEqual([
      200,
      expect.stringMatching(words),
    ]);
    expect([html.includes('220 assentos'), /peça a ele[^.]*, em 10 de dezembro/.test(html)]).toEqual([
      closed === null,
      closed === null,
    ]);
    expect(html).toContain(`schema.org/${closed === null ? 'InStock' : 'SoldOut'}`);
    // What to say to an agent is there to be copied, with and without a script.
    const order = 'Compre o voo AL4012 de 10 de dezembro de 2026, tarifa Leve (LEVE).';
    expect([html.includes(`<q>${order}</q>`), html.includes(`data-copy="${order}"`)]).toEqual([
      closed === null,
      closed === null,
    ]);
  });
});
