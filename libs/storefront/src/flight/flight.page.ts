import type { DaysOfFlight, FlightView, WhyClosed } from '#catalog';
import type { BaseUrls } from '#http';
import type { AccountRegistration } from '#identity';
import { money } from '#kernel';
import { COPY_SCRIPT, html, type Html, moneyText, type Page, trail } from '#site';
import { agentPanel } from '#agent-tools';
import { airportText, type NamedAirport } from '../airports.js';
import { storefrontPage } from '../storefront.page.js';
import { monthOfPrices } from './month-of-prices.js';
import {
  arrival,
  baggageText,
  cheapestOf,
  dateText,
  dayText,
  durationText,
  isoDuration,
  priceText,
  seatsText,
} from '../words.js';

interface FlightOnPage {
  readonly flight: FlightView;
  readonly closed: WhyClosed | null;
  readonly days: DaysOfFlight | null;
}

/** The page of a flight: when and where, what it costs, and that agents buy it. */
export const flightPage = (
  { flight, closed, days }: FlightOnPage,
  origin: NamedAirport,
  urls: BaseUrls,
  shown: AccountRegistration | null,
): Page => {
  const { flightNumber, to, toCity, prices, slug, seats } = flight;
  const destination = { code: to, city: toCity, name: null };
  const cheapest = cheapestOf(flight);
  // Nobody is sent to an agent for a day that is not sold.
  const day = closed === null ? flight.departureDate : null;
  const from = cheapest ? `, a partir de ${priceText(cheapest, flight)}` : '';
  return storefrontPage({
    urls,
    shown,
    title: `${origin.city} → ${toCity}, voo ${flightNumber}${from} · Alçada`,
    description: `Voo ${flightNumber} de ${airportText(origin)} para ${airportText(destination)}: parte às ${flight.departureTime}, ${durationText(flight.durationMin)} de viagem${from}. Compre com o seu agente, até o limite que você definir.`,
    path: `/voos/${slug}`,
    module: COPY_SCRIPT,
    structuredData: flightData(flight, origin, seats > 0 && closed === null),
    content: html`<article class="within band" aria-labelledby="voo-titulo">
        ${trail([
          { path: '/voos', name: 'Voos' },
          { path: `/?from=${origin.code}&to=${to}#voos`, name: `${origin.code}–${to}` },
        ])}
        <h1 id="voo-titulo">
          ${origin.city} <span class="arrow" aria-hidden="true">→</span
          ><span class="visually-hidden"> para </span> ${toCity}
        </h1>
        <p class="lead">
          Voo
          <strong>${flightNumber}</strong>${flight.departureDate !== null && html`, ${dateText(flight.departureDate)}`}
        </p>
        ${unsellable(seats, closed, days !== null)} ${leg(flight, origin, closed === null)}
        ${days && monthOfPrices(flight, days)}
        <section aria-labelledby="tarifas-titulo">
          <h2 id="tarifas-titulo">Tarifas</h2>
          <ul class="fares" role="list">
            ${prices.map((fare) => fareCard(fare, flight, closed === null && seats > 0))}
          </ul>
        </section>
      </article>
      <div class="within band">
        <p class="lead buys">
          Aqui quem compra é o seu agente. Não há carrinho: peça a ele o voo
          <strong>${flightNumber}</strong>${day !== null && `, em ${dateText(day)},`} e a tarifa que preferir, e
          acompanhe tudo na <a href="/conta">sua conta</a>.
        </p>
        ${agentPanel(urls)}
      </div>`,
  });
};

const unsellable = (seats: number, closed: WhyClosed | null, isOfTimetable: boolean): Html | false => {
  if (closed === 'cancelled')
    return html`<p class="outcome none">
      <strong>Este voo foi cancelado.</strong> ${isOfTimetable ? 'Escolha outro dia.' : 'A venda está encerrada.'}
    </p>`;
  if (closed !== null && isOfTimetable)
    return html`<p class="outcome none"><strong>A venda deste dia está encerrada.</strong> Escolha outro dia.</p>`;
  if (closed !== null)
    return html`<p class="outcome none"><strong>Este voo já partiu.</strong> A venda está encerrada.</p>`;
  return seats <= 0 && html`<p class="outcome none"><strong>Voo esgotado.</strong> Não há mais assentos à venda.</p>`;
};

const leg = (flight: FlightView, origin: NamedAirport, isOnSale: boolean): Html => {
  const { to, toCity, departureTime, durationMin, seats } = flight;
  const cheapest = cheapestOf(flight);
  return html`<div class="leg">
    <p class="end">
      <span class="visually-hidden">Partida</span> <time datetime="${departureTime}">${departureTime}</time>
      <strong>${origin.code}</strong> <span class="small">${origin.city}</span>
    </p>
    <p class="span">
      <span class="small">${durationText(durationMin)}</span>
      ${isOnSale && html`<span class="small">${seatsText(seats)}</span>`}
    </p>
    <p class="end">
      <span class="visually-hidden">Chegada</span>
      <span>${cheapest && arrival(cheapest)}</span> <strong>${to}</strong> <span class="small">${toCity}</span>
    </p>
  </div>`;
};

/** One fare of a flight, for one passenger, and what to say to an agent while it is on sale. */
const fareCard = (fare: FlightView['prices'][number], flight: FlightView, isOnSale: boolean): Html => {
  const { code, name, arrivalTime, arrivalDayOffset, arrivesSameDay, baggage, hasCheckedBag, conditions } = fare;
  const isCheapest = flight.prices.length > 1 && cheapestOf(flight)?.code === code;
  return html`<li class="fare">
    <h3>${name}${isCheapest && html` <span class="mark-on">menor preço</span>`}</h3>
    <p class="amount">
      <strong class="whole">${priceText(fare, flight)}</strong>
      <span class="small">por passageiro${taxesText(fare, flight)}</span>
    </p>
    <ul class="traits" role="list">
      <li class="${arrivesSameDay ? 'has' : 'lacks'}">
        Chega às <time datetime="${arrivalTime}">${arrivalTime}</time>, ${dayText(arrivalDayOffset)}
      </li>
      <li class="${hasCheckedBag ? 'has' : 'lacks'}">${baggageText(baggage)}</li>
    </ul>
    <p class="small">${conditions.description}</p>
    ${isOnSale && toAsk(fare, flight)}
  </li>`;
};

/** What a traveller says to their agent. `code` is what agents book by. */
const toAsk = ({ name, code }: FlightView['prices'][number], { flightNumber, departureDate }: FlightView): Html => {
  const day = departureDate === null ? '' : ` de ${dateText(departureDate)}`;
  const text = `Compre o voo ${flightNumber}${day}, tarifa ${name} (${code}).`;
  return html`<div class="ask">
    <p class="small">Peça ao seu agente: <q>${text}</q></p>
    <button class="quiet" type="button" data-copy="${text}" aria-live="polite" hidden>Copiar o pedido</button>
  </div>`;
};

const taxesText = ({ taxes }: FlightView['prices'][number], { currency }: FlightView): string =>
  taxes > 0 ? `, com ${moneyText(money(taxes, currency))} de taxas` : '';

const DAY = 86_400_000;

const later = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10);

/** A local time, on its date where the flight has one (schema.org DateTime, or Time). */
const moment = (time: string, date: string | null, days = 0): string =>
  date === null ? `${time}:00` : `${later(date, days)}T${time}:00`;

const airport = ({ code, city }: Pick<NamedAirport, 'code' | 'city'>): object => ({
  '@type': 'Airport',
  iataCode: code,
  name: city === code ? code : `${city} (${code})`,
});

/** When all of its fares arrive; undefined where they differ. */
const arrivalTimeOf = ({ prices: [first, ...rest], departureDate }: FlightView): string | undefined => {
  const isSame = rest.every(
    ({ arrivalTime, arrivalDayOffset }) =>
      arrivalTime === first?.arrivalTime && arrivalDayOffset === first.arrivalDayOffset,
  );
  return first && isSame ? moment(first.arrivalTime, departureDate, first.arrivalDayOffset) : undefined;
};

/** A flight and its fares for machines (schema.org Flight, Offer). `isOnSale`: whether anything of it can be bought. */
export const flightData = (flight: FlightView, origin: NamedAirport, isOnSale: boolean): object => {
  const { flightNumber, to, toCity, departureTime, departureDate, durationMin, currency, prices, url } = flight;
  return {
    '@context': 'https://schema.org',
    '@type': 'Flight',
    '@id': url,
    url,
    flightNumber,
    provider: { '@type': 'Airline', iataCode: flightNumber.slice(0, 2) },
    departureAirport: airport(origin),
    arrivalAirport: airport({ code: to, city: toCity }),
    departureTime: moment(departureTime, departureDate),
    arrivalTime: arrivalTimeOf(flight),
    estimatedFlightDuration: isoDuration(durationMin),
    offers: prices.map(({ code, name, price }) => ({
      '@type': 'Offer',
      name,
      sku: code,
      price: (price / 100).toFixed(2),
      priceCurrency: currency,
      availability: `https://schema.org/${isOnSale ? 'InStock' : 'SoldOut'}`,
      url,
      seller: { '@type': 'Organization', name: 'Alçada' },
    })),
  };
};
