import type { PlacedOrder } from '#order';
import { html, type Html, moneyText } from '#site';
import { timeOf } from '../layout/account-page.js';
import type { AgentName } from '../layout/agent-names.js';
import { pathTo } from '../layout/return-targets.js';

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

/** An order's status, in a word or two. */
const ORDER_WORDS: Readonly<Record<PlacedOrder['kind'], string>> = {
  pending: 'em andamento',
  paid: 'pago',
  failed: 'não concluído',
};

/** The status as a mark. */
const orderMark = ({ kind }: PlacedOrder): Html =>
  html`<span class="${kind === 'failed' ? 'mark-off' : 'mark-on'}">${ORDER_WORDS[kind]}</span>`;
