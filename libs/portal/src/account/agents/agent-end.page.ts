import type { KnownDelegation } from '#mandate';
import { html, type Html, type Page } from '#site';
import { type CapConsequences, capConsequences, capEntry, CONFIRMED } from '#oauth';
import { ACCOUNT, accountPage, AGENTS, LIMITS, questionForm, type Viewer } from '../layout/account-page.js';
import { type AgentName, pilotBadge } from '../layout/agent-names.js';
import { capPath, toAgentCap, toAgentEnd } from '../limits/agent-limit.js';

export interface AgentEnd extends Pick<Viewer, 'session' | 'urls'> {
  readonly clientId: string;
  readonly name: AgentName;
  readonly delegation: KnownDelegation;
}

/** "Revogar este agente?": what it does, before it is done. */
export const agentEndPage = ({ clientId, name, delegation, session, urls }: AgentEnd): Page => {
  const isOver = delegation.status === 'revoked' && delegation.ending.length === 0;
  const title = isOver ? 'Agente revogado' : 'Revogar este agente?';
  const open = delegation.status === 'revoked' ? delegation.ending.length : Object.keys(delegation.openMandates).length;
  return accountPage({
    title,
    session,
    urls,
    trail: [ACCOUNT, AGENTS],
    content: html`<h1>${title}</h1>
      <p class="lead"><strong>${name.name}</strong> ${pilotBadge(name)}</p>
      ${isOver ? OVER : consequences(open)}
      ${
        !isOver &&
        questionForm({
          session,
          to: toAgentEnd(clientId),
          does: 'Revogar agente',
          back: { path: AGENTS.path, text: 'Voltar sem revogar' },
        })
      }`,
  });
};

const OVER = html`<p class="outcome none">
  Ele não age mais em seu nome, e os mandatos dele foram revogados. Só volta se você autorizar de novo.
</p>`;

const consequences = (open: number): Html =>
  html`<ul class="effects">
    <li>Os acessos que ele tem param de valer na hora.</li>
    <li>${mandatesText(open)}</li>
    <li>Compras em andamento param sem cobrança. O que já foi pago continua valendo.</li>
    <li>O limite de gastos e o que já foi usado ficam guardados.</li>
    <li>Para ele voltar, você precisa autorizar de novo.</li>
  </ul>`;

const mandatesText = (open: number): string => {
  if (open === 0) return 'Ele não tem mandatos abertos.';
  return open === 1 ? 'O mandato aberto dele é revogado.' : `Os ${open} mandatos abertos dele são revogados.`;
};

/** What the page before a cap shows that ends open mandates. */
export interface AgentCap extends Pick<Viewer, 'session' | 'urls'> {
  readonly clientId: string;
  readonly name: AgentName;
  readonly consequences: CapConsequences;
}

/** "Salvar este limite?": which mandates end, before it is saved (docs/consistency.md, rule 28). */
export const agentCapPage = ({ clientId, name, consequences, session, urls }: AgentCap): Page => {
  const title = 'Salvar este limite?';
  return accountPage({
    title,
    session,
    urls,
    trail: [ACCOUNT, LIMITS],
    content: html`<h1>${title}</h1>
      <p class="lead"><strong>${name.name}</strong> ${pilotBadge(name)}</p>
      ${capConsequences(consequences)}
      ${questionForm({
        session,
        to: toAgentCap(clientId),
        action: capPath(clientId),
        fields: html`<input type="hidden" name="cap" value="${capEntry(consequences.cap)}" /> ${CONFIRMED}`,
        does: 'Salvar limite',
        back: { path: LIMITS.path, text: 'Voltar sem salvar' },
      })}`,
  });
};
