import type { Integrity } from '#audit';
import { hiddenFields } from '#identity';
import { type Money, money } from '#kernel';
import {
  type GrantedMandate,
  type HistoryLine,
  type HistoryPage,
  type MandateStatus,
  remainingOf,
  reservedOf,
  statusOf,
} from '#mandate';
import { constraintWords, SCOPE_WORDS } from '#oauth';
import { fact, type Html, html, moneyText, nextLink, type Page } from '#site';
import { part, termList } from '../../page-parts.js';
import { historyPart } from '../history/histories.js';
import { ACCOUNT, accountPage, MANDATES, timeOf, type Viewer } from '../layout/account-page.js';
import { pilotBadge } from '../layout/agent-names.js';
import { pathTo, type ReturnTarget } from '../layout/return-targets.js';
import { grantedWords, mandateMark } from './mandate-rows.js';
import { type Actors, statementEntry } from './statement-line.js';

export interface MandateContent extends Viewer {
  readonly mandate: GrantedMandate;
  /** What happened to it, the newest first. */
  readonly history: HistoryPage;
  readonly integrity: Integrity;
  /** What the agent said it is for; null: nothing. */
  readonly purpose: string | null;
  readonly actors: Actors;
  /** Whether its traveller has just done something here. */
  readonly isDone: boolean;
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
  const { mandate, history, integrity, actors, isDone, session, now, urls } = content;
  const { mandateId, limit } = mandate;
  const status = statusOf(mandate, now);
  return accountPage({
    title: 'Mandato de pagamento',
    session,
    urls,
    isBroad: true,
    trail: [ACCOUNT, MANDATES],
    content: html`<h1>Mandato de pagamento</h1>
      ${isDone && !mandate.pending && doneText(history)}
      <p class="sum">${moneyText(limit)} ${mandateMark(mandate, now)}</p>
      ${
        mandate.pending
          ? html`<p class="${status === 'pending' ? 'outcome' : 'outcome none'}">${askedText(content)}</p>`
          : html`${mandateGauge(mandate)} ${gaugeLegend(mandate, restTerm(status))}`
      }
      <dl class="facts">${facts(content)}</dl>
      ${
        status === 'pending' &&
        html`<p class="actions">
          <a class="button" href="${pathTo({ kind: 'mandate_approval', id: mandateId })}">Decidir</a>
        </p>`
      }
      ${
        mandate.pauseOfAll?.isOn === true &&
        html`<p class="outcome">
          Em pausa com todos os agentes. <a href="${pathTo({ kind: 'pause_all', id: 'all' })}">Retomar tudo…</a>
        </p>`
      }
      ${
        (status === 'valid' || status === 'paused') &&
        html`<form class="actions" method="post" action="${pausePath(mandate)}">
          ${hiddenFields(session.id, toMandatePause(mandateId))}
          <button class="quiet" type="submit">${mandate.pausedAt === null ? 'Pausar' : 'Retomar'}</button>
          <a class="button quiet" href="${pathTo(toMandateNarrow(mandateId))}">Reduzir…</a>
          <a class="button quiet warn" href="${pathTo(toMandateEnd(mandateId))}">Revogar este mandato…</a>
        </form>`
      }
      ${part(
        'extrato',
        'Extrato',
        html`<ol class="history" role="list">
            ${history.entries.map((entry) => statementEntry(entry, actors, !mandate.pending))}
          </ol>
          ${nextLink(pathTo(toMandate(mandateId)), history.nextCursor, 'Ver o que veio antes')}`,
      )}
      ${historyPart(integrity, `${pathTo(toMandate(mandateId))}/historico.jsonl`)}`,
  });
};

/** What was asked for and how that stands, where nobody has granted it. */
const askedText = ({ mandate, history, now }: MandateContent): Html => {
  const { limit, minutes, expiresAt } = mandate;
  const status = statusOf(mandate, now);
  if (status === 'pending')
    return html`Pedido: ${moneyText(limit)} por ${validityText(minutes)}. Decida até ${timeOf(expiresAt)}.`;
  if (status === 'expired') return html`Você não decidiu até ${timeOf(expiresAt)}, e o pedido terminou.`;
  // Where the statement shows older entries only, nobody can say here who ended it.
  const ended = history.entries.flat().find(({ type }) => type === 'MandateRevoked');
  if (ended === undefined) return html`Este pedido não foi concedido.`;
  return ended.clientId === null
    ? html`Você recusou este pedido. Nada pode ser cobrado.`
    : html`O agente retirou este pedido. Nada pode ser cobrado.`;
};

/** What its traveller did last, in a word; nothing where somebody else did something since. */
const doneText = ({ entries }: HistoryPage): Html | false => {
  const last = entries[0]?.[0];
  const text = last?.clientId === null ? DONE[last.type] : undefined;
  return text !== undefined && html`<p class="outcome" role="status">${text}</p>`;
};

