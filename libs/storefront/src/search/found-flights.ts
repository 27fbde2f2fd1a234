import type { FlightView } from '#catalog';
import type { ListPage } from '#read-models';
import { html, type Html } from '#site';
import type { Airports } from '../airports.js';
import { arrival, cheapestOf, dateText, durationText, priceText, seatsText } from '../words.js';
import { isNarrow, pathOf, type SearchRequest } from './search-form.js';

/** What a search found. */
export interface FoundFlights {
  readonly search: SearchRequest;
  readonly flights: ListPage<FlightView>;
  readonly airports: Airports;
}

/** One page of flights with the way to the next; or what to try where there are none. */
export const foundFlights = (found: FoundFlights): Html =>
  html`<section class="within band" id="voos" aria-labelledby="voos-titulo">
    ${found.flights.items.length === 0 ? NOTHING : list(found)}
  </section>`;

const countText = (count: number, isSearch: boolean): string => {
  if (count === 1) return isSearch ? '1 voo encontrado' : '1 voo à venda';
  return isSearch ? `${count} voos encontrados` : `${count} voos à venda`;
};

const list = ({ search, flights: { count, items, nextCursor }, airports }: FoundFlights): Html =>
  html`<div class="band-head">
      <h2 id="voos-titulo">${countText(count, isNarrow(search))}</h2>
      <p class="small">Por hora de partida, em horários locais</p>
    </div>
    <ul class="flights" role="list">
      ${items.map((flight) => flightRow(flight, airports))}
    </ul>
    ${
      nextCursor !== null &&
      html`<p class="more">
        <a class="button quiet" rel="next" href="${pathOf(search, nextCursor)}">Ver mais voos</a>
      </p>`
    }`;

const NOTHING = html`<div class="empty">
  <h2 id="voos-titulo">Nenhum voo encontrado</h2>
  <p>
    Confira o código do aeroporto ou tente só a cidade de destino, sem se preocupar com acentos. A busca também entende
    o número do voo.
  </p>
  <p><a class="button quiet" href="/#voos">Ver todos os voos</a></p>
</div>`;

/** One flight of a list, which leads to its page: when, where, how many seats, from how much. */
const flightRow = (flight: FlightView, { named }: Airports): Html => {
  const { from, to, toCity, departureTime, departureDate, durationMin, seats, flightNumber, slug } = flight;
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
        <a href="/voos/${slug}"
          >${named(from).city} <span class="arrow" aria-hidden="true">→</span
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
  </li>`;
};
