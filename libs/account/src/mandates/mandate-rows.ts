import { type GrantedMandate, statusOf } from '#mandate';
import type { Instant } from '#kernel';
import { html, type Html, moneyText } from '#site';
import type { AgentName } from '../layout/agent-names.js';
import { timeOf } from '../layout/facts.js';
import { pathTo } from '../layout/return-targets.js';
import { mandateMark } from './mandate-words.js';

/** Mandates as a list that leads to their statements. */
export const mandateRows = (
  mandates: readonly GrantedMandate[],
  nameOf: (clientId: string) => AgentName,
  now: Instant,
): Html =>
  html`<ul class="rows" role="list">
    ${mandates.map((mandate) => row(mandate, nameOf(mandate.clientId), now))}
  </ul>`;

const row = (mandate: GrantedMandate, { name }: AgentName, now: Instant): Html => {
  const { mandateId, limit, consumed, startsAt } = mandate;
  const spent = moneyText({ amount: consumed, currency: limit.currency });
  return html`<li>
    <p class="row-head">
      <a href="${pathTo({ kind: 'mandate', id: mandateId })}">Teto de ${moneyText(limit)}</a>
      ${mandateMark(statusOf(mandate, now))}
    </p>
    <p class="small">${name} · cobrado ${spent} · desde ${timeOf(startsAt)}</p>
  </li>`;
};
