import type { PageEnd } from '#documents';
import type { FoundIds, Matched, Order } from './flight-index.js';
import { durationKey, type FlightsOnSale, type Leaving, priceKey } from './flights-on-sale.js';
import type { DepartureTerms } from './known-timetable.js';
import { daysBetween, later } from './local-time.rule.js';
import type { FlightOrder } from './matching-flights.js';
import type { SaleDays } from './timetable.decider.js';

/** What departures of several days are ordered by: equals by the local time at which they leave. */
const KEYS: Readonly<Record<FlightOrder, (terms: DepartureTerms, date: string) => string>> = {
  departure: ({ departureTime }, date) => `${date} ${departureTime}`,
  duration: (terms, date) => `${durationKey(terms)} ${date} ${terms.departureTime}`,
  price: (terms, date) => `${priceKey(terms)} ${date} ${terms.departureTime}`,
};

/** What leaves on one date, sold or not, in the order of a search; places are those of the order of departure. */
export interface DayOrder {
  readonly places: Uint32Array;
  /** By place, where it stands among `places`, from 1 on; 0: it does not leave. */
  readonly ranks: Uint32Array;
}

/** Begins with an order of the flights listed, in which most of the departures stand already. */
export const orderOfDay = (onSale: FlightsOnSale, date: string, sort: FlightOrder, listed: Order): DayOrder => {
  const leaving = listed.flights.flatMap((flight, at) => {
    const departure = onSale.leaving(flight, date);
    return departure ? [{ place: listed.places?.[at] ?? at, ...endOf(departure, date, sort) }] : [];
  });
  const places = Uint32Array.from(leaving.sort(inOrder), ({ place }) => place);
  const ranks = new Uint32Array(listed.flights.length);
  for (let at = 0; at < places.length; at += 1) ranks[places[at] ?? 0] = at + 1;
  return { places, ranks };
};

/** At most `limit` departures of the matched flights that are still sold, from one date to another, and how many there are. */
export const departuresOn = (
  onSale: FlightsOnSale,
  { first, last }: SaleDays,
  {
    matched,
    byDeparture,
    sort,
    orderOf,
    isKept,
    limit,
    after,
  }: {
    readonly matched: Matched;
    readonly byDeparture: Order;
    readonly sort: FlightOrder;
    readonly orderOf: (date: string) => DayOrder;
    /** Which departures are looked for, by id; absent: all. */
    readonly isKept?: ((id: string) => boolean) | undefined;
    readonly limit: number;
    readonly after: PageEnd | undefined;
  },
): FoundIds => {
  const wanted: number[] = [];
  for (let place = matched.indexOf(1); place >= 0; place = matched.indexOf(1, place + 1)) wanted.push(place);
  const found: PageEnd[] = [];
  let count = 0;
  for (let day = 0; day < daysBetween(first, last); day += 1) {
    const date = later(first, day);
    const isSold = onSale.saleOn(date);
    const listedAt = (place = -1) => byDeparture.flights[place];
    const isMeant = (place: number) => !isKept || isKept(onSale.leaving(listedAt(place), date)?.id ?? '');
    // A timetable has no end, so an order would be made of any day that somebody names.
    if (!wanted.some((place) => isSold(listedAt(place)))) continue;
    const { places, ranks } = orderOf(date);
    const sold = Uint32Array.from(
      wanted.filter((place) => ranks[place] !== 0 && isSold(listedAt(place)) && isMeant(place)),
      (place) => ranks[place] ?? 0,
    ).sort();
    const endAt = (at: number): PageEnd | undefined => {
      const departure = onSale.leaving(listedAt(places[(sold[at] ?? 0) - 1]), date);
      return departure && endOf(departure, date, sort);
    };
    count += sold.length;
    const begin = after ? firstAfter(after, sold.length, endAt) : 0;
    // No page takes more of one day than a page has.
    for (let at = begin; at < Math.min(sold.length, begin + limit + 1); at += 1) {
      const end = endAt(at);
      if (end) found.push(end);
    }
  }
  const page = found.sort(inOrder).slice(0, limit);
  return { count, ids: page.map(({ id }) => id), end: (found.length > limit && page.at(-1)) || null };
};

/** The place of the first of so many ends that comes after another one. */
const firstAfter = (after: PageEnd, count: number, endAt: (at: number) => PageEnd | undefined): number => {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (inOrder(endAt(middle) ?? after, after) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
};

const endOf = ({ id, terms }: Leaving, date: string, sort: FlightOrder): PageEnd => ({
  value: KEYS[sort](terms, date),
  id,
});

const inOrder = (one: PageEnd, other: PageEnd): number => {
  const [key, otherKey] = [`${one.value}`, `${other.value}`];
  if (key !== otherKey) return key < otherKey ? -1 : 1;
  return one.id === other.id ? 0 : one.id < other.id ? -1 : 1;
};
