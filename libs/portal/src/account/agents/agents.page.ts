import { cityNamed } from '#catalog';
import { type AgentListItem, capOf, type GrantedMandate, type Spending } from '#mandate';
import type { PlacedOrder } from '#order';
import type { ListPage } from '#read-models';
import { html, type Html, moneyText, nextLink, type Page } from '#site';
import { part } from '../../page-parts.js';
import { accountPage, AGENTS, timeOf, type Viewer } from '../layout/account-page.js';
import { type AgentName, checkedMark } from '../layout/agent-names.js';
import { pathTo } from '../layout/return-targets.js';
import { type AgentChange, anchorOf, capBar, doneText, sinceText, toAgentEnd } from '../limits/agent-limit.js';
import { TO_WALLET } from '../wallet/wallet.page.js';
import { idleAgentsLink } from '../overview/idle-agents.js';

export interface AgentsContent extends Viewer {
  readonly agents: ListPage<AgentListItem>;
  /** The newest orders and mandates of all of them. */
  readonly orders: ListPage<PlacedOrder>;
  readonly mandates: readonly GrantedMandate[];
  readonly nameOf: (clientId: string) => AgentName;
  /** What each of them has spent and may still spend, by client. */
  readonly spendings: ReadonlyMap<string, Spending>;
  /** How many of them never had a mandate, and are not new. */
  readonly idle: number;
  /** Whether cards can be kept for mandates of AP2. */
  readonly hasWallet: boolean;
  /** Whether some were just removed together. */
  readonly isRemoved: boolean;
  /** What was just done to an agent; null: nothing. */
  readonly change: AgentChange | null;
}

/** "Agentes": who may act for the traveller, each with what distinguishes it, its last act, and how much of its limit is used. */
export const agentsPage = (content: AgentsContent): Page => {
  const { agents, nameOf, idle, hasWallet, isRemoved, change, session, urls } = content;
  const present = agents.items.filter(({ revokedAt }) => revokedAt === null);
  const revoked = agents.items.filter(({ revokedAt }) => revokedAt !== null);
  return accountPage({
    title: AGENTS.name,
    session,
    urls,
    isBroad: true,
    tab: AGENTS,
    content: html`<h1>${AGENTS.name}</h1>
      ${isRemoved && doneText('Só estes agentes podem agir em seu nome agora.')}
      ${
        present.length === 0
          ? NO_AGENTS
          : html`<ul class="rows agents" role="list">
              ${present.map((agent) => row(agent, content))}
            </ul>`
      }
      ${hasWallet && WALLET_LINK} ${idleAgentsLink(idle)}
      ${
        revoked.length > 0 &&
        part(
          'revogados',
          'Agentes revogados',
          html`<ul class="rows" role="list">
            ${revoked.map((agent) => revokedRow(agent, nameOf(agent.clientId), change?.clientId === agent.clientId))}
          </ul>`,
        )
      }
      ${nextLink(AGENTS.path, agents.nextCursor, 'Ver mais agentes')}`,
  });
};

const WALLET_LINK = html`<p class="more">
  <a href="${pathTo(TO_WALLET)}">Carteira: cartões e chaves para mandatos AP2</a>
</p>`;

const NO_AGENTS = html`<p class="lead">
  Nenhum agente age em seu nome agora. Quando um pedir acesso, é você quem decide, na página de autorização. Veja
  <a href="/docs/agents">como conectar um agente</a>.
</p>`;

const row = (agent: AgentListItem, content: AgentsContent): Html => {
  const { clientId, authorizedAt, delegation } = agent;
  const name = content.nameOf(clientId);
  const use = capOf(delegation);
  const spending = content.spendings.get(clientId);
  return html`<li id="${anchorOf(clientId)}">
    <div>
      <p class="row-head">
        <a class="name" href="${pathTo({ kind: 'agent', id: clientId })}">${name.title ?? name.name}</a>
        ${checkedMark(name)}
      </p>
      <p class="small">${sinceText(name, authorizedAt)}</p>
      <p class="small">${lastText(clientId, content)}</p>
    </div>
    <div>
      ${
        use && spending
          ? html`<p class="small">${moneyText(use.available)} disponíveis do limite de ${moneyText(use.limit)}</p>
              ${capBar(use, spending)}`
          : html`<p class="small">Sem limite total: cada mandato tem o seu teto.</p>`
      }
    </div>
  </li>`;
};

/** What an agent bought last, and what it did since, as far as that is among what was read. */
const lastText = (clientId: string, { orders, mandates }: AgentsContent): Html => {
  const own = orders.items.filter(({ checkout }) => checkout.clientId === clientId);
  const bought = own.find(({ kind }) => kind === 'paid' || kind === 'cancelled');
  const [tried] = own;
  const opened = mandates.find((mandate) => mandate.clientId === clientId);
  const purchase = bought
    ? html`Última compra: ${routeOf(bought)}, ${timeOf(bought.placedAt)}`
    : orders.nextCursor === null && 'Nenhuma compra ainda';
  const since = bought?.placedAt ?? '';
  const isTried = tried !== undefined && tried !== bought && tried.placedAt >= (opened?.startsAt ?? '');
  if (isTried) return html`${purchase} · tentou comprar ${routeOf(tried)} em ${timeOf(tried.placedAt)}`;
  if (!opened || opened.startsAt <= since) return html`${purchase}`;
  return html`${purchase}${purchase !== false && ' · '}${opened.pending ? 'pediu' : 'recebeu'} um mandato em
  ${timeOf(opened.startsAt)}`;
};

const routeOf = ({ checkout: { line } }: PlacedOrder): string => `${cityNamed(line.from)} → ${cityNamed(line.to)}`;

/** An agent that was revoked: it may do nothing until a new consent. */
export const revokedRow = (
  { clientId, revokedAt, delegation }: AgentListItem,
  name: AgentName,
  isChanged = false,
): Html =>
  html`<li id="${anchorOf(clientId)}">
    ${isChanged && doneText('Agente revogado: ele não age mais em seu nome.')}
    <p class="row-head">
      <a class="name" href="${pathTo({ kind: 'agent', id: clientId })}">${name.name}</a>
      <span class="mark-off">revogado</span>
    </p>
    <p class="small">
      ${revokedAt && html`Desde ${timeOf(revokedAt)}. `}Só volta a agir se você autorizar de novo.
      ${
        delegation.ending.length > 0 &&
        html`<a href="${pathTo(toAgentEnd(clientId))}">Há mandatos que ainda terminam de ser revogados.</a>`
      }
    </p>
  </li>`;
