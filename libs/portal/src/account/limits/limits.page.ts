import { money } from '#kernel';
import { type AgentListItem, capOf, type GrantedMandate, type Spending } from '#mandate';
import type { ListPage } from '#read-models';
import { type Html, html, nextLink, type Page } from '#site';
import { part } from '../../page-parts.js';
import { ACCOUNT, accountPage, LIMITS, MANDATES, type Viewer } from '../layout/account-page.js';
import { mandateRows, type Named } from '../mandates/mandate-rows.js';
import { MANDATE_IS } from '../mandates/standing.js';
import { type AgentChange, agentLimit, type CapEntry } from './agent-limit.js';

export interface Limits extends Viewer, Named {
  readonly agents: ListPage<AgentListItem>;
  /** What each of them has spent and may still spend, by client. */
  readonly spendings: ReadonlyMap<string, Spending>;
  /** How many wait for the traveller's decision. */
  readonly waiting: number;
  /** The newest of those that may be charged, or will be once they are resumed. */
  readonly open: ListPage<GrantedMandate>;
  readonly ended: ListPage<GrantedMandate>;
  /** Whether older ended ones were asked for. */
  readonly isOlder: boolean;
  /** What was written as a cap and is none. */
  readonly unreadable: CapEntry | null;
  /** What was just done to an agent; null: nothing. */
  readonly change: AgentChange | null;
}

/** "Limites": what each agent may spend in all, and the mandates, the open ones first. */
export const limitsPage = (limits: Limits): Page => {
  const { agents, isOlder, unreadable, session, urls } = limits;
  const present = agents.items.filter(({ revokedAt }) => revokedAt === null);
  return accountPage({
    status: unreadable ? 422 : 200,
    title: unreadable ? 'Limite inválido' : LIMITS.name,
    session,
    urls,
    isBroad: true,
    tab: LIMITS,
    content: html`<h1>${LIMITS.name}</h1>
      <p class="lead">
        ${
          present.length > 0
            ? 'O limite vale para tudo o que um agente gasta; o teto, para um mandato só.'
            : html`Nenhum agente age em seu nome agora. Veja <a href="/docs/agents">como conectar um agente</a>.`
        }
      </p>
      ${
        !isOlder &&
        present.length > 0 &&
        part('por-agente', 'Limite de cada agente', html`${present.map((agent, n) => card(agent, n, limits))}`)
      }
      ${!isOlder && nextLink(LIMITS.path, agents.nextCursor, 'Ver mais agentes', 'agentes')} ${mandatesPart(limits)}`,
  });
};

const card = (agent: AgentListItem, n: number, { spendings, nameOf, session, unreadable, change }: Limits): Html => {
  const { clientId, delegation } = agent;
  const nothing = money(0, 'BRL');
  const cap = {
    use: capOf(delegation),
    spending: spendings.get(clientId) ?? { spent: nothing, committed: nothing },
    wrong: unreadable?.clientId === clientId ? unreadable.entry : null,
    fieldId: `limite-${n + 1}`,
  };
  const changed = change?.clientId === clientId ? change.what : null;
  return agentLimit({ agent, name: nameOf(clientId), cap, session, changed });
};

const mandatesPart = ({ waiting, open, ended, isOlder, ...named }: Limits): Html | false => {
  if (waiting + open.count + ended.count === 0) return false;
  return part(
    'mandatos',
    `Mandatos abertos (${countText(open)})`,
    html`${MANDATE_IS}
    ${
      !isOlder &&
      (open.count === 0 ? html`<p class="lead">Nenhum mandato aberto agora.</p>` : mandateRows(open.items, named))
    }
    ${
      !isOlder &&
      open.count > open.items.length &&
      html`<p class="more">
        Estes são os ${open.items.length} mais novos. <a href="${MANDATES.path}">Ver todos os mandatos</a>
      </p>`
    }
    ${
      !isOlder &&
      waiting > 0 &&
      html`<p class="more">
        <a href="${ACCOUNT.path}#desafios"
          >${waiting === 1 ? 'Um pedido de mandato aguarda' : `${waiting} pedidos de mandato aguardam`} sua decisão</a
        >
      </p>`
    }
    ${
      ended.count > 0 &&
      html`<details class="ended" ${isOlder && html`open`}>
        <summary>Encerrados (${countText(ended)})</summary>
        ${mandateRows(ended.items, named)} ${nextLink(LIMITS.path, ended.nextCursor, 'Ver encerrados mais antigos')}
      </details>`
    }
    ${isOlder && html`<p class="more"><a href="${LIMITS.path}">Voltar aos abertos</a></p>`}`,
  );
};

const countText = ({ count, countIsExact }: ListPage<unknown>): string =>
  `${countIsExact === false ? 'mais de ' : ''}${count.toLocaleString('pt-BR')}`;
