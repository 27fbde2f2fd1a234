import { hashOf } from '#identity';
import { type Money, money } from '#kernel';
import { type Committed, type GrantedMandate, isOrderedOut, type Pause, remainingOf, reservedOf } from '#mandate';
import type { ListPage } from '#read-models';
import { html, type Html, moneyText } from '#site';
import { LIMITS } from '../layout/account-page.js';
import { gauge, legendItem } from '../mandates/gauge.js';

export interface Available {
  readonly pause: Pause;
  readonly committed: Committed;
  /** The newest mandates that may be charged, or will be once they are resumed. */
  readonly open: ListPage<GrantedMandate>;
}

/** What agents may still spend, as one number, and one bar of all open mandates in reais; no bar where there are more than are known. */
export const availablePart = (content: Available): Html => {
  const shown = numberAndBar(content);
  return html`<div id="disponivel" data-live="${hashOf(shown.text)}">${shown}</div>`;
};

const numberAndBar = ({ pause, committed, open: { items, count } }: Available): Html => {
  const { available, isExact } = committed;
  const sum = `${isExact ? '' : 'mais de '}${amountsText(available)}`;
  const words = pause.phase === 'paused' ? 'disponíveis quando você retomar tudo' : 'disponíveis para os seus agentes';
  return html`<p class="available"><strong>${sum}</strong> ${words}</p>
    ${
      count === 0
        ? html`<p class="small">Nenhum mandato está aberto: nada pode ser cobrado agora.</p>`
        : html`${items.length === count && bar(items)}
            <p class="more">
              <a href="${LIMITS.path}">${count === 1 ? 'Em um mandato aberto' : `Em ${count} mandatos abertos`}</a>
            </p>`
    }`;
};

const bar = (mandates: readonly GrantedMandate[]): Html | false => {
  const inReais = mandates.filter(({ limit }) => limit.currency === 'BRL');
  if (inReais.length === 0) return false;
  const sumOf = (amountOf: (mandate: GrantedMandate) => number): number =>
    inReais.reduce((sum, mandate) => sum + amountOf(mandate), 0);
  const charged = sumOf(({ consumed }) => consumed);
  const reserved = sumOf((mandate) => reservedOf(mandate).amount);
  const rest = sumOf((mandate) => (isOrderedOut(mandate) ? 0 : remainingOf(mandate).amount));
  return html`${gauge(charged + reserved + rest, charged, reserved)}
    <ul class="legend" role="list">
      ${legendItem('consumed', 'Gasto', money(charged, 'BRL'))}
      ${legendItem('reserved', 'Separado', money(reserved, 'BRL'))}
      ${legendItem('rest', 'Disponível', money(rest, 'BRL'))}
    </ul>`;
};

/** Amounts of several currencies beside each other; none at all is nothing in reais. */
export const amountsText = (amounts: readonly Money[]): string =>
  (amounts.length === 0 ? [money(0, 'BRL')] : amounts).map(moneyText).join(' + ');
