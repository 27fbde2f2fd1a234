import type { PlacedOrder, SpentInMonth } from '#order';
import { html, type Html, monthText, nextLink, type Page } from '#site';
import { part } from '../../page-parts.js';
import { accountPage, TRIPS, type Viewer } from '../layout/account-page.js';
import type { AgentName } from '../layout/agent-names.js';
import { amountsText } from '../overview/available.js';
import { orderRows, tripCard } from './order-rows.js';

export interface Trips extends Viewer {
  /** Paid, and not over yet. */
  readonly coming: readonly PlacedOrder[];
  /** A page of all other orders, the newest first. */
  readonly others: readonly PlacedOrder[];
  readonly month: SpentInMonth;
  readonly isFirst: boolean;
  /** Of all orders. */
  readonly count: number;
  readonly nextCursor: string | null;
  readonly nameOf: (clientId: string) => AgentName;
}

/** Whether a trip that was paid leaves on this day or later; one without a date may. */
export const isToCome = ({ kind, checkout }: PlacedOrder, today: string): boolean =>
  kind === 'paid' && (checkout.line.departureDate ?? today) >= today;

/** "Viagens": those to come by the day of their flight, then what else was bought or was not. */
export const tripsPage = (trips: Trips): Page => {
  const { coming, others, month, isFirst, count, nextCursor, nameOf, session, urls } = trips;
  const of = (...kinds: readonly PlacedOrder['kind'][]) => others.filter(({ kind }) => kinds.includes(kind));
  const rows = (id: string, heading: string, orders: readonly PlacedOrder[]) =>
    orders.length > 0 && part(id, heading, orderRows(orders, nameOf));
  return accountPage({
    title: TRIPS.name,
    session,
    urls,
    isBroad: true,
    tab: TRIPS,
    content: html`<h1>${TRIPS.name}</h1>
      ${count === 0 ? NONE : isFirst && monthPart(month)} ${rows('em-andamento', 'Em andamento', of('pending'))}
      ${
        isFirst &&
        count > 0 &&
        part(
          'proximas',
          'Próximas viagens',
          coming.length === 0
            ? html`<p class="lead">Nenhuma viagem marcada.</p>`
            : html`<div class="trips">
                ${coming.toSorted(byDeparture).map((order) => tripCard(order, nameOf(order.checkout.clientId)))}
              </div>`,
        )
      }
      ${rows('passadas', 'Passadas e canceladas', of('paid', 'cancelled'))}
      ${rows('nao-concluidas', 'Compras não concluídas', of('failed'))}
      ${nextLink(TRIPS.path, nextCursor, 'Ver compras mais antigas')}`,
  });
};

const NONE = html`<p class="lead">
  Nenhuma viagem comprada ainda. Quando um agente comprar um voo para você, o bilhete e o recibo ficam aqui.
</p>`;

const byDeparture = (one: PlacedOrder, other: PlacedOrder): number => (departureOf(one) < departureOf(other) ? -1 : 1);

/** Without a date it comes last. */
const departureOf = ({ checkout: { line } }: PlacedOrder): string =>
  `${line.departureDate ?? '9999-12-31'} ${line.departureTime}`;

/** What was spent this month, and what came back of it or of before. */
const monthPart = ({ at, spent, orders, refunded }: SpentInMonth): Html =>
  html`<p class="lead">
    Gasto em ${monthText(at)}: <strong>${amountsText(spent)}</strong> ${purchasesText(orders)}.
    ${refunded.length > 0 && html`Devolvido: <strong>${amountsText(refunded)}</strong> de compras canceladas.`}
  </p>`;

const purchasesText = (orders: number): string => {
  if (orders === 0) return 'em nenhuma compra';
  return orders === 1 ? 'em uma compra' : `em ${orders.toLocaleString('pt-BR')} compras`;
};
