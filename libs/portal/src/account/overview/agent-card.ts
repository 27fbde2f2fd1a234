import { type AgentListItem, type CapUse, type KnownDelegation, mustAsk, type Spending } from '#mandate';
import { hiddenFields, type Session } from '#identity';
import { capEntry, capField, type CapField, powersList } from '#oauth';
import { html, type Html, moneyText } from '#site';
import { timeOf } from '../layout/account-page.js';
import { type AgentName, pilotBadge } from '../layout/agent-names.js';
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

export interface AgentCard {
  readonly agent: AgentListItem;
  readonly name: AgentName;
  /** Whether another agent that is shown goes by the same name: then its id is shown too. */
  readonly isNamesake?: boolean;
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

export const toAgentCap = (clientId: string): ReturnTarget => ({ kind: 'agent_cap', id: clientId });
/** The agent's revocation as what a form is about and a login leads to. */
export const toAgentEnd = (clientId: string): ReturnTarget => ({ kind: 'agent_end', id: clientId });

/** Where an agent stands on the account's first page. */
export const anchorOf = (clientId: string): string => `agente-${encodeURIComponent(clientId)}`;
export const capPath = (clientId: string): string => `/conta/agentes/${encodeURIComponent(clientId)}/limite`;

export const modeWords = (delegation: KnownDelegation): string => {
  if (!mustAsk(delegation)) return 'Abre mandatos sozinho.';
  return delegation.asksFirst
    ? 'Pede a sua permissão para cada mandato.'
    : 'Pede a sua permissão para cada mandato enquanto não tem limite total: ninguém conferiu quem ele é.';
};

/** Who opens this agent's mandates, and a button for the other way. */
const modeForm = ({ clientId, delegation }: AgentListItem, session: Session): Html =>
  html`<form method="post" action="/conta/agentes/${encodeURIComponent(clientId)}/mandatos">
    ${hiddenFields(session.id, toAgentCap(clientId))}
    <p class="actions">
      <span>${modeWords(delegation)}</span>
      <button class="quiet" type="submit" name="mode" value="${delegation.asksFirst ? 'agent' : 'ask'}">
        ${delegation.asksFirst ? 'Deixar abrir sozinho' : 'Exigir minha permissão'}
      </button>
    </p>
  </form>`;

/** An agent with what it may do, the form of its cap, and the way to revoke it. */
export const agentCard = ({ agent, name, isNamesake = false, cap, session, changed }: AgentCard): Html => {
  const { clientId, scopes, authorizedAt } = agent;
  const { use, spending, wrong, fieldId } = cap;
  const entry = wrong ?? capEntry(use?.limit ?? null);
  const field: CapField = { id: fieldId, entry, problem: wrong === null ? null : 'unreadable', spending };
  return html`<article class="card" id="${anchorOf(clientId)}" aria-labelledby="${fieldId}-agente">
    <h3 id="${fieldId}-agente"><span class="name">${name.name}</span> ${pilotBadge(name)}</h3>
    ${changed === 'limite' && doneText('Este é o limite dele agora.')}
    ${changed === 'mandatos' && doneText('É assim que ele abre mandatos agora.')}
    <p class="small">
      Autorizado em ${timeOf(authorizedAt)}. ${isNamesake && html`Identificação: <code>${clientId}</code>.`}
      <a href="${pathTo({ kind: 'agent', id: clientId })}"
        >O que recebeu e o que fez<span class="visually-hidden">: ${name.name}</span></a
      >
    </p>
    <p class="cap">${capText(use, spending)}</p>
    ${modeForm(agent, session)}
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
    <p class="actions">
      <a class="button quiet warn" href="${pathTo(toAgentEnd(clientId))}"
        >Revogar<span class="visually-hidden"> o agente ${name.name}</span>…</a
      >
    </p>
  </article>`;
};

const doneText = (now: string): Html => html`<p class="outcome" role="status">Pronto. ${now}</p>`;

export const capText = (use: CapUse | null, { spent, committed }: Spending): Html =>
  use === null
    ? html`<strong>Sem limite total.</strong> Cada mandato ainda tem o seu teto.`
    : html`<strong>Limite total de ${moneyText(use.limit)}</strong>: ${moneyText(spent)} gastos, ${moneyText(committed)}
        comprometidos, ${moneyText(use.available)} ainda livres.`;

/** An agent that was revoked: it may do nothing until a new consent. */
export const revokedAgent = (
  { clientId, revokedAt, delegation }: AgentListItem,
  name: AgentName,
  isChanged = false,
): Html =>
  html`<li id="${anchorOf(clientId)}">
    ${isChanged && doneText('Agente revogado: ele não age mais em seu nome.')}
    <p class="row-head"><span class="name">${name.name}</span> <span class="mark-off">revogado</span></p>
    <p class="small">
      ${revokedAt && html`Desde ${timeOf(revokedAt)}. `}Só volta a agir se você autorizar de novo.
      <a href="${pathTo({ kind: 'agent', id: clientId })}">O que recebeu e o que fez</a>
      ${
        delegation.ending.length > 0 &&
        html`<a href="${pathTo(toAgentEnd(clientId))}">Há mandatos que ainda terminam de ser revogados.</a>`
      }
    </p>
  </li>`;
