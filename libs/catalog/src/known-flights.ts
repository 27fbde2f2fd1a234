import { LRUCache } from 'lru-cache';
import { BEGINNING, type Position } from '#event-store';
import { type Instant, upTo } from '#kernel';
import { decodeCursor, encodeCursor, type ListPage } from '#read-models';
import { flightIdOf } from '#events';
import { type DayOrder, departuresOn, orderOfDay } from './dated-search.js';
import { type FlightFilter, FlightIndex, type Matched, type Order } from './flight-index.js';
import { durationKey, FlightsOnSale, priceKey } from './flights-on-sale.js';
import type { ShownFlight } from './flights.projection.js';
import {
  datesIn,
  type FlightOrder,
  type FlightSearch,
  matchingFlights,
  matchingFlightsByName,
} from './matching-flights.js';
import { type Airport, Places } from './places.js';
import { DAYS_ON_SALE } from './timetable.decider.js';
import { suggestionsFor, type SuggestionView } from './suggestions.js';

/** Orders of days that are kept: all days on sale in each of three orders, at 80 kB for 10,000 flights. */
const DAYS = 3 * (DAYS_ON_SALE + 2);

export interface FlightPage {
  readonly limit: number;
  readonly cursor: string | undefined;
}

/** One page of a list of flights, by id; where it is empty and a search was narrow, what to search for instead. */
export interface FoundFlights<Item> extends ListPage<Item> {
  readonly suggestions?: readonly SuggestionView[];
}

/** Whether a search looks for a flight that it would find. */
export type KeepFlight = (flight: ShownFlight) => boolean;

export interface Route<Item> {
  readonly from: string;
  readonly to: string;
  /** What a search for it finds: how many flights, and the one with the lowest price. */
  readonly count: number;
  readonly cheapest: Item;
}

export interface RoutesOnSale<Item> {
  readonly count: number;
  readonly routes: readonly Route<Item>[];
}

/** What one collection of the read model holds, and how it is searched. */
export class KnownFlights {
  readonly onSale = new FlightsOnSale();
  private searched: Searched | null = null;

  /** Everything up to and including this event is in it. */
  upTo: Position = BEGINNING;

  constructor(readonly collection: string) {}

  /** What is known as it is at an instant, which the reader gives, since departures come to be the next ones. */
  at(now: Instant): this {
    this.onSale.at(now);
    return this;
  }

  /** The same object for as long as a search finds the same flights in the same order. */
  foundFor({ sort, ...search }: FlightSearch): object {
    if (datesIn(search)) return this.onSale.dates;
    return sort === 'price' ? this.onSale.prices : this.onSale.catalogue;
  }

  get airports(): readonly Airport[] {
    return this.searchable().places.airports;
  }

  /** The ids of the flights on one page of a search: numbers of timetables, or with dates their departures. `keep`: which of them; absent: all. @throws DomainError `invalid_cursor` */
  find(search: FlightSearch, { limit, cursor }: FlightPage, keep?: KeepFlight): FoundFlights<string> {
    const searched = this.searchable();
    const { filter, matched } = meant(search, searched);
    const { sort = 'departure' } = search;
    const dates = datesIn(search);
    const list = { collection: this.collection, sort: SORTS[sort], filter, ...(dates && { dates }) };
    const after = cursor === undefined ? undefined : decodeCursor(list, cursor);
    const page = { limit, after };
    const { byDeparture } = searched.index;
    const isKept = keep && ((id: string) => keep(this.onSale.get(id)));
    if (isKept && !dates) dropOthers(matched, byDeparture, isKept);
    const orderOf = this.daysBy(sort, searched);
    const { count, ids, end } = dates
      ? departuresOn(this.onSale, dates, { matched, byDeparture, sort, orderOf, isKept, ...page })
      : searched.index.page(matched, this.ordered(sort, searched), page);
    const found = { count, items: ids, nextCursor: end && encodeCursor(list, end) };
    // Of a day on which nothing goes, nothing else is suggested: other days are asked for.
    if (count > 0 || dates || keep || (filter.where.length === 0 && !filter.anyOf)) return found;
    const suggestions = suggestionsFor(search, searched.places, (other) => countOf(other, searched));
    return { ...found, suggestions };
  }

