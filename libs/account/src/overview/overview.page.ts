import { type AgentListItem, capOf } from '#delegation';
import type { BaseUrls } from '#http';
import type { Session } from '#identity';
import { type Instant, money } from '#kernel';
import type { GrantedMandate, Spending } from '#mandate';
import type { ChallengeDetails, PlacedOrder } from '#order';
import type { ListPage } from '#read-models';
import { html, type Html, moneyText, type Page } from '#site';
import { timeLeft, toChallenge } from '../challenge/challenge.page.js';
import { ACCOUNT, accountPage, MANDATES, nextLink, ORDERS, type Place } from '../layout/account-page.js';
import type { AgentName } from '../layout/agent-names.js';
import { pathTo } from '../layout/return-targets.js';
import { mandateRows } from '../mandates/mandate-rows.js';
import { orderRows } from '../orders/order-rows.js';
import { agentCard, type CapEntry, revokedAgent } from './agent-card.js';

/** What the first page of an account shows. */
export interface Overview {
  readonly challenges: readonly ChallengeDetails[];
  /** Mandates that agents asked for, and that wait. */
  readonly asked: readonly GrantedMandate[];
  readonly agents: ListPage<AgentListItem>;
  /** What each of them has spent and may still spend, by client. */
  readonly spendings: ReadonlyMap<string, Spending>;
  /** The newest ones. */
  readonly mandates: ListPage<GrantedMandate>;
  /** The newest ones. */
  readonly orders: ListPage<PlacedOrder>;
  readonly nameOf: (clientId: string) => AgentName;
  readonly session: Session;
  readonly now: Instant;
  readonly urls: BaseUrls;
  /** What was written as a cap and is none. */
  readonly unreadable: CapEntry | null;
}

/** "Sua conta": what waits for the traveller, whom they let in and how far, what was granted and bought. */
export const overviewPage = (overview: Overview): Page => {
  const { challenges, asked, agents, mandates, orders, nameOf, session, now, urls, unreadable } = overview;
  const present = agents.items.filter(({ revokedAt }) => revokedAt === null);
  const revoked = agents.items.filter(({ revokedAt }) => revokedAt !== null);
  return accountPage({
    status: unreadable ? 422 : 200,
    title: unreadable ? 'Limite inválido' : ACCOUNT.name,
    session,
    urls,
    isBroad: true,
    content: html`<h1>${ACCOUNT.name}</h1>
      ${
        challenges.length + asked.length > 0 &&
        part(
          'desafios',
          'Aguardando sua decisão',
          html`${challenges.length > 0 && challengeRows(challenges, nameOf, now)} ${askedRows(asked, nameOf, now)}`,
        )
      }
      ${part(
        'agentes',
        'Agentes autorizados',
        present.length === 0 ? NO_AGENTS : html`${present.map((agent, n) => card(agent, n, overview))}`,
      )}
      ${
        revoked.length > 0 &&
        part(
          'revogados',
          'Agentes revogados',
          html`<ul class="rows" role="list">
            ${revoked.map((agent) => revokedAgent(agent, nameOf(agent.clientId)))}
          </ul>`,
        )
      }
      ${nextLink(ACCOUNT.path, agents.nextCursor, 'Ver mais agentes')}
      ${recent('mandatos', MANDATES, mandates, mandateRows(mandates.items, nameOf, now), 'Nenhum mandato ainda.')}
      ${recent('pedidos', ORDERS, orders, orderRows(orders.items, nameOf), 'Nenhum pedido ainda.')}`,
  });
};

const NO_AGENTS = html`<p class="lead">
  Nenhum agente age em seu nome. Quando um pedir acesso, é você quem decide, na página de autorização.
</p>`;

const part = (id: string, heading: string, content: Html): Html =>
  html`<section class="part" aria-labelledby="${id}">
    <h2 id="${id}">${heading}</h2>
    ${content}
  </section>`;

const card = (agent: AgentListItem, n: number, { spendings, nameOf, session, unreadable }: Overview): Html => {
  const { clientId, delegation } = agent;
  const wrong = unreadable?.clientId === clientId ? unreadable.entry : null;
  const nothing = money(0, 'BRL');
  const spending = spendings.get(clientId) ?? { spent: nothing, committed: nothing };
  const cap = { use: capOf(delegation), spending, wrong, fieldId: `limite-${n + 1}` };
  return agentCard({ agent, name: nameOf(clientId), cap, session });
};

const recent = (
  id: string,
  place: Place,
  { count, countIsExact, items }: ListPage<unknown>,
  rows: Html,
  none: string,
): Html => {
  if (count === 0) return part(id, place.name, html`<p class="lead">${none}</p>`);
  const heading = count > items.length ? `${place.name} recentes` : place.name;
  const total = countIsExact === false ? `mais de ${count.toLocaleString('pt-BR')}` : String(count);
  const all = `Ver todos os ${place.name.toLowerCase()} (${total})`;
  return part(
    id,
    heading,
    html`${rows}
      <p class="more"><a href="${place.path}">${all}</a></p>`,
  );
};

/** Mandates that wait for the traveller, as a list that leads to each. */
const askedRows = (
  asked: readonly GrantedMandate[],
  nameOf: (clientId: string) => AgentName,
  now: Instant,
): Html | false =>
  asked.length > 0 &&
  html`<ul class="rows urgent" role="list">
    ${asked.map(({ mandateId, clientId, limit, expiresAt }) => {
      const { name } = nameOf(clientId);
      return html`<li>
        <p class="row-head">
          <a href="${pathTo({ kind: 'mandate_approval', id: mandateId })}">Revisar mandato de ${moneyText(limit)}</a>
          <span class="mark-warn">restam ${timeLeft(now, expiresAt)}</span>
        </p>
        <p class="small">${name} pede para gastar em seu nome</p>
      </li>`;
    })}
  </ul>`;

/** Payments that wait for the traveller, as a list that leads to each. */
const challengeRows = (
  challenges: readonly ChallengeDetails[],
  nameOf: (clientId: string) => AgentName,
  now: Instant,
): Html =>
  html`<ul class="rows urgent" role="list">
    ${challenges.map(({ orderId, clientId, line, total, expiresAt }) => {
      const { name } = nameOf(clientId);
      return html`<li>
        <p class="row-head">
          <a href="${pathTo(toChallenge(orderId))}">Revisar pagamento de ${moneyText(total)}</a>
          <span class="mark-warn">restam ${timeLeft(now, expiresAt)}</span>
        </p>
        <p class="small">${name} · ${line.description}</p>
      </li>`;
    })}
  </ul>`;
