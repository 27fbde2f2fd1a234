import type { PageEnd } from '#documents';
import type { FoundIds, Matched, Order } from './flight-index.js';
import { durationKey, type FlightsOnSale, priceKey } from './flights-on-sale.js';
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

/** Every departure of the matched flights from one date to another that is still sold, in an order. */
export const departuresOn = (
  onSale: FlightsOnSale,
  { first, last }: SaleDays,
  {
    matched,
    byDeparture,
    sort,
  }: { readonly matched: Matched; readonly byDeparture: Order; readonly sort: FlightOrder },
): readonly PageEnd[] => {
  const dates = Array.from({ length: daysBetween(first, last) }, (_, days) => later(first, days));
  const found: PageEnd[] = [];
  for (let place = matched.indexOf(1); place >= 0; place = matched.indexOf(1, place + 1)) {
    const listed = byDeparture.flights[place];
    if (!listed) continue;
    for (const { id, date, terms } of onSale.leaving(listed, dates)) found.push({ value: KEYS[sort](terms, date), id });
  }
  return found.sort((one, other) => (isBefore(one, other) ? -1 : 1));
};

const isBefore = (one: PageEnd, other: PageEnd): boolean =>
  one.value === other.value ? one.id < other.id : String(one.value) < String(other.value);

/** One page of what is in order already. */
export const pageOf = (
  found: readonly PageEnd[],
  { limit, after }: { readonly limit: number; readonly after: PageEnd | undefined },
): FoundIds => {
  const rest = after ? found.filter((one) => isBefore(after, one)) : found;
  const page = rest.slice(0, limit);
  return { count: found.length, ids: page.map(({ id }) => id), end: (rest.length > limit && page.at(-1)) || null };
};
