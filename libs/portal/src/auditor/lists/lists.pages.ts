import { type AgentListItem, type GrantedMandate, type MandatesAt, statusOf } from '#mandate';
import type { Instant } from '#kernel';
import type { PlacedOrder } from '#order';
import type { ListPage } from '#read-models';
import { fact, type Html, html, moneyText, nextLink, type Page } from '#site';
import { ORDER_WORDS, part } from '../../page-parts.js';
import { type Audience, auditorPage, linkTo, timeOf } from '../layout/auditor-page.js';
import { pathTo } from '../layout/return-targets.js';
import { STATUS_WORDS } from '../replay/step-words.js';

/** Rows that lead somewhere, or a sentence where there are none. */
export const rows = (items: readonly Html[], none: string): Html =>
  items.length === 0
    ? html`<p class="lead">${none}</p>`
    : html`<ul class="rows" role="list">
        ${items.map((item) => html`<li>${item}</li>`)}
      </ul>`;

const mandateRow = (mandate: GrantedMandate, now: Instant): Html => {
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

const orderRow = ({ kind, checkout, placedAt }: PlacedOrder): Html =>
  html`<p class="row-head">
      <a href="${pathTo({ kind: 'order', id: checkout.orderId })}">Pedido de ${moneyText(checkout.total)}</a>
      <span class="${kind === 'paid' ? 'mark-on' : 'mark-off'}">${ORDER_WORDS[kind]}</span>
    </p>
    <p class="small">${checkout.clientId} · ${timeOf(placedAt)}<br /><code>${checkout.orderId}</code></p>`;

/** What one traveller lets one agent do; `text` names the other of the two. Leads to the mandates of both. */
const delegationRow = (
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

interface TravellerContent extends Audience {
  readonly holder: string;
  readonly agents: ListPage<AgentListItem>;
  readonly mandates: MandatesAt;
  readonly orders: ListPage<PlacedOrder>;
}

/** A traveller, by their id alone: who they are is not the auditors' business. */
export const travellerPage = ({ holder, agents, mandates, orders, ...audience }: TravellerContent): Page => {
  const path = pathTo({ kind: 'traveller', id: holder });
  return auditorPage({
    ...audience,
    title: 'Viajante',
    content: html`<h1>Viajante</h1>
      <dl class="facts">${fact('Número', html`<code>${holder}</code>`)}</dl>
      ${part(
        'mandatos',
        `Mandatos (${mandates.count})`,
        html`${rows(
          mandates.items.map((one) => mandateRow(one, mandates.at)),
          'Nenhum mandato.',
        )}
        ${nextLink(path, mandates.nextCursor, 'Ver mandatos mais antigos', 'mandatos')}`,
      )}
      ${part(
        'pedidos',
        `Pedidos (${orders.count})`,
        html`${rows(orders.items.map(orderRow), 'Nenhum pedido.')}
        ${nextLink(path, orders.nextCursor, 'Ver pedidos mais antigos', 'pedidos')}`,
      )}
      ${part(
        'agentes',
        `Agentes (${agents.count})`,
        html`${rows(
          agents.items.map((one) => delegationRow(one, one.clientId)),
          'Nenhum agente.',
        )}
        ${nextLink(path, agents.nextCursor, 'Ver mais agentes', 'agentes')}`,
      )}`,
  });
};

interface AgentContent extends Audience {
  readonly clientId: string;
  /** What it is called; null: it is not registered any more. */
  readonly name: string | null;
  readonly travellers: ListPage<AgentListItem>;
}

/** An agent, and the travellers who ever let it in. */
export const agentPage = ({ clientId, name, travellers, ...audience }: AgentContent): Page =>
  auditorPage({
    ...audience,
    title: 'Agente',
    content: html`<h1>Agente</h1>
      <dl class="facts">
        ${[fact('Identificador', html`<code>${clientId}</code>`), fact('Nome', name ?? 'não está mais registrado')]}
      </dl>
      ${part(
        'viajantes',
        `Viajantes que o autorizaram (${travellers.count})`,
        html`${rows(
          travellers.items.map((one) => delegationRow(one, `Mandatos do viajante ${one.holder}`)),
          'Nenhum viajante.',
        )}
        ${nextLink(pathTo({ kind: 'agent', id: clientId }), travellers.nextCursor, 'Ver mais viajantes', 'viajantes')}`,
      )}`,
  });

interface PartyContent extends Audience {
  readonly holder: string;
  readonly clientId: string;
  readonly name: string | null;
  readonly mandates: readonly GrantedMandate[];
  readonly nextCursor: string | null;
  readonly now: Instant;
}

export const partyPage = ({ holder, clientId, name, mandates, nextCursor, now, ...audience }: PartyContent): Page =>
  auditorPage({
    ...audience,
    title: 'Agente de um viajante',
    content: html`<h1>Mandatos de um agente</h1>
      <dl class="facts">
        ${[
          fact('Agente', html`${name} ${linkTo({ kind: 'agent', id: clientId })}`),
          fact('Viajante', linkTo({ kind: 'traveller', id: holder })),
        ]}
      </dl>
      ${part(
        'mandatos',
        'Mandatos',
        html`${rows(
          mandates.map((one) => mandateRow(one, now)),
          'Nenhum mandato nesta página.',
        )}
        ${nextLink(
          `${pathTo({ kind: 'agent', id: clientId })}/viajantes/${encodeURIComponent(holder)}`,
          nextCursor,
          'Ver mandatos mais antigos',
          'mandatos',
        )}`,
      )}`,
  });
