import { type AgentListItem, capOf, type GrantedMandate, type Pause, type Spending } from '#mandate';
import { money } from '#kernel';
import type { PlacedOrder } from '#order';
import type { ListPage } from '#read-models';
import { type Html, html, nextLink, type Page, type Place } from '#site';
import { part } from '../../page-parts.js';
import { ACCOUNT, accountPage, MANDATES, ORDERS, type Viewer } from '../layout/account-page.js';
import { mandateRows } from '../mandates/mandate-rows.js';
import { tripCard } from '../orders/order-rows.js';
import { type AgentChange, agentCard, type CapEntry, revokedAgent } from './agent-card.js';
import { type FeedContent, feedPart } from './feed.js';
import { idleAgentsLink } from './idle-agents.js';
import { type News, newsPart } from './news-part.js';
import { pauseAllPart } from './pause-all.js';
import { openBar, type Summary, summaryPart } from './summary.js';

export interface Overview extends Viewer, News, Pick<FeedContent, 'histories'> {
  readonly summary: Omit<Summary, 'agents'>;
  readonly pause: Pause;
  readonly agents: ListPage<AgentListItem>;
  /** How many of them never had a mandate, and are not new. */
  readonly idle: number;
  /** What each of them has spent and may still spend, by client. */
  readonly spendings: ReadonlyMap<string, Spending>;
  /** The newest of those that may be charged, or will be once they are resumed. */
  readonly open: ListPage<GrantedMandate>;
  /** All of them, whatever became of them. */
  readonly mandates: ListPage<unknown>;
  /** The city of an airport; its code where nobody knows the city. */
  readonly cityOf: (code: string) => string;
  /** What was just done to an agent; null: nothing. */
  readonly done: AgentChange | null;
  readonly trips: readonly PlacedOrder[];
  /** All orders, whatever came of them. */
  readonly orders: ListPage<PlacedOrder>;
  /** What was written as a cap and is none. */
  readonly unreadable: CapEntry | null;
}

/** "Sua conta": what was spent and may be, what waits for the traveller, what was bought, and whom they let in how far. */
export const overviewPage = (overview: Overview): Page => {
  const { summary, payments, asked, agents, open, mandates, nameOf, done, session, now, urls, unreadable } = overview;
  const present = agents.items.filter(({ revokedAt }) => revokedAt === null);
  const revoked = agents.items.filter(({ revokedAt }) => revokedAt !== null);
  const isNew = agents.count === 0;
  const isRest = agents.nextCursor !== null;
  return accountPage({
    status: unreadable ? 422 : 200,
    title: unreadable ? 'Limite inválido' : ACCOUNT.name,
    session,
    urls,
    isBroad: true,
    isLive: !isNew || payments.length + asked.length > 0,
    content: html`<h1>${ACCOUNT.name}</h1>
      ${pauseAllPart({ ...overview, agents: agents.items })}
      ${
        isNew
          ? FIRST_STEPS
          : html`${openBar(open)}${summaryPart({ ...summary, agents: { names: present.map(({ clientId }) => nameOf(clientId).name), isRest } })}`
      }
      ${newsPart(overview)} ${!isNew && feedPart(overview)} ${!isNew && tripsPart(overview)}
      ${
        !isNew &&
        part(
          'agentes',
          'Agentes autorizados',
          present.length === 0
            ? NO_AGENTS
            : html`${present.map((agent, n) => card(agent, n, overview))} ${idleAgentsLink(overview.idle)}`,
        )
      }
      ${
        revoked.length > 0 &&
        part(
          'revogados',
          'Agentes revogados',
          html`<ul class="rows" role="list">
            ${revoked.map((agent) =>
              revokedAgent(
                agent,
                nameOf(agent.clientId),
                done?.what === 'revogado' && done.clientId === agent.clientId,
              ),
            )}
          </ul>`,
        )
      }
      ${nextLink(ACCOUNT.path, agents.nextCursor, 'Ver mais agentes')}
      ${
        mandates.count > 0 &&
        part(
          'mandatos',
          open.count === 0 ? MANDATES.name : `Mandatos abertos (${countText(open)})`,
          html`${open.count === 0 ? html`<p class="lead">Nenhum mandato aberto agora.</p>` : mandateRows(open.items, nameOf, now)}
          ${open.count > open.items.length && html`<p>Estes são os ${open.items.length} mais novos.</p>`}
          ${allLink(MANDATES, mandates)}`,
        )
      }`,
  });
};

/** What somebody can do first whom no agent has asked yet. */
const FIRST_STEPS = html`<p class="lead">
    Nenhum agente age em seu nome ainda. Quando um comprar para você, as viagens, os gastos e os limites aparecem aqui.
  </p>
  <ol class="steps-ahead">
    <li><strong>Conecte um agente.</strong> O guia mostra como, para os assistentes mais usados.</li>
    <li><strong>Decida o limite.</strong> O agente pede acesso, e você diz quanto ele pode gastar e até quando.</li>
    <li><strong>Acompanhe aqui.</strong> Você vê cada compra e pode pausar, reduzir ou revogar quando quiser.</li>
  </ol>
  <p class="actions">
    <a class="button" href="/docs/agents">Conectar um agente</a>
    <a class="button quiet" href="/oauth/playground">Experimentar no playground</a>
  </p>`;

const NO_AGENTS = html`<p class="lead">
  Nenhum agente age em seu nome agora. Quando um pedir acesso, é você quem decide, na página de autorização. Veja
  <a href="/docs/agents">como conectar um agente</a>.
</p>`;

/** Of orders that were all cancelled, failed or are not paid yet. */
const NO_TRIPS = 'Nenhuma viagem: nenhum pedido está pago.';

/** What was bought, each trip as a card, and the way to the orders that came to nothing. */
const tripsPart = ({ trips, orders, nameOf, cityOf }: Overview): Html =>
  part(
    'viagens',
    'Viagens',
    html`${
      trips.length === 0
        ? html`<p class="lead">${orders.count === 0 ? 'Nenhuma viagem comprada ainda.' : NO_TRIPS}</p>`
        : html`<div class="trips">
            ${trips.map((order) => tripCard(order, nameOf(order.checkout.clientId), cityOf))}
          </div>`
    }
    ${orders.count > 0 && allLink(ORDERS, orders)}`,
  );

const card = (agent: AgentListItem, n: number, overview: Overview): Html => {
  const { agents, spendings, nameOf, session, unreadable, done } = overview;
  const { clientId, delegation } = agent;
  const wrong = unreadable?.clientId === clientId ? unreadable.entry : null;
  const nothing = money(0, 'BRL');
  const spending = spendings.get(clientId) ?? { spent: nothing, committed: nothing };
  const cap = { use: capOf(delegation), spending, wrong, fieldId: `limite-${n + 1}` };
  const changed = done?.clientId === clientId ? done.what : null;
  const name = nameOf(clientId);
  const isNamesake = agents.items.some((one) => one.clientId !== clientId && nameOf(one.clientId).name === name.name);
  return agentCard({ agent, name, isNamesake, cap, session, changed });
};

const allLink = ({ path, name }: Place, list: ListPage<unknown>): Html =>
  html`<p class="more"><a href="${path}">Ver todos os ${name.toLowerCase()} (${countText(list)})</a></p>`;

const countText = ({ count, countIsExact }: ListPage<unknown>): string =>
  `${countIsExact === false ? 'mais de ' : ''}${count.toLocaleString('pt-BR')}`;
