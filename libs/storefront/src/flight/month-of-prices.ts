import { daysBetween, type DaysOfFlight, type FlightView, later, weekdayOf } from '#catalog';
import { money } from '#kernel';
import { html, type Html, moneyText } from '#site';
import { dateText } from '../words.js';

/** How many days are shown at once: as many as a month has. */
const MONTH = 31;
const WEEKDAYS = [
  ['seg', 'segunda-feira'],
  ['ter', 'terça-feira'],
  ['qua', 'quarta-feira'],
  ['qui', 'quinta-feira'],
  ['sex', 'sexta-feira'],
  ['sáb', 'sábado'],
  ['dom', 'domingo'],
] as const;
const NAMES = ['jan', 'fev', 'mar', 'abr', 'mai', 'jun', 'jul', 'ago', 'set', 'out', 'nov', 'dez'] as const;

/** A month of a flight's lowest prices: each day leads to the page of its departure. */
export const monthOfPrices = (flight: FlightView, { first, last, departures }: DaysOfFlight): Html => {
  const place = Math.floor((daysBetween(first, flight.departureDate ?? first) - 1) / MONTH);
  const begins = later(first, Math.max(0, place) * MONTH);
  const ends = [later(begins, MONTH - 1), last].sort()[0] ?? last;
  const dates = Array.from({ length: daysBetween(begins, ends) }, (_, days) => later(begins, days));
  const prices = dates.flatMap((date) => priceOn(departures, date) ?? []);
  const lowest = Math.min(...prices);
  const isFlat = prices.every((price) => price === lowest);
  return html`<section class="month" aria-labelledby="dias-titulo" id="dias">
    <h2 id="dias-titulo">Menor preço por dia</h2>
    <p class="small">De ${dateText(begins)} a ${dateText(ends)}, por passageiro, com taxas. Data local da partida.</p>
    <ol class="weekdays small" role="list" aria-hidden="true">
      ${WEEKDAYS.map(([short]) => html`<li>${short}</li>`)}
    </ol>
    <ol class="days" role="list">
      ${dates.map((date, at) => day(flight, departures, date, { isFirst: at === 0, lowest: isFlat ? null : lowest }))}
    </ol>
    <p class="actions small">
      ${begins > first && html`<a class="button quiet" href="${pathOf(flight, begins, -1, departures)}">Dias anteriores</a>`}
      ${ends < last && html`<a class="button quiet" href="${pathOf(flight, ends, 1, departures)}">Dias seguintes</a>`}
    </p>
  </section>`;
};

const priceOn = (departures: DaysOfFlight['departures'], date: string): number | null => {
  const departure = departures.get(date);
  return departure && departure.seatsLeft > 0 ? Math.min(...departure.fares.map(({ price }) => price)) : null;
};

/** The nearest departure beyond a day, whose page shows the days around it. */
const pathOf = ({ slug }: FlightView, date: string, step: 1 | -1, departures: DaysOfFlight['departures']): string => {
  const beyond = [...departures.keys()].filter((one) => (step === 1 ? one > date : one < date));
  return `/voos/${slug}?date=${(step === 1 ? beyond[0] : beyond.at(-1)) ?? date}#dias`;
};

const day = (
  { slug, currency, departureDate }: FlightView,
  departures: DaysOfFlight['departures'],
  date: string,
  { isFirst, lowest }: { readonly isFirst: boolean; readonly lowest: number | null },
): Html => {
  const weekday = weekdayOf(date);
  const [, name] = WEEKDAYS[weekday - 1] ?? ['', ''];
  const price = priceOn(departures, date);
  const [, month, number = ''] = date.split('-');
  const isNamed = isFirst || number === '01';
  const label = html`<span class="date" aria-hidden="true"
      >${Number(number)}${isNamed && html` <span class="of">${NAMES[Number(month) - 1] ?? ''}</span>`}</span
    ><span class="visually-hidden">${name}, ${dateText(date)}: </span>`;
  // No style in the page (docs/adr/0110): each day of the week has a class.
  const column = isFirst ? ` weekday-${weekday}` : '';
  if (price === null)
    return html`<li class="gone${column}">
      ${label}<span class="small"
        >${departures.has(date) ? 'esgotado' : html`<span aria-hidden="true">–</span><span class="visually-hidden">sem voo à venda</span>`}</span
      >
    </li>`;
  const text = moneyText(money(price, currency));
  return html`<li class="${price === lowest ? 'lowest' : 'open'}${column}">
    <a href="/voos/${slug}?date=${date}#dias" ${date === departureDate && html`aria-current="date"`}
      >${label}<span class="amount"
        ><span class="visually-hidden">${text}${price === lowest && ', o menor preço'}</span
        ><span aria-hidden="true"
          >${text.slice(0, -3).replace(/^\D+/, '')}<span class="cents">${text.slice(-3)}</span></span
        ></span
      ></a
    >
  </li>`;
};