const DONE: Readonly<Partial<Record<HistoryLine['type'], string>>> = {
  MandateCreated: 'Mandato permitido.',
  MandateNarrowed: 'Mandato reduzido.',
  MandatePaused: 'Mandato em pausa: nada é cobrado até você retomar.',
  MandateResumed: 'Mandato retomado.',
  MandateRevoked: 'Pronto: este mandato não pode mais ser usado.',
};

/** A validity in the largest unit that it is whole in: `1 dia`. */
export const validityText = (minutes: number): string => {
  const [length, one, many] = UNITS.find(([each]) => minutes % each === 0) ?? UNITS[2];
  return minutes === length ? `1 ${one}` : `${minutes / length} ${many}`;
};

const UNITS = [
  [1_440, 'dia', 'dias'],
  [60, 'hora', 'horas'],
  [1, 'minuto', 'minutos'],
] as const;

/** Where the button goes that pauses a mandate by itself, or resumes one that is so paused. */
const pausePath = ({ mandateId, pausedAt }: GrantedMandate): string =>
  `${pathTo(toMandate(mandateId))}/${pausedAt === null ? 'pausar' : 'retomar'}`;

const facts = ({ mandate, purpose, actors: { nameOf } }: MandateContent): readonly Html[] => {
  const { mandateId, clientId, scope } = mandate;
  const agent = nameOf(clientId);
  const conditions = constraintWords(mandate.constraints);
  return [
    fact('Agente', html`${agent.name} ${pilotBadge(agent)}`),
    ...(purpose === null
      ? []
      : [fact('Para quê', html`<q>${purpose}</q> <span class="small">como disse o agente</span>`)]),
    fact('Permite', termList(scope.map((one) => SCOPE_WORDS[one].text))),
    ...(conditions.length === 0 ? [] : [fact('Condições', termList(conditions))]),
    ...(mandate.pending ? askedFacts(mandate) : grantedFacts(mandate)),
    fact('Número', html`<code>${mandateId}</code>`),
  ];
};

const grantedFacts = (mandate: GrantedMandate): readonly Html[] => [
  ...(mandate.refunded > 0 ? [fact('Devolvido', refundedText(mandate))] : []),
  fact('Concedido', grantedWords(mandate)),
  fact('Vale de', timeOf(mandate.startsAt)),
  fact('Até', timeOf(mandate.expiresAt)),
  ...(mandate.revokedAt === null ? [] : [fact('Revogado em', timeOf(mandate.revokedAt))]),
];

/** What came back of what was charged; the bar has what was charged without it. */
const refundedText = ({ refunded, limit: { currency } }: GrantedMandate): string =>
  `${moneyText(money(refunded, currency))} de compras canceladas, já fora do que foi cobrado`;

const askedFacts = ({ startsAt, revokedAt }: GrantedMandate): readonly Html[] => [
  fact('Pedido em', timeOf(startsAt)),
  ...(revokedAt === null ? [] : [fact('Encerrado em', timeOf(revokedAt))]),
];

/** What the rest of a ceiling is, as its status has it. */
const restTerm = (status: MandateStatus): string => {
  if (status === 'paused') return 'Disponível quando você retomar';
  return status === 'revoked' || status === 'expired' ? 'Não usado' : 'Disponível';
};

/** How much of a mandate's ceiling is charged and set aside, as a bar; the numbers beside it say the same. */
export const mandateGauge = (mandate: GrantedMandate): Html =>
  gauge(mandate.limit.amount, mandate.consumed, reservedOf(mandate).amount);

/** The shares of `all`, in cents, that are charged and set aside. */
export const gauge = (all: number, charged: number, reserved: number): Html => {
  const shareOf = (amount: number) => ((amount / Math.max(1, all)) * 100).toFixed(2);
  const consumed = shareOf(charged);
  return html`<svg class="gauge" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" focusable="false">
    <rect class="gauge-rest" width="100" height="4" />
    <rect class="gauge-reserved" x="${consumed}" width="${shareOf(reserved)}" height="4" />
    <rect class="gauge-consumed" width="${consumed}" height="4" />
  </svg>`;
};

/** What the colours of the bar are, each with its amount; `rest`: what is neither charged nor set aside. */
export const gaugeLegend = (mandate: GrantedMandate, rest: string): Html =>
  html`<ul class="legend" role="list">
    ${legendItem('consumed', 'Cobrado', money(mandate.consumed, mandate.limit.currency))}
    ${legendItem('reserved', 'Reservado', reservedOf(mandate))} ${legendItem('rest', rest, remainingOf(mandate))}
  </ul>`;

export const legendItem = (kind: string, name: string, amount: Money): Html =>
  html`<li class="legend-${kind}">
    <span>${name} <strong>${moneyText(amount)}</strong></span>
  </li>`;
