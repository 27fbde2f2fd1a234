import type { BaseUrls } from '#http';
import type { Session } from '#identity';
import { type CapConsequences, capConsequences, capEntry, CONFIRMED } from '#oauth';
import { html, type Page } from '#site';
import { ACCOUNT, accountPage, questionForm } from '../layout/account-page.js';
import { type AgentName, pilotBadge } from '../layout/agent-names.js';
import { capPath, toAgentCap } from './agent-card.js';

/** What the page before a cap shows that ends open mandates. */
export interface AgentCap {
  readonly clientId: string;
  readonly name: AgentName;
  readonly consequences: CapConsequences;
  readonly session: Session;
  readonly urls: BaseUrls;
}

/** "Salvar este limite?": which mandates end, before it is saved (docs/consistency.md, rule 28). */
export const agentCapPage = ({ clientId, name, consequences, session, urls }: AgentCap): Page => {
  const title = 'Salvar este limite?';
  return accountPage({
    title,
    session,
    urls,
    trail: [ACCOUNT],
    content: html`<h1>${title}</h1>
      <p class="lead"><strong>${name.name}</strong> ${pilotBadge(name)}</p>
      ${capConsequences(consequences)}
      ${questionForm({
        session,
        to: toAgentCap(clientId),
        action: capPath(clientId),
        fields: html`<input type="hidden" name="cap" value="${capEntry(consequences.cap)}" /> ${CONFIRMED}`,
        does: 'Salvar limite',
        back: { path: ACCOUNT.path, text: 'Voltar sem salvar' },
      })}`,
  });
};
