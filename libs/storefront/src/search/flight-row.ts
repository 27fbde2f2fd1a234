import type { FlightView } from '#catalog';
import { html, type Html } from '#site';
import type { Airports } from '../airports.js';
import { arrival } from '../arrival.js';
import { cheapestOf, dateText, durationText, priceText, seatsText } from '../words.js';

/** One flight of a list, which leads to its page: when, where, how many seats, from how much. */
export const flightRow = (flight: FlightView, { named }: Airports): Html => {
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
