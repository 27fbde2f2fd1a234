import type { FlightView } from '#catalog';
import { html, type Html } from '#site';
import { cheapestOf, priceText } from '../words.js';
import { pathOf } from './search-form.js';

/** Routes that the first page shows. */
const MOST = 6;

/** Some flights between two cities. */
interface Route {
  readonly from: string;
  readonly to: string;
  readonly count: number;
  /** The one with the lowest price. */
  readonly cheapest: FlightView;
}

/** The routes with the most flights, of flights that come by price. */
const routesOf = (flights: readonly FlightView[]): readonly Route[] => {
  const routes = new Map<string, Route>();
  for (const flight of flights) {
    const [from, to] = [flight.fromCity ?? flight.from, flight.toCity];
    const known = routes.get(`${from} → ${to}`);
    routes.set(
      `${from} → ${to}`,
      known ? { ...known, count: known.count + 1 } : { from, to, count: 1, cheapest: flight },
    );
  }
  return [...routes.values()].sort((one, other) => other.count - one.count).slice(0, MOST);
};

/** Where one can go, and the way to all flights. `flights`: by price; `count`: how many there are in all. */
export const someRoutes = (flights: readonly FlightView[], count: number): Html =>
  html`<section class="within band" id="voos" aria-labelledby="voos-titulo">
    <div class="band-head">
      <h2 id="voos-titulo">Rotas com mais voos</h2>
      <p><a href="/voos">${count === 1 ? 'Ver o voo à venda' : `Ver os ${count} voos à venda`}</a></p>
    </div>
    <ul class="routes" role="list">
      ${routesOf(flights).map(routeCard)}
    </ul>
  </section>`;

const routeCard = ({ from, to, count, cheapest }: Route): Html => {
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
