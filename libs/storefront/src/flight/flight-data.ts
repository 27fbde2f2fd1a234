import type { FlightView } from '#catalog';
import type { NamedAirport } from '../airports.js';
import { isoDuration } from '../words.js';

const DAY = 86_400_000;

/** A local date so many days later. */
const later = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10);

/** A local time, on its date where the flight has one (schema.org DateTime, or Time). */
const moment = (time: string, date: string | null, days = 0): string =>
  date === null ? `${time}:00` : `${later(date, days)}T${time}:00`;

const airport = ({ code, city }: Pick<NamedAirport, 'code' | 'city'>): object => ({
  '@type': 'Airport',
  iataCode: code,
  name: city === code ? code : `${city} (${code})`,
});

/** When all of its fares arrive; undefined where they differ. */
const arrival = ({ prices: [first, ...rest], departureDate }: FlightView): string | undefined => {
  const isSame = rest.every(
    ({ arrivalTime, arrivalDayOffset }) =>
      arrivalTime === first?.arrivalTime && arrivalDayOffset === first.arrivalDayOffset,
  );
  return first && isSame ? moment(first.arrivalTime, departureDate, first.arrivalDayOffset) : undefined;
};

/** A flight and its fares for machines (schema.org Flight, Offer). `isOnSale`: whether anything of it can be bought. */
export const flightData = (flight: FlightView, origin: NamedAirport, isOnSale: boolean): object => {
  const { flightNumber, to, toCity, departureTime, departureDate, durationMin, currency, prices, url } = flight;
  return {
    '@context': 'https://schema.org',
    '@type': 'Flight',
    '@id': url,
    url,
    flightNumber,
    provider: { '@type': 'Airline', iataCode: flightNumber.slice(0, 2) },
    departureAirport: airport(origin),
    arrivalAirport: airport({ code: to, city: toCity }),
    departureTime: moment(departureTime, departureDate),
    arrivalTime: arrival(flight),
    estimatedFlightDuration: isoDuration(durationMin),
    offers: prices.map(({ code, name, price }) => ({
      '@type': 'Offer',
      name,
      sku: code,
      price: (price / 100).toFixed(2),
      priceCurrency: currency,
      availability: `https://schema.org/${isOnSale ? 'InStock' : 'SoldOut'}`,
      url,
      seller: { '@type': 'Organization', name: 'Alçada' },
    })),
  };
};
