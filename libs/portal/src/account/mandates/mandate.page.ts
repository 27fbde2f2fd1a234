import type { Integrity } from '#audit';
import { money } from '#kernel';
import { type GrantedMandate, type HistoryLine, type HistoryPage, isOrderedOut } from '#mandate';
import { constraintWords, SCOPE_WORDS } from '#oauth';
import { fact, type Html, html, moneyText, nextLink, type Page } from '#site';
import { part, termList } from '../../page-parts.js';
import { historyPart } from '../history/histories.js';
import { ACCOUNT, accountPage, MANDATES, timeOf, type Viewer } from '../layout/account-page.js';
import { pilotBadge } from '../layout/agent-names.js';
import { pathTo } from '../layout/return-targets.js';
import { mandateBar } from './gauge.js';
import { grantedWords, mandateMark, titleOf } from './mandate-rows.js';
import { actionsOf, headlineOf, MANDATE_IS, restName, sentenceOf, toMandate } from './standing.js';
import { type Actors, statementRows } from './statement-line.js';

export interface MandateContent extends Viewer {
  readonly mandate: GrantedMandate;
  /** What happened to it, the newest first. */
  readonly history: HistoryPage;
  /** Whether that begins with the last thing that happened. */
  readonly isNewest: boolean;
  readonly integrity: Integrity;
  /** What the agent said it is for; null: nothing. */
  readonly purpose: string | null;
  readonly actors: Actors;
  /** Whether its traveller has just done something here. */
  readonly isDone: boolean;
}

/** A mandate by its purpose: what is left of it and until when, what can be done, its statement; its terms and proofs are folded. */
export const mandatePage = (content: MandateContent): Page => {
  const { mandate, history, isNewest, integrity, purpose, actors, isDone, session, now, urls } = content;
  const { mandateId, clientId, pending } = mandate;
  const agent = actors.nameOf(clientId);
  const standing = { mandate, history, agent, now };
  const conditions = constraintWords(mandate.constraints);
  return accountPage({
    title: titleOf(mandate, purpose),
    session,
    urls,
    isBroad: true,
    trail: [ACCOUNT, MANDATES],
    content: html`<h1>${titleOf(mandate, purpose)}</h1>
      <p class="about small">
        ${mandateMark(mandate, now)} Mandato de
        ${agent.name}${agent.pilot && html` ${pilotBadge(agent)}`}${purpose !== null && ', que deu este título'}
      </p>
      ${isDone && !pending && doneText(history)} ${headlineOf(standing)}
      ${!pending && mandateBar(mandate, restName(mandate, now))}
      <p class="standing">${sentenceOf(standing)}</p>
      ${conditions.length > 0 && html`<p class="small standing">${conditions.join(' · ')}</p>`}
      ${actionsOf(standing, session)}
      ${part(
        'extrato',
        'Extrato',
        html`${statementRows(history, actors, { isGranted: !pending, isUsedUp: isNewest && isOrderedOut(mandate) })}
        ${nextLink(pathTo(toMandate(mandateId)), history.nextCursor, 'Ver o que veio antes')}`,
      )}
      ${!integrity.isIntact && BROKEN}
      <details class="part proofs">
        <summary>Detalhes e provas</summary>
        ${MANDATE_IS}
        <dl class="facts">${facts(content)}</dl>
        ${historyPart(integrity, { kind: 'mandato', id: mandateId, path: `${pathTo(toMandate(mandateId))}/historico.jsonl` })}
      </details>`,
  });
};

const BROKEN = html`<p class="alert">O histórico gravado deste mandato não confere: veja “Detalhes e provas”.</p>`;

/** What its traveller did last, in a word; nothing where somebody else did something since. */
const doneText = ({ entries }: HistoryPage): Html | false => {
  const last = entries[0]?.[0];
  const text = last?.clientId === null ? DONE[last.type] : undefined;
  return text !== undefined && html`<p class="outcome" role="status">${text}</p>`;
};

const DONE: Readonly<Partial<Record<HistoryLine['type'], string>>> = {
  MandateCreated: 'Mandato permitido.',
  MandateNarrowed: 'Mandato reduzido.',
  MandatePaused: 'Mandato em pausa.',
  MandateResumed: 'Mandato retomado.',
  MandateRevoked: 'Pronto: este mandato não pode mais ser usado.',
};

const facts = ({ mandate, purpose, actors: { nameOf } }: MandateContent): readonly Html[] => {
  const { mandateId, clientId, scope, limit } = mandate;
  const agent = nameOf(clientId);
  const conditions = constraintWords(mandate.constraints);
  // Charging within its ceiling is what a mandate is.
  const allowed = scope.filter((one) => one !== 'payment:execute');
  return [
    fact('Agente', html`${agent.name} ${pilotBadge(agent)}`),
    ...(purpose === null
      ? []
      : [fact('Para quê', html`<q>${purpose}</q> <span class="small">como disse o agente</span>`)]),
    fact('Teto', moneyText(limit)),
    ...(allowed.length === 0 ? [] : [fact('Permite', termList(allowed.map((one) => SCOPE_WORDS[one].text)))]),
    ...(conditions.length === 0 ? [] : [fact('Condições', termList(conditions))]),
    ...(mandate.pending ? askedFacts(mandate) : grantedFacts(mandate)),
    fact('Número', html`<code>${mandateId}</code>`),
  ];
};

const grantedFacts = (mandate: GrantedMandate): readonly Html[] => [
  ...(mandate.refunded > 0 ? [fact('Devolvido', refundedText(mandate))] : []),
  fact('Permitido', grantedWords(mandate)),
  fact('Vale de', timeOf(mandate.startsAt)),
  fact('Até', timeOf(mandate.expiresAt)),
  ...(mandate.revokedAt === null ? [] : [fact('Encerrado em', timeOf(mandate.revokedAt))]),
];

/** What came back of what was charged; the bar has what was charged without it. */
const refundedText = ({ refunded, limit: { currency } }: GrantedMandate): string =>
  `${moneyText(money(refunded, currency))} de compras canceladas, já fora do que foi gasto`;

const askedFacts = ({ startsAt, revokedAt }: GrantedMandate): readonly Html[] => [
  fact('Solicitado em', timeOf(startsAt)),
  ...(revokedAt === null ? [] : [fact('Encerrado em', timeOf(revokedAt))]),
];
