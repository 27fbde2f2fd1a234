import type { FlightView, Route, RoutesOnSale } from '#catalog';
import { html, type Html } from '#site';
import { cheapestOf, priceText } from '../words.js';
import { pathOf } from './search-form.js';

/** Where one can go, and the way to all flights. */
export const someRoutes = ({ count, routes }: RoutesOnSale<FlightView>): Html =>
  html`<section class="within band" id="voos" aria-labelledby="voos-titulo">
    <div class="band-head">
      <h2 id="voos-titulo">Rotas com mais voos</h2>
      <p><a href="/voos">${count === 1 ? 'Ver o voo à venda' : `Ver os ${count} voos à venda`}</a></p>
    </div>
    <ul class="routes" role="list">
      ${routes.map(routeCard)}
    </ul>
  </section>`;

const routeCard = ({ from, to, count, cheapest }: Route<FlightView>): Html => {
  const fare = cheapestOf(cheapest);
  return html`<li>
    <a href="${pathOf({ from, to, sort: 'price' })}">
      <span class="journey"
        >${from} <span class="arrow" aria-hidden="true">→</span><span class="visually-hidden"> para </span> ${to}</span
      >
      <span class="small"
        >${count === 1 ? '1 voo' : `${count} voos`}${fare && html`, a partir de <strong class="whole">${priceText(fare, cheapest)}</strong>`}</span
      >
    </a>
  </li>`;
};
