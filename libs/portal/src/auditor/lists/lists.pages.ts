import type { AgentListItem, GrantedMandate, MandatesAt } from '#mandate';
import type { Instant } from '#kernel';
import type { PlacedOrder } from '#order';
import type { ListPage } from '#read-models';
import { fact, type Html, html, nextLink, type Page } from '#site';
import { type Audience, auditorPage, linkTo } from '../layout/auditor-page.js';
import { pathTo } from '../layout/return-targets.js';
import { delegationRow, mandateRow, orderRow, rows } from './rows.js';

const part = (id: string, heading: string, content: Html): Html =>
  html`<section class="part" aria-labelledby="${id}">
    <h2 id="${id}">${heading}</h2>
    ${content}
  </section>`;

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

/** What one traveller granted one agent. */
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
