import { catalogEntry } from '../../support/catalog.js';

const SEATS = 10_000;

/** Cities that flights leave from and go to, the airport of each its first three letters. */
const CITIES = [
  'Recife',
  'Manaus',
  'Natal',
  'Curitiba',
  'Brasília',
  'Fortaleza',
  'Salvador',
  'Goiânia',
  'Vitória',
  'Belém',
];
const codeOf = (city = ''): string => city.normalize('NFD').replace(/\p{M}/gu, '').slice(0, 3).toUpperCase();
const two = (value: number): string => String(value).padStart(2, '0');

export const numberOf = (place: number): string => `${place < 5_000 ? 'AL' : 'BL'}${1_000 + (place % 5_000)}`;

/** So many flights, each with seats for every order of the bench; `terms` are of all of them. */
export const catalogue = (count: number, terms: object = {}): readonly object[] =>
  Array.from({ length: count }, (_, place) => {
    const [from, to] = [place % 10, (place + 1 + (Math.floor(place / 10) % 9)) % 10];
    return catalogEntry({
      flightNumber: numberOf(place),
      slug: `voo-${place}`,
      from: codeOf(CITIES[from]),
      to: codeOf(CITIES[to]),
      toCity: CITIES[to],
      departureTime: `${two(place % 24)}:${two(place % 60)}`,
      seats: SEATS,
      ...terms,
    });
  });

/** So many searches that are all different (6,000 at most), each for at most ten flights. */
export const searches = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, place) => {
    const [to = '', from = ''] = [CITIES[place % 10], CITIES[Math.floor(place / 10) % 10]];
    const spelled = to.slice(0, 3 + (Math.floor(place / 100) % 3));
    const q = Math.floor(place / 300) % 2 === 0 ? spelled : spelled.toLowerCase();
    const limit = 1 + (Math.floor(place / 600) % 10);
    return `/api/v1/flights?q=${encodeURIComponent(q)}&from=${codeOf(from)}&limit=${limit}`;
  });