  /** The routes with the most flights, at most so many of them, with ids of flights. Counted again where a lowest price has changed. */
  routes(most: number): readonly Route<string>[] {
    const { places, routes } = this.searchable();
    const { prices } = this.onSale;
    const known = routes.get(most);
    if (known?.by === prices) return known.routes;
    const cities = new Map(places.airports.map(({ code, city }) => [code, city]));
    const counts = new Map<string, number>();
    for (const { from, to } of this.onSale.listed()) {
      const route = JSON.stringify([cities.get(from), cities.get(to)]);
      counts.set(route, (counts.get(route) ?? 0) + 1);
    }
    const largest = [...counts]
      .sort(([one, many], [other, more]) => more - many || (one < other ? -1 : 1))
      .slice(0, most);
    // Reported as the search reports it, which a route leads to.
    const found = largest.flatMap(([route]) => {
      const [from, to] = JSON.parse(route) as [string, string];
      const { count, items } = this.find({ from, to, sort: 'price' }, { limit: 1, cursor: undefined });
      return items.map((cheapest) => ({ from, to, count, cheapest }));
    });
    routes.set(most, { by: prices, routes: found });
    return found;
  }

  get size(): number {
    return this.searchable().index.byDeparture.flights.length;
  }

  private searchable(): Searched {
    const { catalogue } = this.onSale;
    if (this.searched?.of === catalogue) return this.searched;
    const listed = [...this.onSale.listed()];
    const index = new FlightIndex(listed);
    const counts = new LRUCache<string, number>(upTo(1_000));
    const places = new Places(listed);
    const days = { by: this.onSale.terms, orders: new LRUCache<string, DayOrder>({ max: DAYS }) };
    return (this.searched = { of: catalogue, index, orders: new Map(), days, places, counts, routes: new Map() });
  }

  private daysBy(sort: FlightOrder, searched: Searched): (date: string) => DayOrder {
    const { days } = searched;
    const { terms } = this.onSale;
    if (days.by !== terms) days.orders.clear();
    days.by = terms;
    return (date) => {
      const key = `${sort} ${date}`;
      const known = days.orders.get(key) ?? orderOfDay(this.onSale, date, sort, this.ordered(sort, searched));
      days.orders.set(key, known);
      return known;
    };
  }

  private ordered(sort: FlightOrder, { index, orders }: Searched): Order {
    if (sort === 'departure') return index.byDeparture;
    const by = sort === 'price' ? this.onSale.prices : this.onSale.catalogue;
    const known = orders.get(sort);
    if (known?.by === by) return known.order;
    const keyOf = sort === 'price' ? priceKey : durationKey;
    const order = index.orderedBy((id) => keyOf(this.onSale.get(id)));
    orders.set(sort, { by, order });
    return order;
  }
}

const dropOthers = (matched: Matched, { flights }: Order, isKept: (id: string) => boolean): void => {
  for (let place = matched.indexOf(1); place >= 0; place = matched.indexOf(1, place + 1)) {
    const flight = flights[place];
    if (!flight || !isKept(flightIdOf(flight))) matched[place] = 0;
  }
};

interface Searched {
  /** What left on the dates searched last, by order and date. */
  readonly days: { by: object; readonly orders: LRUCache<string, DayOrder> };
  /** What was on sale. */
  readonly of: object;
  readonly index: FlightIndex;
  readonly orders: Map<FlightOrder, { readonly by: object; readonly order: Order }>;
  readonly places: Places;
  readonly counts: LRUCache<string, number>;
  /** The largest routes, by how many of them were asked for. */
  readonly routes: Map<number, { readonly by: object; readonly routes: readonly Route<string>[] }>;
}

/** The flights that a search means, and the filter that says so. By names only where `q` says nothing as it stands. */
export const meant = (
  search: FlightSearch,
  { index, places }: Pick<Searched, 'index' | 'places'>,
): { readonly filter: FlightFilter; readonly matched: Matched } => {
  const filter = matchingFlights(search, places);
  const matched = index.matched(filter);
  if (!filter.anyOf || matched.includes(1)) return { filter, matched };
  const byName = index.matched({ where: [], anyOf: filter.anyOf }).includes(1)
    ? null
    : matchingFlightsByName(search, places);
  return byName ? { filter: byName, matched: index.matched(byName) } : { filter, matched };
};

/** How many flights a search finds. Searches that find nothing share what is suggested in their place. */
const countOf = (search: FlightSearch, searched: Searched): number => {
  const key = JSON.stringify(search);
  const known = searched.counts.get(key);
  if (known !== undefined) return known;
  const count = meant(search, searched).matched.reduce((sum, one) => sum + one, 0);
  searched.counts.set(key, count);
  return count;
};

const ascending = (field: string) => ({ field, direction: 'ascending' }) as const;
const SORTS = {
  departure: ascending('departureTime'),
  duration: ascending('durationMin'),
  price: ascending('price'),
} as const satisfies Record<FlightOrder, object>;
