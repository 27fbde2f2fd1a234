import type { FlightView } from '#catalog';
import type { ListPage } from '#read-models';
import { html, type Html } from '#site';
import type { Airports } from '../airports.js';
import { flightRow } from './flight-row.js';
import { isNarrow, pathOf, type SearchAsked } from './search-asked.js';

/** What a search found. */
export interface FoundFlights {
  readonly asked: SearchAsked;
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

const list = ({ asked, flights: { count, items, nextCursor }, airports }: FoundFlights): Html =>
  html`<div class="band-head">
      <h2 id="voos-titulo">${countText(count, isNarrow(asked))}</h2>
      <p class="small">Por hora de partida, em horários locais</p>
    </div>
    <ul class="flights" role="list">
      ${items.map((flight) => flightRow(flight, airports))}
    </ul>
    ${
      nextCursor !== null &&
      html`<p class="more"><a class="button quiet" rel="next" href="${pathOf(asked, nextCursor)}">Ver mais voos</a></p>`
    }`;

const NOTHING = html`<div class="empty">
  <h2 id="voos-titulo">Nenhum voo encontrado</h2>
  <p>
    Confira o código do aeroporto ou tente só a cidade de destino, sem se preocupar com acentos. A busca também entende
    o número do voo.
  </p>
  <p><a class="button quiet" href="/#voos">Ver todos os voos</a></p>
</div>`;
