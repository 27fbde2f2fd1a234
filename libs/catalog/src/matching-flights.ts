import type { Condition, Filter } from '#documents';
import { normalFlightNumber } from './flight.decider.js';
import { plain, wordsOf } from './flights.projection.js';

/** What flights are searched by; what is absent or blank does not narrow the search. */
export interface FlightSearch {
  readonly q?: string;
  /** IATA codes, in any case. */
  readonly from?: string;
  readonly to?: string;
}

const hasTerm = (...prefixes: readonly string[]): Condition => ({ field: 'searchTerms', startsWithAny: prefixes });

/** Each word is a prefix of a word of the city, or one of the two airports' codes; or the whole begins a flight number. */
const byText = (q: string): Pick<Filter, 'anyOf'> => {
  const words = [...new Set(wordsOf(q))].map((word) => hasTerm(`city:${word}`, `code:${word};`));
  const number = [hasTerm(`number:${normalFlightNumber(plain(q))}`)];
  return { anyOf: words.length > 0 ? [words, number] : [number] };
};

const byAirport = (field: 'from' | 'to', code = ''): readonly Condition[] =>
  code.trim() === '' ? [] : [{ field, equals: code.trim().toUpperCase() }];

/** The flights that a search means (docs/decisions.md, Flights), as a filter over their read model, which the index in memory answers. */
export const matchingFlights = ({ q = '', from, to }: FlightSearch): Filter => ({
  where: [...byAirport('from', from), ...byAirport('to', to)],
  ...(q.trim() !== '' && byText(q)),
});
