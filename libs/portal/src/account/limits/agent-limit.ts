import {
  type AgentListItem,
  type Agents,
  type CapUse,
  type KnownDelegation,
  type Mandates,
  mustAsk,
  type Spending,
} from '#mandate';
import { hiddenFields, NotFound, type Session } from '#identity';
import type { Instant, Party } from '#kernel';
import { capEntry, capField, type CapField, powersList } from '#oauth';
import { html, type Html, moneyText, type SeeOther } from '#site';
import { AGENTS, LIMITS, timeOf } from '../layout/account-page.js';
import { type AgentName, checkedMark } from '../layout/agent-names.js';
import { gauge } from '../mandates/gauge.js';
import { pathTo, type ReturnTarget } from '../layout/return-targets.js';

export interface CapEntry {
  readonly clientId: string;
  readonly entry: string;
}

/** What was just done to an agent. The page says how it stands since, so that a stranger's link shows nothing false. */
export interface AgentChange {
  readonly clientId: string;
  readonly what: 'limite' | 'mandatos' | 'revogado';
}

/** The change that an address names; null: none. */
export const changeIn = (what: unknown, clientId: unknown): AgentChange | null =>
  typeof clientId === 'string' && (what === 'limite' || what === 'mandatos' || what === 'revogado')
    ? { what, clientId }
    : null;

/** The page after a change to an agent, which stands in view there and says so. */
export const afterChange = ({ what, clientId }: AgentChange): SeeOther => {
  const { path } = what === 'revogado' ? AGENTS : LIMITS;
  return { location: `${path}?feito=${what}&agente=${encodeURIComponent(clientId)}#${anchorOf(clientId)}` };
};

export interface AgentLimit {
  readonly agent: AgentListItem;
  readonly name: AgentName;
  readonly cap: {
    /** The cap in force; null: there is none. */
    readonly use: CapUse | null;
    /** What counts against a cap in reais. */
    readonly spending: Spending;
    /** What was written and cannot be read; null: nothing. */
    readonly wrong: string | null;
    readonly fieldId: string;
  };
  readonly session: Session;
  /** What was just changed of it; null: nothing. */
  readonly changed: AgentChange['what'] | null;
}

/** What each of these has spent and may still spend, by client. */
export const spendingsOf = async (
  mandates: Mandates,
  agents: readonly AgentListItem[],
): Promise<ReadonlyMap<string, Spending>> => {
  const spendings = new Map<string, Spending>();
  for (const { clientId, delegation } of agents) spendings.set(clientId, await mandates.spending(delegation));
  return spendings;
};

/** The delegation of an agent that the traveller authorized at least once. @throws NotFound */
export const knownAgent = async (agents: Agents, { holder, clientId }: Party): Promise<KnownDelegation> => {
  const delegation = await agents.delegation(holder, clientId);
  if (delegation.status === 'unknown') throw new NotFound();
  return delegation;
};

export const toAgentCap = (clientId: string): ReturnTarget => ({ kind: 'agent_cap', id: clientId });
/** The agent's revocation as what a form is about and a login leads to. */
export const toAgentEnd = (clientId: string): ReturnTarget => ({ kind: 'agent_end', id: clientId });

/** Where an agent stands among the others. */
export const anchorOf = (clientId: string): string => `agente-${encodeURIComponent(clientId)}`;
export const capPath = (clientId: string): string => `/conta/agentes/${encodeURIComponent(clientId)}/limite`;

export const modeWords = (delegation: KnownDelegation): string => {
  if (!mustAsk(delegation)) return 'Decide sozinho: compra sem perguntar a você.';
  return delegation.asksFirst
    ? 'Pergunta a você antes de cada compra.'
    : 'Sem limite total, pergunta a você antes de cada compra: ninguém conferiu quem ele é.';
};

/** Who opens this agent's mandates, and a button for the other way. */
const modeForm = ({ clientId, delegation }: AgentListItem, session: Session): Html =>
  html`<form method="post" action="/conta/agentes/${encodeURIComponent(clientId)}/mandatos">
    ${hiddenFields(session.id, toAgentCap(clientId))}
    <p class="actions">
      <span>${modeWords(delegation)}</span>
      <button class="quiet" type="submit" name="mode" value="${delegation.asksFirst ? 'agent' : 'ask'}">
        ${
          delegation.asksFirst
            ? 'Deixar decidir sozinho'
            : `Exigir ${mustAsk(delegation) ? 'sempre a ' : ''}minha permissão`
        }
      </button>
    </p>
  </form>`;

/** What an agent may spend in all, what counts against that, who opens its mandates, and the forms that change both. */
export const agentLimit = ({ agent, name, cap, session, changed }: AgentLimit): Html => {
  const { clientId, scopes, authorizedAt } = agent;
  const { use, spending, wrong, fieldId } = cap;
  const entry = wrong ?? capEntry(use?.limit ?? null);
  const field: CapField = { id: fieldId, entry, problem: wrong === null ? null : 'unreadable', spending };
  return html`<article class="card" id="${anchorOf(clientId)}" aria-labelledby="${fieldId}-agente">
    <h3 id="${fieldId}-agente">
      <a class="name" href="${pathTo({ kind: 'agent', id: clientId })}">${name.title ?? name.name}</a>
      ${checkedMark(name)}
    </h3>
    <p class="small">${sinceText(name, authorizedAt)}</p>
    ${changed === 'limite' && doneText('Este é o limite dele agora.')}
    ${changed === 'mandatos' && doneText('É assim que ele compra agora.')}
    <p class="cap">${capText(use, spending)}</p>
    ${use && capBar(use, spending)} ${modeForm(agent, session)}
    <details ${wrong !== null && html`open`}>
      <summary>Alterar limite<span class="visually-hidden"> de ${name.name}</span></summary>
      <form method="post" action="${capPath(clientId)}">
        ${hiddenFields(session.id, toAgentCap(clientId))} ${capField(field)}
        <button class="quiet" type="submit">Salvar limite</button>
      </form>
    </details>
    <details>
      <summary>O que ele pode fazer</summary>
      ${powersList(scopes)}
    </details>
  </article>`;
};

/** What distinguishes agents of one name. */
export const sinceText = ({ hosts = [] }: AgentName, authorizedAt: Instant): Html =>
  html`${hosts.length > 0 && `${hosts.join(', ')} · `}desde ${timeOf(authorizedAt)}`;

/** What counts against a cap, as a bar. */
export const capBar = ({ limit }: CapUse, { spent, committed }: Spending): Html =>
  gauge(limit.amount, spent.amount, committed.amount);

export const doneText = (now: string): Html => html`<p class="outcome" role="status">Pronto. ${now}</p>`;

export const capText = (use: CapUse | null, { spent, committed }: Spending): Html =>
  use === null
    ? html`<strong>Sem limite total.</strong> Cada mandato ainda tem o seu teto.`
    : html`<strong>Limite total de ${moneyText(use.limit)}</strong>: ${moneyText(spent)} gastos, ${moneyText(committed)}
        comprometidos, ${moneyText(use.available)} disponíveis.`;
