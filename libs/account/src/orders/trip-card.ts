import type { PlacedOrder } from '#order';
import { html, type Html, moneyText } from '#site';
import { timeOf } from '../layout/account-page.js';
import type { AgentName } from '../layout/agent-names.js';
import { pathTo } from '../layout/return-targets.js';

/** A flight that was bought, as a card that leads to its ticket. `cityOf`: the city of an airport. */
export const tripCard = (
  { checkout, placedAt }: PlacedOrder,
  { name }: AgentName,
  cityOf: (code: string) => string,
): Html => {
  const { orderId, line, total } = checkout;
  const { from, to, flightNumber, departureDate, departureTime, arrivalTime, arrivalDayOffset, passengers } = line;
  const arrival = `${arrivalTime}${arrivalDayOffset === 0 ? '' : ` (+${arrivalDayOffset})`}`;
  return html`<article class="trip" aria-labelledby="v-${orderId}">
    <h3 id="v-${orderId}">
      <a href="${pathTo({ kind: 'order', id: orderId })}"
        >${cityOf(from)} <span aria-hidden="true">→</span><span class="visually-hidden">para</span> ${cityOf(to)}</a
      >
    </h3>
    <p class="trip-price">${moneyText(total)}</p>
    <p class="trip-when">
      ${departureDate !== null && `${departureDate.split('-').reverse().join('/')}, `}${departureTime}–${arrival}
    </p>
    <p class="small">Voo ${flightNumber} · ${passengers === 1 ? '1 passageiro' : `${passengers} passageiros`}</p>
    <p class="small">${name} · comprado em ${timeOf(placedAt)}</p>
  </article>`;
};
