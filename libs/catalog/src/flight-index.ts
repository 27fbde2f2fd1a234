import type { Condition, Filter, PageEnd } from '#documents';
import type { FlightDocument } from './flights.projection.js';

/** Flight numbers of one page of a search, and how many flights it finds in all. */
export interface FoundNumbers {
  readonly count: number;
  readonly numbers: readonly string[];
  /** Where the page ends; null: nothing comes after it. */
  readonly end: PageEnd | null;
}

/** What a flight is found by; none of it ever changes of a flight on sale. */
type Searched = Pick<FlightDocument, 'flightNumber' | 'departureTime' | 'from' | 'to' | 'searchTerms'>;

/**
 * The flights of a read model by what they are searched by, in memory. It answers the filters of `matchingFlights` as the
 * store does, by the same order; the two are compared by a test.
 */
export class FlightIndex {
  private readonly flights: readonly Searched[];
  /** Every term once, in their order, so that those with one prefix stand together. */
  private readonly terms: readonly string[];
  /** By term, the places of the flights that have it. */
  private readonly places = new Map<string, number[]>();

  constructor(flights: Iterable<Searched>) {
    this.flights = [...flights].sort((one, other) => (isAfter(other, endOf(one)) ? -1 : 1));
    for (const [place, { from, to, searchTerms }] of this.flights.entries()) {
      for (const term of new Set([`from ${from}`, `to ${to}`, ...searchTerms])) {
        const places = this.places.get(term);
        if (places) places.push(place);
        else this.places.set(term, [place]);
      }
    }
    this.terms = [...this.places.keys()].sort();
  }

  /** At most `limit` of the flights that a filter matches, by departure time and then number, and how many it matches. */
  find(
    filter: Filter,
    { limit, after }: { readonly limit: number; readonly after: PageEnd | undefined },
  ): FoundNumbers {
    const isMatched = this.matched(filter);
    const found: Searched[] = [];
    let count = 0;
    let hasMore = false;
    for (let place = isMatched.indexOf(1); place >= 0; place = isMatched.indexOf(1, place + 1)) {
      count += 1;
      if (hasMore) continue; // what is left is only counted
      const flight = this.flights[place];
      if (!flight || (after && !isAfter(flight, after))) continue;
      if (found.length < limit) found.push(flight);
      else hasMore = true;
    }
    const last = found.at(-1);
    return {
      count,
      numbers: found.map(({ flightNumber }) => flightNumber),
      end: hasMore && last ? endOf(last) : null,
    };
  }

  /** By place, 1 where a flight is matched. */
  private matched({ where, anyOf }: Filter): Uint8Array {
    const all = this.matchedByAll(where);
    return anyOf ? both(all, anyOf.map((some) => this.matchedByAll(some)).reduce(either)) : all;
  }

  private matchedByAll(conditions: readonly Condition[]): Uint8Array {
    const every = new Uint8Array(this.flights.length).fill(1);
    return conditions.map((condition) => this.matchedBy(condition)).reduce(both, every);
  }

  /** @throws TypeError for a condition that no search has */
  private matchedBy(condition: Condition): Uint8Array {
    const matched = new Uint8Array(this.flights.length);
    const add = (term = ''): void => {
      for (const place of this.places.get(term) ?? []) matched[place] = 1;
    };
    if ('startsWithAny' in condition) {
      for (const prefix of condition.startsWithAny) {
        for (let at = this.firstFrom(prefix); this.terms[at]?.startsWith(prefix); at += 1) add(this.terms[at]);
      }
    } else if ('equals' in condition) add(`${condition.field} ${condition.equals}`);
    else throw new TypeError(`flights are not searched by a range of ${condition.field}`);
    return matched;
  }

  /** The place of the first term that does not come before `prefix`. */
  private firstFrom(prefix: string): number {
    let [low, high] = [0, this.terms.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.terms[middle] ?? '') < prefix) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** What both match, in the memory of the first: a search of many flights spends its time here. */
const both = (one: Uint8Array, other: Uint8Array): Uint8Array => {
  for (let place = 0; place < one.length; place += 1) one[place] = (one[place] ?? 0) & (other[place] ?? 0);
  return one;
};

/** What either matches, in the memory of the first. */
const either = (one: Uint8Array, other: Uint8Array): Uint8Array => {
  for (let place = 0; place < one.length; place += 1) one[place] = (one[place] ?? 0) | (other[place] ?? 0);
  return one;
};

const endOf = ({ departureTime, flightNumber }: Searched): PageEnd => ({ value: departureTime, id: flightNumber });

/** Whether a flight comes after the end of a page. A value that is no text comes before every text. */
const isAfter = ({ departureTime, flightNumber }: Searched, { value, id }: PageEnd): boolean => {
  const time = typeof value === 'string' ? value : '';
  return departureTime > time || (departureTime === time && flightNumber > id);
};
