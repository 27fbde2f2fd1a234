import type { FlightOrder, FlightView, FoundFlights, SaleDays } from '#catalog';
import { conditionsSummary, html, type Html } from '#site';
import type { Airports } from '../airports.js';
import { arrival, cheapestOf, dateText, durationText, priceText, seatsText } from '../words.js';
import { isNarrow, pathOf, type SearchRequest } from './search-form.js';

/** What a search found; where that is nothing, flights of the likeliest search instead. */
export interface SearchResult {
  readonly search: SearchRequest;
  readonly flights: FoundFlights<FlightView>;
  readonly near: readonly FlightView[];
  readonly airports: Airports;
  /** The dates on sale; null: nothing has a timetable. */
  readonly days: SaleDays | null;
}

/** One page of flights with the way to the next; or what to try where there are none. */
export const foundFlights = (result: SearchResult): Html =>
  html`<section class="within band" id="voos" aria-labelledby="voos-titulo">
    ${result.flights.items.length === 0 ? nothing(result) : list(result)}
  </section>`;

const countText = (count: number, isSearch: boolean): string => {
  if (count === 1) return isSearch ? '1 voo encontrado' : '1 voo à venda';
  return isSearch ? `${count} voos encontrados` : `${count} voos à venda`;
};

const list = ({ search, flights: { count, items, nextCursor } }: SearchResult): Html =>
  html`<div class="band-head">
      <h2 id="voos-titulo">${countText(count, isNarrow(search))}</h2>
      ${count > 1 && orders(search)}
    </div>
    ${rows(items, search.date)}
    <p class="small">Horários locais.</p>
    ${
      nextCursor !== null &&
      html`<p class="more">
        <a class="button quiet" rel="next" href="${pathOf({ ...search, cursor: nextCursor })}">Ver mais voos</a>
      </p>`
    }`;

const ORDERS: Readonly<Record<FlightOrder, string>> = { departure: 'Partida', price: 'Preço', duration: 'Duração' };

/** The orders to choose from: of each the same search from its beginning. */
const orders = (search: SearchRequest): Html =>
  html`<nav class="orders small" aria-label="Ordenar por">
    <span aria-hidden="true">Ordenar por</span>
    ${Object.entries(ORDERS).map(([order, text]) =>
      order === search.sort
        ? html`<strong aria-current="true">${text}</strong>`
        : html`<a href="${pathOf({ ...search, sort: order as FlightOrder, cursor: undefined })}">${text}</a>`,
    )}
  </nav>`;

const rows = (flights: readonly FlightView[], date?: string): Html =>
  html`<ul class="flights" role="list">
    ${flights.map((flight) => flightRow(flight, date))}
  </ul>`;

const nothing = ({ search, flights: { suggestions = [] }, near }: SearchResult): Html => {
  const [first, ...others] = suggestions;
  if (search.date !== undefined)
    return html`<div class="empty">
      <h2 id="voos-titulo">Nenhum voo neste dia</h2>
      <p>Em ${dateText(search.date)}, nenhum voo desta busca parte ou ainda está à venda.</p>
      <p><a class="button quiet" href="${pathOf(withoutDate(search))}">Ver a próxima partida de cada voo</a></p>
    </div>`;
  if (!first)
    return html`<div class="empty">
      <h2 id="voos-titulo">Nenhum voo encontrado</h2>
      <p>Confira a cidade, o aeroporto ou o número do voo. Acentos não fazem diferença.</p>
      <p><a class="button quiet" href="/voos">Ver todos os voos</a></p>
    </div>`;
  return html`<div class="band-head">
      <h2 id="voos-titulo"><a href="${pathOf(first.query)}">${first.message}</a> ${foundText(first.count)}</h2>
      <p class="small"><a href="/voos">Ver todos os voos</a></p>
    </div>
    <p class="near">Com a busca como foi escrita, nenhum voo foi encontrado.</p>
    ${rows(near)}
    ${
      others.length > 0 &&
      html`<ul class="instead">
        ${others.map(({ query, message, count }) => html`<li><a href="${pathOf(query)}">${message}</a> ${foundText(count)}</li>`)}
      </ul>`
    }`;
};

const withoutDate = ({ date: _, cursor: __, ...search }: SearchRequest): Partial<SearchRequest> => search;

const foundText = (count: number): Html => html`<span class="small">${count === 1 ? '1 voo' : `${count} voos`}</span>`;

/** What comes back of the cheapest fare where it is cancelled; below that, of each. */
const fares = (flight: FlightView): Html | null => {
  const cheapest = cheapestOf(flight);
  return (
    cheapest &&
    html`<details class="terms small">
      <summary>${faresText(flight)} · ${cheapest.name}: ${conditionsSummary(cheapest.conditions)}</summary>
      <ul role="list" aria-label="Tarifas">
        ${flight.prices.map(
          (fare) =>
            html`<li>
              <span>${fare.name}</span> <span class="whole">${priceText(fare, flight)}</span>
              <span>${conditionsSummary(fare.conditions)}</span>
            </li>`,
        )}
      </ul>
    </details>`
  );
};

const faresText = ({ prices: { length } }: FlightView): string => (length === 1 ? '1 tarifa' : `${length} tarifas`);

/** One flight of a list, which leads to its page: when, where, how many seats, from how much, and under which conditions. */
const flightRow = (flight: FlightView, date: string | undefined): Html => {
  const { from, fromCity, to, toCity, departureTime, departureDate, durationMin, seats, flightNumber, slug } = flight;
  const cheapest = cheapestOf(flight);
  return html`<li class="flight">
    <p class="times">
      <span class="visually-hidden">Parte às</span> <time datetime="${departureTime}">${departureTime}</time>
      ${
        cheapest &&
        html`<span class="arrow" aria-hidden="true">→</span>
          <span class="visually-hidden">e chega às</span> ${arrival(cheapest)}`
      }
      <span class="small">${durationText(durationMin)}</span>
    </p>
    <div class="journey">
      <h3>
        <a href="/voos/${slug}${date !== undefined && `?date=${date}`}"
          >${fromCity ?? from} <span class="arrow" aria-hidden="true">→</span
          ><span class="visually-hidden"> para </span> ${toCity}</a
        >
      </h3>
      <p class="small">
        ${from}–${to} · Voo ${flightNumber}${departureDate !== null && ` · ${dateText(departureDate)}`}
      </p>
    </div>
    <p class="seats small">${seatsText(seats)}</p>
    <p class="price">
      ${cheapest && html`<span class="small">a partir de</span> <strong class="whole">${priceText(cheapest, flight)}</strong>`}
    </p>
    ${fares(flight)}
  </li>`;
};
