import { normalFlightNumber } from './flight.decider.js';
import type { FlightCondition, FlightFilter } from './flight-index.js';
import { plain, wordsOf } from './flights.projection.js';
import { meaningOf, type Places } from './places.js';
import type { SaleDays } from './timetable.decider.js';

export const ORDERS = ['departure', 'duration', 'price'] as const;
export type FlightOrder = (typeof ORDERS)[number];

/** What flights are searched by; what is absent or blank does not narrow the search. */
export interface FlightSearch {
  readonly q?: string;
  /** An airport's code, its name or its city, in any case, with or without accents. */
  readonly from?: string;
  readonly to?: string;
  /** Left out: by departure. */
  readonly sort?: FlightOrder;
  /** A local date of departure, YYYY-MM-DD. Left out: the next departure of each number. */
  readonly date?: string;
  /** In its place, the first and the last of some dates. */
  readonly dateFrom?: string;
  readonly dateTo?: string;
}

/** The dates that a search is of, both included; null: of none. */
export const datesIn = ({ date, dateFrom = date, dateTo = date }: FlightSearch): SaleDays | null =>
  dateFrom === undefined || dateTo === undefined ? null : { first: dateFrom, last: dateTo };

const hasTerm = (...prefixes: readonly string[]): FlightCondition => ({
  field: 'searchTerms',
  startsWithAny: prefixes,
});

/** Each word is a prefix of a word of the city, or one of the two airports' codes; or the whole begins a flight number. */
const byText = (q: string): Pick<FlightFilter, 'anyOf'> => {
  const words = [...new Set(wordsOf(q))].map((word) => hasTerm(`city:${word}`, `code:${word};`));
  const number = [hasTerm(`number:${normalFlightNumber(plain(q))}`)];
  return { anyOf: words.length > 0 ? [words, number] : [number] };
};

const byPlace = (field: 'from' | 'to', text: string, places: Places): readonly FlightCondition[] => {
  if (text.trim() === '') return [];
  const [code, ...more] = places.meant(text);
  // What means no airport is the code of one that no flight knows.
  if (more.length === 0) return [{ field, equals: code ?? text.trim().toUpperCase() }];
  return [{ field, startsWithAny: [code ?? '', ...more] }];
};

const byPlaces = ({ from = '', to = '' }: FlightSearch, places: Places): readonly FlightCondition[] => [
  ...byPlace('from', from, places),
  ...byPlace('to', to, places),
];

/** The flights that a search means (docs/decisions.md, Flights), as a filter over their read model, which the index in memory answers. */
export const matchingFlights = (search: FlightSearch, places: Places): FlightFilter => ({
  where: byPlaces(search, places),
  ...(search.q !== undefined && search.q.trim() !== '' && byText(search.q)),
});

/** The flights of a search by airport names too, or by a number without letters; null: it cannot be read so. */
export const matchingFlightsByName = (search: FlightSearch, places: Places): FlightFilter | null => {
  const words = [...new Set(meaningOf(search.q ?? ''))];
  if (words.length === 0) return null;
  const number = normalFlightNumber(words.join(''));
  const numbers = /^\d/.test(number) ? places.designators.map((letters) => letters + number) : [number];
  const named = words.map((word) =>
    hasTerm(`city:${word}`, `code:${word};`, ...places.named(word).map((code) => `code:${plain(code)};`)),
  );
  return {
    where: byPlaces(search, places),
    anyOf: [named, [hasTerm(...numbers.map((one) => `number:${one}`))]],
  };
};
