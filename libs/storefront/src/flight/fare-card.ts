import type { FlightView } from '#catalog';
import { html, type Html } from '#site';
import { baggageText, cheapestOf, dayText, priceText } from '../words.js';

/** One fare of a flight, for one passenger. `code` is what agents book by. */
export const fareCard = (fare: FlightView['prices'][number], flight: FlightView): Html => {
  const { code, name, arrivalTime, arrivalDayOffset, arrivesSameDay, baggage, hasCheckedBag } = fare;
  const isCheapest = flight.prices.length > 1 && cheapestOf(flight)?.code === code;
  return html`<li class="fare">
    <h3>${name}${isCheapest && html` <span class="mark-on">menor preço</span>`}</h3>
    <p class="amount">
      <strong class="whole">${priceText(fare, flight)}</strong> <span class="small">por passageiro</span>
    </p>
    <ul class="traits" role="list">
      <li class="${arrivesSameDay ? 'has' : 'lacks'}">
        Chega às <time datetime="${arrivalTime}">${arrivalTime}</time>, ${dayText(arrivalDayOffset)}
      </li>
      <li class="${hasCheckedBag ? 'has' : 'lacks'}">${baggageText(baggage)}</li>
    </ul>
    <p class="small">Código da tarifa: <code>${code}</code></p>
  </li>`;
};
