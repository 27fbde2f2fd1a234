import { type AgentListItem, type GrantedMandate, statusOf } from '#mandate';
import type { Instant } from '#kernel';
import type { PlacedOrder } from '#order';
import { html, type Html, moneyText } from '#site';
import { timeOf } from '../layout/auditor-page.js';
import { pathTo } from '../layout/return-targets.js';
import { STATUS_WORDS } from '../replay/step-words.js';

/** Rows that lead somewhere, or a sentence where there are none. */
export const rows = (items: readonly Html[], none: string): Html =>
  items.length === 0
    ? html`<p class="lead">${none}</p>`
    : html`<ul class="rows" role="list">
        ${items.map((item) => html`<li>${item}</li>`)}
      </ul>`;

/** A mandate, which leads to its replay. */
export const mandateRow = (mandate: GrantedMandate, now: Instant): Html => {
  const { mandateId, clientId, limit, consumed, startsAt } = mandate;
  const status = statusOf(mandate, now);
  const word = status === 'pending' ? STATUS_WORDS.requested : STATUS_WORDS[status];
  return html`<p class="row-head">
      <a href="${pathTo({ kind: 'mandate', id: mandateId })}">Teto de ${moneyText(limit)}</a>
      <span class="${status === 'valid' ? 'mark-on' : 'mark-off'}">${word}</span>
    </p>
    <p class="small">
      ${clientId} · cobrado ${moneyText({ amount: consumed, currency: limit.currency })} · desde ${timeOf(startsAt)}
      <br /><code>${mandateId}</code>
    </p>`;
};

const ORDER_WORDS: Readonly<Record<PlacedOrder['kind'], string>> = {
  pending: 'em andamento',
  paid: 'pago',
  failed: 'não concluído',
};

/** An order, which leads to its page. */
export const orderRow = ({ kind, checkout, placedAt }: PlacedOrder): Html =>
  html`<p class="row-head">
      <a href="${pathTo({ kind: 'order', id: checkout.orderId })}">Pedido de ${moneyText(checkout.total)}</a>
      <span class="${kind === 'paid' ? 'mark-on' : 'mark-off'}">${ORDER_WORDS[kind]}</span>
    </p>
    <p class="small">${checkout.clientId} · ${timeOf(placedAt)}<br /><code>${checkout.orderId}</code></p>`;

/** What one traveller lets one agent do; `text` names the other of the two. Leads to the mandates of both. */
export const delegationRow = (
  { holder, clientId, authorizedAt, revokedAt, delegation }: AgentListItem,
  text: string,
): Html => {
  const open = Object.keys(delegation.openMandates).length;
  return html`<p class="row-head">
      <a href="${pathTo({ kind: 'agent', id: clientId })}/viajantes/${holder}">${text}</a>
      <span class="${revokedAt === null ? 'mark-on' : 'mark-off'}"
        >${revokedAt === null ? 'autorizado' : 'revogado'}</span
      >
    </p>
    <p class="small">
      ${open === 1 ? '1 mandato aberto' : `${open} mandatos abertos`} · desde ${timeOf(authorizedAt)}
      ${revokedAt !== null && html` · revogado em ${timeOf(revokedAt)}`}
    </p>`;
};
