import { type Money, money, sumOfEach } from '#kernel';
import { type Committed, type GrantedMandate, reservedOf } from '#mandate';
import type { SpentInMonth } from '#order';
import type { ListPage } from '#read-models';
import { html, type Html, moneyText, monthText } from '#site';
import { gauge, legendItem } from '../mandates/gauge.js';

export interface Summary {
  readonly month: SpentInMonth;
  readonly committed: Committed;
  /** The names of the agents that may act; `isRest`: of those on this page, and there are more. */
  readonly agents: { readonly names: readonly string[]; readonly isRest: boolean };
}

/** What was spent this month and what came back, what agents may still charge, and who they are. */
export const summaryPart = ({ month, committed, agents }: Summary): Html =>
  html`<dl class="totals">
    ${figure(`Gasto em ${monthText(month.at)}`, amountsText(month.spent), tripsText(month.orders))}
    ${
      month.refunded.length > 0 &&
      figure(`Devolvido em ${monthText(month.at)}`, amountsText(month.refunded), 'de compras canceladas')
    }
    ${figure('Comprometido', committedLink(committed), partsText(committed))}
    ${figure('Agentes ativos', `${agents.isRest ? 'mais de ' : ''}${agents.names.length}`, namesText(agents.names))}
  </dl>`;

/** What is charged, set aside and left of all open mandates in reais, as one bar; nothing where there are more than are known. */
export const openBar = ({ items, count }: ListPage<GrantedMandate>): Html | false => {
  const inReais = items.filter(({ limit }) => limit.currency === 'BRL');
  if (inReais.length === 0 || items.length < count) return false;
  const sumOf = (amountOf: (mandate: GrantedMandate) => number): number =>
    inReais.reduce((sum, mandate) => sum + amountOf(mandate), 0);
  const all = sumOf(({ limit }) => limit.amount);
  const charged = sumOf(({ consumed }) => consumed);
  const reserved = sumOf((mandate) => reservedOf(mandate).amount);
  return html`<p class="available">
      <strong>${moneyText(money(all - charged - reserved, 'BRL'))}</strong> disponíveis para os seus agentes
    </p>
    ${gauge(all, charged, reserved)}
    <ul class="legend" role="list">
      ${legendItem('consumed', 'Gasto', money(charged, 'BRL'))}
      ${legendItem('reserved', 'Separado', money(reserved, 'BRL'))}
      ${legendItem('rest', 'Disponível', money(all - charged - reserved, 'BRL'))}
    </ul>`;
};

const figure = (term: string, value: Html | string, note: string): Html =>
  html`<div>
    <dt>${term}</dt>
    <dd>${value} <span class="small">${note}</span></dd>
  </div>`;

const amountsText = (amounts: readonly Money[]): string =>
  (amounts.length === 0 ? [money(0, 'BRL')] : amounts).map(moneyText).join(' + ');

const tripsText = (orders: number): string => {
  if (orders === 0) return 'nenhuma compra';
  return orders === 1 ? 'em uma compra' : `em ${orders.toLocaleString('pt-BR')} compras`;
};

/** It leads to the mandates that it is the sum of. */
const committedLink = (committed: Committed): Html | string => {
  const text = committedText(committed);
  const isNothing = committed.reserved.length + committed.available.length === 0;
  return isNothing ? text : html`<a href="#mandatos">${text}</a>`;
};

const committedText = ({ reserved, available, isExact }: Committed): string =>
  `${isExact ? '' : 'mais de '}${amountsText(sumOfEach([...reserved, ...available]))}`;

const partsText = ({ reserved, available }: Committed): string => {
  if (reserved.length + available.length === 0) return 'nenhum mandato aberto';
  const where = 'em mandatos abertos';
  return reserved.length === 0 ? where : `${where}, com ${amountsText(reserved)} reservados para pedidos em andamento`;
};

/** Names said one by one; the rest are counted. */
const NAMED = 3;

const namesText = (names: readonly string[]): string => {
  if (names.length === 0) return 'ninguém age em seu nome';
  const more = names.length - NAMED;
  return `${names.slice(0, NAMED).join(', ')}${more > 0 ? ` e mais ${more}` : ''}`;
};
