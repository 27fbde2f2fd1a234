import { html, type Html } from '#site';
import { type Airport, airportText, type Airports } from '../airports.js';
import type { SearchAsked } from './search-asked.js';

const choice = (airport: Airport, chosen: string): Html =>
  html`<option value="${airport.code}" ${airport.code === chosen && html`selected`}>${airportText(airport)}</option>`;

const choices = (
  { id, label, any }: { readonly id: string; readonly label: string; readonly any: string },
  airports: readonly Airport[],
  chosen: string,
): Html =>
  html`<div class="field">
    <label for="${id}">${label}</label>
    <select id="${id}" name="${id}">
      <option value="">${any}</option>
      ${airports.map((airport) => choice(airport, chosen))}
    </select>
  </div>`;

/** A code that no flight leaves from or goes to stays what was asked for: the answer to it is that there is none. */
const withAsked = (airports: readonly Airport[], code: string): readonly Airport[] =>
  code === '' || airports.some((airport) => airport.code === code) ? airports : [...airports, { code, city: code }];

/** The search: a form by GET, so that every result has an address. */
export const searchForm = ({ q, from, to }: SearchAsked, { origins, destinations }: Airports): Html =>
  html`<form class="search" role="search" aria-label="Voos" method="get" action="/#voos">
    ${choices({ id: 'from', label: 'De', any: 'Qualquer origem' }, withAsked(origins, from), from)}
    ${choices({ id: 'to', label: 'Para', any: 'Qualquer destino' }, withAsked(destinations, to), to)}
    <div class="field">
      <label for="q">Cidade, aeroporto ou voo</label>
      <input id="q" name="q" type="search" value="${q}" maxlength="100" autocomplete="off" />
    </div>
    <button type="submit">Buscar voos</button>
  </form>`;
