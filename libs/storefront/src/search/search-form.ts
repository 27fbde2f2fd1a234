import { html, type Html } from '#site';
import { type Airport, airportText, type Airports } from '../airports.js';

/** What a visitor searches for. */
export interface SearchRequest {
  readonly q: string;
  readonly from: string;
  readonly to: string;
  readonly cursor: string | undefined;
}

/** As much of a text as the search takes. */
const LONGEST = 100;

/** The search that an address holds: of a repeated parameter the first, of a long text the beginning. */
export const searchRequestIn = (query: URLSearchParams): SearchRequest => {
  const text = (name: string): string => (query.get(name) ?? '').trim().slice(0, LONGEST);
  return {
    q: text('q'),
    from: text('from').toUpperCase(),
    to: text('to').toUpperCase(),
    cursor: query.get('cursor') ?? undefined,
  };
};

/** Whether anything narrows the search. */
export const isNarrow = ({ q, from, to }: SearchRequest): boolean => q !== '' || from !== '' || to !== '';

/** The address of the page of results that starts at `cursor`. */
export const pathOf = ({ q, from, to }: SearchRequest, cursor: string): string => {
  const entries = Object.entries({ from, to, q, cursor }).filter(([, value]) => value !== '');
  return `/?${new URLSearchParams(entries).toString()}#voos`;
};

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

/** Keeps a code that no flight leaves from or goes to: the result says that there is none. */
const withRequested = (airports: readonly Airport[], code: string): readonly Airport[] =>
  code === '' || airports.some((airport) => airport.code === code) ? airports : [...airports, { code, city: code }];

/** The search: a form by GET, so that every result has an address. */
export const searchForm = ({ q, from, to }: SearchRequest, { origins, destinations }: Airports): Html =>
  html`<form class="search" role="search" aria-label="Voos" method="get" action="/#voos">
    ${choices({ id: 'from', label: 'De', any: 'Qualquer origem' }, withRequested(origins, from), from)}
    ${choices({ id: 'to', label: 'Para', any: 'Qualquer destino' }, withRequested(destinations, to), to)}
    <div class="field">
      <label for="q">Cidade, aeroporto ou voo</label>
      <input id="q" name="q" type="search" value="${q}" maxlength="100" autocomplete="off" />
    </div>
    <button type="submit">Buscar voos</button>
  </form>`;
