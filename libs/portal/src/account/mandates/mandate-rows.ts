import { cityNamed } from '#catalog';
import type { Instant } from '#kernel';
import { type GrantedMandate, isOrderedOut, type MandateStatus, statusOf } from '#mandate';
import { constraintWords } from '#oauth';
import { html, type Html, moneyText } from '#site';
import { timeOf } from '../layout/account-page.js';
import type { AgentName } from '../layout/agent-names.js';
import { pathTo } from '../layout/return-targets.js';

/** What mandates are named by, beside their own terms. */
export interface Named {
  readonly nameOf: (clientId: string) => AgentName;
  /** What agents said that mandates are for, by the mandate's id. */
  readonly purposes: ReadonlyMap<string, string>;
  readonly now: Instant;
}

export const mandateRows = (mandates: readonly GrantedMandate[], { nameOf, purposes, now }: Named): Html =>
  html`<ul class="rows" role="list">
    ${mandates.map((mandate) => row(mandate, nameOf(mandate.clientId), purposes.get(mandate.mandateId) ?? null, now))}
  </ul>`;

const row = (mandate: GrantedMandate, { name }: AgentName, purpose: string | null, now: Instant): Html => {
  const { mandateId, limit, consumed, constraints, startsAt } = mandate;
  const spent = moneyText({ amount: consumed, currency: limit.currency });
  return html`<li>
    <p class="row-head">
      <a href="${pathTo({ kind: 'mandate', id: mandateId })}">${titleOf(mandate, purpose)}</a>
      ${mandateMark(mandate, now)}
    </p>
    <p class="small">
      Teto de ${moneyText(limit)} · ${name}${isByTraveller(mandate) && ' · permitido por você'} · gasto:
      ${spent}${constraintWords(constraints).map((one) => html` · ${one}`)} · desde ${timeOf(startsAt)}
    </p>
  </li>`;
};

/** What its agent says it is for; else which flights it allows. */
export const titleOf = ({ constraints: { from, to } }: GrantedMandate, purpose: string | null): string => {
  if (purpose !== null) return purpose;
  if (!from && !to) return 'Voos para qualquer destino';
  return ['Voos', from && `de ${namesOf(from)}`, to && `para ${namesOf(to)}`].filter(Boolean).join(' ');
};

const namesOf = (airports: readonly string[]): string =>
  new Intl.ListFormat('pt-BR', { type: 'disjunction' }).format(new Set(airports.map(cityNamed)));

/** Whether its traveller decided to open it; one that waits for them, or that they refused, was not granted by anybody. */
export const isByTraveller = ({ grantedBy, pending }: GrantedMandate): boolean => grantedBy === 'traveller' && !pending;

export const grantedWords = (mandate: GrantedMandate): string => {
  if (isByTraveller(mandate)) return 'por você';
  return mandate.pending ? 'ainda não: o agente pediu' : 'pelo agente, dentro do que você permite';
};

export const MANDATE_WORDS: Readonly<Record<MandateStatus, string>> = {
  valid: 'em vigor',
  pending: 'aguardando sua decisão',
  exhausted: 'esgotado',
  paused: 'em pausa',
  revoked: 'encerrado',
  expired: 'encerrado por prazo',
};

/** The status as a mark. What was only asked for has an end of its own: nothing was revoked, and nothing was in force. */
export const mandateMark = (mandate: GrantedMandate, now: Instant): Html => {
  const current = statusOf(mandate, now);
  const status = current === 'valid' && isOrderedOut(mandate) ? 'exhausted' : current;
  const word = mandate.pending ? ASKED_WORDS[status] : undefined;
  return html`<span class="${status === 'valid' ? 'mark-on' : 'mark-off'}">${word ?? MANDATE_WORDS[status]}</span>`;
};

/** How a request ends that its traveller did not grant; its statement says who ended it. */
const ASKED_WORDS: Readonly<Partial<Record<MandateStatus, string>>> = {
  revoked: 'não permitido',
  expired: 'sem resposta',
};
