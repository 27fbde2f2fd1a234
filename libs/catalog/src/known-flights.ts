import { LRUCache } from 'lru-cache';
import { BEGINNING, type Position } from '#event-store';
import { flightIdOf } from '#events';
import { DomainError, upTo } from '#kernel';
import { decodeCursor, encodeCursor, type ListPage } from '#read-models';
import { type FlightFilter, FlightIndex, type Matched, type Order } from './flight-index.js';
import type { FlightDocument } from './flights.projection.js';
import { type FlightOrder, type FlightSearch, matchingFlights, matchingFlightsByName } from './matching-flights.js';
import { type Airport, Places } from './places.js';
import { suggestionsFor, type SuggestionView } from './suggestions.js';

export interface FlightPage {
  readonly limit: number;
  readonly cursor: string | undefined;
}

/** One page of a list of flights, by id; where it is empty and a search was narrow, what to search for instead. */
export interface FoundFlights<Item> extends ListPage<Item> {
  readonly suggestions?: readonly SuggestionView[];
}

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

/** What one collection of the read model holds. A document is replaced and never changed: identity is its version. */
export class KnownFlights {
  private readonly documents = new Map<string, FlightDocument>();
  private searched: Searched | null = null;

  /** Everything up to and including this event is in it. */
  upTo: Position = BEGINNING;
  /** Another object after each document that was added or replaced. */
  version: object = {};
  /** Another object after each flight that was added. It holds nothing: whoever notes it keeps no index in memory. */
  private catalogue: object = {};
  /** Another object after each flight that was added or has another lowest price. */
  private prices: object = {};

  constructor(readonly collection: string) {}

  add(document: FlightDocument): void {
    const id = flightIdOf(document);
    const known = this.documents.get(id);
    if (known?.position === document.position) return;
    this.version = {};
    if (!known) [this.searched, this.catalogue, this.prices] = [null, {}, {}];
    else if (priceKey(known) !== priceKey(document)) {
      this.prices = {};
      this.searched?.orders.delete('price');
      this.searched?.routes.clear();
    }
    this.documents.set(id, document);
  }

  /** @throws DomainError `flight_not_found` */
  get(flightId: string): FlightDocument {
    const document = this.documents.get(flightId);
    if (!document) throw new DomainError('flight_not_found');
    return document;
  }

  /** The same object for as long as a search finds the same flights in the same order. */
  foundFor({ sort }: FlightSearch): object {
    return sort === 'price' ? this.prices : this.catalogue;
  }

  get airports(): readonly Airport[] {
    return this.searchable().places.airports;
  }

  /** The ids of the flights on one page of a search. @throws DomainError `invalid_cursor` */
  find(search: FlightSearch, { limit, cursor }: FlightPage): FoundFlights<string> {
    const searched = this.searchable();
    const { filter, matched } = meant(search, searched);
    const { sort = 'departure' } = search;
    const list = { collection: this.collection, sort: SORTS[sort], filter };
    const after = cursor === undefined ? undefined : decodeCursor(list, cursor);
    const { count, ids, end } = searched.index.page(matched, this.ordered(sort, searched), { limit, after });
    const found = { count, items: ids, nextCursor: end && encodeCursor(list, end) };
    if (count > 0 || (filter.where.length === 0 && !filter.anyOf)) return found;
    const suggestions = suggestionsFor(search, searched.places, (other) => countOf(other, searched));
    return { ...found, suggestions };
  }

  /** The routes with the most flights, at most so many of them, with ids of flights. Counted again where a lowest price has changed. */
  routes(most: number): readonly Route<string>[] {
    const { places, routes } = this.searchable();
    const known = routes.get(most);
    if (known) return known;
    const cities = new Map(places.airports.map(({ code, city }) => [code, city]));
    const counts = new Map<string, number>();
    for (const { from, to } of this.documents.values()) {
      const route = JSON.stringify([cities.get(from), cities.get(to)]);
      counts.set(route, (counts.get(route) ?? 0) + 1);
    }
    const largest = [...counts]
      .sort(([one, many], [other, more]) => more - many || (one < other ? -1 : 1))
      .slice(0, most);
    // Told as the search tells it, which a route leads to.
    const found = largest.flatMap(([route]) => {
      const [from, to] = JSON.parse(route) as [string, string];
      const { count, items } = this.find({ from, to, sort: 'price' }, { limit: 1, cursor: undefined });
      return items.map((cheapest) => ({ from, to, count, cheapest }));
    });
    routes.set(most, found);
    return found;
  }

  get size(): number {
    return this.documents.size;
  }

  private searchable(): Searched {
    if (this.searched) return this.searched;
    const index = new FlightIndex(this.documents.values());
    const orders = new Map([['departure', index.byDeparture] as const]);
    const counts = new LRUCache<string, number>(upTo(1_000));
    return (this.searched = { index, orders, places: new Places(this.documents.values()), counts, routes: new Map() });
  }

  private ordered(sort: FlightOrder, { index, orders }: Searched): Order {
    const known = orders.get(sort);
    if (known) return known;
    const keyOf = sort === 'price' ? priceKey : durationKey;
    const order = index.orderedBy((flightId) => keyOf(this.get(flightId)));
    orders.set(sort, order);
    return order;
  }
}

interface Searched {
  readonly index: FlightIndex;
  readonly orders: Map<FlightOrder, Order>;
  readonly places: Places;
  readonly counts: LRUCache<string, number>;
  /** The largest routes, by how many of them were asked for. */
  readonly routes: Map<number, readonly Route<string>[]>;
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

const inOrder = (integer: number): string => String(integer).padStart(15, '0');
const durationKey = ({ durationMin }: FlightDocument): string => inOrder(durationMin);
/** By currency, since amounts of two do not compare, and by the lowest price. */
const priceKey = ({ currency, fares }: FlightDocument): string =>
  `${currency} ${inOrder(Math.min(...fares.map(({ price }) => price)))}`;
