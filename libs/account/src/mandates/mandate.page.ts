import type { Integrity } from '#audit';
import type { BaseUrls } from '#http';
import { hiddenFields, type Session } from '#identity';
import type { Instant } from '#kernel';
import { type GrantedMandate, type HistoryPage, type MandateStatus, statusOf } from '#mandate';
import { constraintWords, SCOPE_WORDS } from '#oauth';
import { html, type Html, moneyText, type Page } from '#site';
import { historyPart } from '../history/history-part.js';
import { ACCOUNT, accountPage, fact, MANDATES, nextLink, timeOf } from '../layout/account-page.js';
import { type AgentName, pilotBadge } from '../layout/agent-names.js';
import { pathTo, type ReturnTarget } from '../layout/return-targets.js';
import { gaugeLegend, mandateGauge } from './mandate-gauge.js';
import { grantedWords, mandateMark } from './mandate-rows.js';
import { statementEntry } from './statement-line.js';

/** What the statement of a mandate shows. */
export interface MandateContent {
  readonly mandate: GrantedMandate;
  /** What happened to it, the newest first. */
  readonly history: HistoryPage;
  readonly integrity: Integrity;
  /** What the agent said it is for; null: nothing. */
  readonly purpose: string | null;
  readonly nameOf: (clientId: string) => AgentName;
  readonly session: Session;
  readonly now: Instant;
  readonly urls: BaseUrls;
}

/** The mandate's statement as what a login leads to. */
export const toMandate = (id: string): ReturnTarget => ({ kind: 'mandate', id });
/** The mandate's revocation as what a form is about and a login leads to. */
export const toMandateEnd = (id: string): ReturnTarget => ({ kind: 'mandate_end', id });

/** Its pause, and the end of one, as what a form is about. */
export const toMandatePause = (id: string): ReturnTarget => ({ kind: 'mandate_pause', id });
/** Lowering it as what a form is about and a login leads to. */
export const toMandateNarrow = (id: string): ReturnTarget => ({ kind: 'mandate_narrow', id });

/** "Mandato": its terms, what became of the money, and who did what when. */
export const mandatePage = (content: MandateContent): Page => {
  const { mandate, history, integrity, nameOf, session, now, urls } = content;
  const { mandateId, limit } = mandate;
  const status = statusOf(mandate, now);
  return accountPage({
    title: 'Mandato de pagamento',
    session,
    urls,
    isBroad: true,
    trail: [ACCOUNT, MANDATES],
    content: html`<h1>Mandato de pagamento</h1>
      <p class="sum">${moneyText(limit)} ${mandateMark(status)}</p>
      ${mandateGauge(mandate)} ${gaugeLegend(mandate, restTerm(status))}
      <dl class="facts">${facts(content)}</dl>
      ${
        status === 'pending' &&
        html`<p class="actions">
          <a class="button" href="${pathTo({ kind: 'mandate_approval', id: mandateId })}">Decidir</a>
        </p>`
      }
      ${
        isInForce(content) &&
        status !== 'pending' &&
        html`<form class="actions" method="post" action="${pausePath(mandateId, status)}">
          ${hiddenFields(session.id, toMandatePause(mandateId))}
          <button class="quiet" type="submit">${status === 'paused' ? 'Retomar' : 'Pausar'}</button>
          <a class="button quiet" href="${pathTo(toMandateNarrow(mandateId))}">Reduzir…</a>
          <a class="button quiet warn" href="${pathTo(toMandateEnd(mandateId))}">Revogar este mandato…</a>
        </form>`
      }
      <section class="part" aria-labelledby="extrato">
        <h2 id="extrato">Extrato</h2>
        <ol class="history" role="list">
          ${history.entries.map((entry) => statementEntry(entry, nameOf))}
        </ol>
        ${nextLink(pathTo(toMandate(mandateId)), history.nextCursor, 'Ver o que veio antes')}
      </section>
      ${historyPart(integrity, `${pathTo(toMandate(mandateId))}/historico.jsonl`)}`,
  });
};

/** Whether it may still be charged, or would be but for its ceiling or a pause. */
const isInForce = ({ mandate, now }: Pick<MandateContent, 'mandate' | 'now'>): boolean => {
  const status = statusOf(mandate, now);
  return status !== 'revoked' && status !== 'expired';
};

/** Where the button goes that pauses a mandate, or resumes one that is paused. */
const pausePath = (mandateId: string, status: MandateStatus): string =>
  `${pathTo(toMandate(mandateId))}/${status === 'paused' ? 'retomar' : 'pausar'}`;

const facts = ({ mandate, purpose, nameOf }: MandateContent): readonly Html[] => {
  const { mandateId, clientId, scope, startsAt, expiresAt, revokedAt } = mandate;
  const agent = nameOf(clientId);
  const conditions = constraintWords(mandate.constraints);
  return [
    fact('Agente', html`${agent.name} ${pilotBadge(agent)}`),
    ...(purpose === null
      ? []
      : [fact('Para quê', html`<q>${purpose}</q> <span class="small">como disse o agente</span>`)]),
    fact('Permite', listOf(scope.map((one) => SCOPE_WORDS[one].text))),
    ...(conditions.length === 0 ? [] : [fact('Condições', listOf(conditions))]),
    fact('Concedido', grantedWords(mandate)),
    fact('Vale de', timeOf(startsAt)),
    fact('Até', timeOf(expiresAt)),
    ...(revokedAt === null ? [] : [fact('Revogado em', timeOf(revokedAt))]),
    fact('Número', html`<code>${mandateId}</code>`),
  ];
};

/** What the rest of a ceiling is, as its status has it. */
const restTerm = (status: MandateStatus): string => {
  if (status === 'paused') return 'Disponível quando você retomar';
  return status === 'revoked' || status === 'expired' ? 'Não usado' : 'Disponível';
};

const listOf = (texts: readonly string[]): Html =>
  html`<ul class="scopes" role="list">
    ${texts.map((text) => html`<li>${text}</li>`)}
  </ul>`;
