import { type Money, money, sumOfEach } from '#kernel';
import type { Committed } from '#mandate';
import type { SpentInMonth } from '#order';
import { html, type Html, moneyText, monthText } from '#site';

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
