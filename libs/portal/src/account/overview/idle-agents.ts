import { type Instant, plus } from '#kernel';
import type { AgentListItem } from '#mandate';
import { html, type Html, type Page } from '#site';
import { ACCOUNT, accountPage, AGENTS, questionForm, timeOf, type Viewer } from '../layout/account-page.js';
import { type AgentName, pilotBadge } from '../layout/agent-names.js';
import { pathTo, type ReturnTarget } from '../layout/return-targets.js';

/** Their removal as what a form is about and a login leads to. */
export const TO_IDLE: ReturnTarget = { kind: 'idle_agents', id: 'all' };

/** Agents that are looked at: a form has at most 50 fields. */
export const AT_ONCE = 40;

/** Who was let in after this may only not have come back yet. */
export const idleBefore = (now: Instant): Instant => plus(now, -86_400_000);

/** The way to remove those together that never had a mandate; nothing where there are fewer than two. */
export const idleAgentsLink = (count: number): Html | false =>
  count > 1 &&
  html`<p class="more"><a href="${pathTo(TO_IDLE)}">Remover agentes que nunca tiveram um mandato (${count})…</a></p>`;

export interface IdleAgents extends Pick<Viewer, 'session' | 'urls'> {
  readonly agents: readonly AgentListItem[];
  readonly nameOf: (clientId: string) => AgentName;
}

/** "Remover estes agentes?": who they are and what it does, before it is done. */
export const idleAgentsPage = ({ agents, nameOf, session, urls }: IdleAgents): Page => {
  const isNone = agents.length === 0;
  const title = isNone ? 'Nenhum agente sem uso' : 'Remover estes agentes?';
  return accountPage({
    title,
    session,
    urls,
    trail: [ACCOUNT, AGENTS],
    content: html`<h1>${title}</h1>
      ${
        isNone
          ? html`<p class="outcome none">
              Todos os seus agentes já tiveram um mandato, ou foram autorizados há menos de um dia.
            </p>`
          : html`<p class="lead">Você os autorizou há mais de um dia, e eles nunca tiveram um mandato.</p>
              <ul class="effects">
                <li>Os acessos que eles têm param de valer na hora.</li>
                <li>Nenhum mandato e nenhuma compra muda: eles não têm nenhum.</li>
                <li>Para um deles voltar, você precisa autorizar de novo.</li>
              </ul>
              ${questionForm({
                session,
                to: TO_IDLE,
                fields: html`<div class="options" role="group" aria-label="Agentes que são removidos">
                  ${agents.map((agent, n) => choice(agent, nameOf(agent.clientId), n + 1))}
                </div>`,
                does: 'Remover os marcados',
                back: { path: AGENTS.path, text: 'Voltar sem remover' },
              })}`
      }`,
  });
};

const choice = ({ clientId, authorizedAt }: AgentListItem, name: AgentName, n: number): Html =>
  html`<label>
    <input type="checkbox" name="agente-${n}" value="${clientId}" checked />
    <span>${name.name} ${pilotBadge(name)} <span class="small">autorizado em ${timeOf(authorizedAt)}</span></span>
  </label>`;

/** Those of these agents that a form of at most so many names. */
export const chosenIn = (
  agents: readonly AgentListItem[],
  entered: (field: string) => string | undefined,
): readonly string[] => {
  const named = new Set(Array.from({ length: AT_ONCE }, (_, place) => entered(`agente-${place + 1}`)));
  return agents.flatMap(({ clientId }) => (named.has(clientId) ? [clientId] : []));
};
