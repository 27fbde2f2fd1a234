import { type FlightOrder, isDate, ORDERS, type SaleDays } from '#catalog';
import { html, type Html } from '#site';
import { type Airports, wholeAirportText } from '../airports.js';

export interface SearchRequest {
  readonly q: string;
  readonly from: string;
  readonly to: string;
  /** Local to the departure; absent: the next one. */
  readonly date?: string;
  readonly sort: FlightOrder;
  readonly cursor: string | undefined;
}

/** As much of a text as the search takes. */
const LONGEST = 100;

/** The search in an address. A destination with a digit is a flight's number, since no city has one. */
export const searchRequestIn = (query: URLSearchParams): SearchRequest => {
  const text = (name: string): string => (query.get(name) ?? '').trim().slice(0, LONGEST);
  const [q, to] = [text('q'), text('to')];
  const isNumber = q === '' && /\d/.test(to);
  const date = text('date');
  return {
    q: isNumber ? to : q,
    from: text('from'),
    to: isNumber ? '' : to,
    ...(isDate(date) && { date }),
    sort: ORDERS.find((order) => order === query.get('sort')) ?? 'departure',
    cursor: query.get('cursor') ?? undefined,
  };
};

export const isNarrow = ({ q, from, to, date }: Pick<SearchRequest, 'q' | 'from' | 'to' | 'date'>): boolean =>
  q !== '' || from !== '' || to !== '' || date !== undefined;

/** The address of a search: of all flights where nothing narrows it. */
export const pathOf = (search: Partial<SearchRequest>): string => {
  const { q = '', from = '', to = '', date = '', sort = 'departure', cursor = '' } = search;
  const entries = Object.entries({ from, to, q, date, sort: sort === 'departure' ? '' : sort, cursor });
  const query = new URLSearchParams(entries.filter(([, value]) => value !== '')).toString();
  return `${isNarrow({ q, from, to, ...(date !== '' && { date }) }) ? '/' : '/voos'}${query && `?${query}`}#voos`;
};

const PLACES = 'lugares';

const place = (
  { id, label, hint }: { readonly id: string; readonly label: string; readonly hint: string },
  text: string,
  { named }: Airports,
): Html => {
  const airport = named(text.toUpperCase());
  const value = airport.city === airport.code ? text : wholeAirportText(airport);
  return html`<div class="field">
    <label for="${id}">${label}</label>
    <input
      id="${id}"
      name="${id}"
      list="${PLACES}"
      value="${value}"
      maxlength="100"
      autocomplete="off"
      placeholder="${hint}"
    />
  </div>`;
};

/** Cities with several airports, then all airports. */
const placeTexts = ({ all }: Airports): readonly string[] => {
  const cities = all.map(({ city }) => city);
  const repeated = cities.filter((city, at) => cities.indexOf(city) < at);
  return [...new Set([...repeated, ...all.map(wholeAirportText)])];
};

/** The search: a form by GET, so that every result has an address. */
export const searchForm = (
  { q, from, to, date, sort }: SearchRequest,
  airports: Airports,
  days: SaleDays | null,
): Html =>
  html`<form class="search" role="search" aria-label="Voos" method="get" action="/#voos">
    ${place({ id: 'from', label: 'De', hint: 'Cidade ou aeroporto' }, from, airports)}
    ${place({ id: 'to', label: 'Para', hint: 'Cidade ou nº do voo' }, to, airports)}
    ${
      days &&
      html`<div class="field">
        <label for="date">Data da partida</label>
        <input id="date" name="date" type="date" value="${date ?? ''}" min="${days.first}" max="${days.last}" />
      </div>`
    }
    ${
      q !== '' &&
      html`<div class="field">
        <label for="q">Cidade, aeroporto ou voo</label>
        <input id="q" name="q" type="search" value="${q}" maxlength="100" autocomplete="off" />
      </div>`
    }
    ${sort !== 'departure' && html`<input type="hidden" name="sort" value="${sort}" />`}
    <button type="submit">Buscar voos</button>
    <datalist id="${PLACES}">${placeTexts(airports).map((text) => html`<option value="${text}"></option>`)}</datalist>
  </form>`;
