import type { PlacedOrder } from '#order';
import { html, type Html, moneyText } from '#site';
import type { AgentName } from '../layout/agent-names.js';
import { timeOf } from '../layout/facts.js';
import { pathTo } from '../layout/return-targets.js';
import { orderMark } from './order-words.js';

/** Orders as a list that leads to their receipts. */
export const orderRows = (orders: readonly PlacedOrder[], nameOf: (clientId: string) => AgentName): Html =>
  html`<ul class="rows" role="list">
    ${orders.map((order) => row(order, nameOf(order.checkout.clientId)))}
  </ul>`;

const row = (order: PlacedOrder, { name }: AgentName): Html => {
  const { orderId, line, total } = order.checkout;
  const what = `Voo ${line.flightNumber}, ${line.from}–${line.to}`;
  return html`<li>
    <p class="row-head"><a href="${pathTo({ kind: 'order', id: orderId })}">${what}</a> ${orderMark(order)}</p>
    <p class="small">${name} · ${moneyText(total)} · ${timeOf(order.placedAt)}</p>
  </li>`;
};
