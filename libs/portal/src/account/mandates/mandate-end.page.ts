import type { BaseUrls } from '#http';
import type { Session } from '#identity';
import type { Instant } from '#kernel';
import { type GrantedMandate, remainingOf, reservedOf, statusOf } from '#mandate';
import { html, moneyText, type Page } from '#site';
import { ACCOUNT, accountPage, MANDATES, questionForm } from '../layout/account-page.js';
import { type AgentName, pilotBadge } from '../layout/agent-names.js';
import { pathTo } from '../layout/return-targets.js';
import { MANDATE_WORDS } from './mandate-rows.js';
import { toMandate, toMandateEnd } from './mandate.page.js';

/** What the page before a mandate's revocation shows. */
export interface MandateEnd {
  readonly mandate: GrantedMandate;
  readonly agent: AgentName;
  readonly session: Session;
  readonly now: Instant;
  readonly urls: BaseUrls;
}

/** "Revogar este mandato?": what it does, before it is done. */
export const mandateEndPage = ({ mandate, agent, session, now, urls }: MandateEnd): Page => {
  const { mandateId, limit } = mandate;
  const status = statusOf(mandate, now);
  const isOver = status === 'revoked' || status === 'expired';
  const title = isOver ? `Mandato ${MANDATE_WORDS[status]}` : 'Revogar este mandato?';
  const reserved = reservedOf(mandate);
  return accountPage({
    title,
    session,
    urls,
    trail: [ACCOUNT, MANDATES],
    content: html`<h1>${title}</h1>
      <p class="lead">Teto de ${moneyText(limit)}, para <strong>${agent.name}</strong> ${pilotBadge(agent)}</p>
      ${
        isOver
          ? html`<p class="outcome none">
              Nada mais pode ser cobrado dele. <a href="${pathTo(toMandate(mandateId))}">Ver o extrato</a>
            </p>`
          : html`<ul class="effects">
                <li>
                  Nada mais pode ser cobrado dele: os ${moneyText(remainingOf(mandate))} disponíveis ficam livres.
                </li>
                ${
                  reserved.amount > 0 &&
                  html`<li>Os pedidos em andamento, de ${moneyText(reserved)}, param sem cobrança.</li>`
                }
                <li>O que já foi pago continua valendo.</li>
                <li>O agente continua autorizado, e pode pedir outro mandato.</li>
              </ul>
              ${questionForm({
                session,
                to: toMandateEnd(mandateId),
                does: 'Revogar mandato',
                back: { path: pathTo(toMandate(mandateId)), text: 'Voltar sem revogar' },
              })}`
      }`,
  });
};
