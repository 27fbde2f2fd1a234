import type { PageEnd } from '#documents';
import { flightIdOf } from '#events';
import type { FlightDocument } from './flights.projection.js';

export interface FoundIds {
  readonly count: number;
  readonly ids: readonly string[];
  /** Where the page ends; null: nothing comes after it. */
  readonly end: PageEnd | null;
}

/** What a flight is found by; none of it ever changes of a flight on sale. */
type Searched = Pick<FlightDocument, 'flightId' | 'flightNumber' | 'departureTime' | 'from' | 'to' | 'searchTerms'>;

/** One condition on a flight: the airport that it leaves from or goes to, or what one of its terms or these airports begins with. */
export type FlightCondition =
  | { readonly field: 'from' | 'to'; readonly equals: string }
  | { readonly field: 'from' | 'to' | 'searchTerms'; readonly startsWithAny: readonly string[] };

/** All of `where` hold and, if given, all conditions of at least one of the lists of `anyOf`. */
export interface FlightFilter {
  readonly where: readonly FlightCondition[];
  readonly anyOf?: readonly (readonly FlightCondition[])[];
}

/** By a flight's place in the order of departure, 1 where it is matched. */
export type Matched = Uint8Array;

export interface Order {
  readonly flights: readonly Searched[];
  /** What each is ordered by; equals stand in the order of their ids. */
  readonly keys: readonly string[];
  /** The place of each in the order of departure; null: this is that order. */
  readonly places: readonly number[] | null;
}

/** The flights of a read model by what they are searched by, in memory. */
export class FlightIndex {
  /** By departure time and then id. */
  readonly byDeparture: Order;
  /** Every term once, in their order, so that those with one prefix stand together. */
  private readonly terms: readonly string[];
  /** By term, the places of the flights that have it. */
  private readonly places = new Map<string, number[]>();

  constructor(found: Iterable<Searched>) {
    const flights = [...found].sort((one, other) =>
      isAfter(other, other.departureTime, endOf(one, one.departureTime)) ? -1 : 1,
    );
    this.byDeparture = { flights, keys: flights.map(({ departureTime }) => departureTime), places: null };
    for (const [place, { from, to, searchTerms }] of flights.entries()) {
      for (const term of new Set([`from ${from}`, `to ${to}`, ...searchTerms])) {
        const places = this.places.get(term);
        if (places) places.push(place);
        else this.places.set(term, [place]);
      }
    }
    this.terms = [...this.places.keys()].sort();
  }

  /** The flights by a key of each, then by departure time and id. */
  orderedBy(keyOf: (flightId: string) => string): Order {
    const keyed = this.byDeparture.flights
      .map((flight, place) => ({ flight, place, key: `${keyOf(flightIdOf(flight))} ${flight.departureTime}` }))
      .sort((one, other) => (one.key === other.key ? one.place - other.place : one.key < other.key ? -1 : 1));
    return {
      flights: keyed.map(({ flight }) => flight),
      keys: keyed.map(({ key }) => key),
      places: keyed.map(({ place }) => place),
    };
  }

  /** At most `limit` of the matched flights in an order, and how many are matched. */
  page(
    matched: Matched,
    { flights, keys, places }: Order,
    { limit, after }: { readonly limit: number; readonly after: PageEnd | undefined },
  ): FoundIds {
    const isMatched = places === null ? matched : Uint8Array.from(places, (place) => matched[place] ?? 0);
    const found: Searched[] = [];
    let end: PageEnd | null = null;
    let count = 0;
    let hasMore = false;
    for (let place = isMatched.indexOf(1); place >= 0; place = isMatched.indexOf(1, place + 1)) {
      count += 1;
      if (hasMore) continue; // what is left is only counted
      const flight = flights[place];
      const key = keys[place] ?? '';
      if (!flight || (after && !isAfter(flight, key, after))) continue;
      if (found.length === limit) hasMore = true;
      else {
        found.push(flight);
        if (found.length === limit) end = endOf(flight, key);
      }
    }
    return { count, ids: found.map(flightIdOf), end: hasMore ? end : null };
  }

  matched({ where, anyOf }: FlightFilter): Matched {
    const all = this.matchedByAll(where);
    return anyOf ? both(all, anyOf.map((some) => this.matchedByAll(some)).reduce(either)) : all;
  }

  private matchedByAll(conditions: readonly FlightCondition[]): Uint8Array {
    const every = new Uint8Array(this.byDeparture.flights.length).fill(1);
    return conditions.map((condition) => this.matchedBy(condition)).reduce(both, every);
  }

  private matchedBy(condition: FlightCondition): Uint8Array {
    const matched = new Uint8Array(this.byDeparture.flights.length);
    const add = (term = ''): void => {
      for (const place of this.places.get(term) ?? []) matched[place] = 1;
    };
    if ('startsWithAny' in condition) {
      const field = condition.field === 'searchTerms' ? '' : `${condition.field} `;
      for (const beginning of condition.startsWithAny) {
        const prefix = field + beginning;
        for (let at = this.firstFrom(prefix); this.terms[at]?.startsWith(prefix); at += 1) add(this.terms[at]);
      }
    } else add(`${condition.field} ${condition.equals}`);
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

const endOf = (flight: Searched, key: string): PageEnd => ({ value: key, id: flightIdOf(flight) });

/** Whether a flight with this key comes after the end of a page. A value that is no text comes before every text. */
const isAfter = (flight: Searched, key: string, { value, id }: PageEnd): boolean => {
  const last = typeof value === 'string' ? value : '';
  return key > last || (key === last && flightIdOf(flight) > id);
};
