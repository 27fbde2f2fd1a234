import { hiddenFields, type Session } from '#identity';
import { type Instant, plus } from '#kernel';
import {
  type GrantedMandate,
  type HistoryLine,
  type HistoryPage,
  isOrderedOut,
  type MandateStatus,
  remainingOf,
  reservedOf,
  statusOf,
} from '#mandate';
import { html, type Html, moneyText, soonText } from '#site';
import { timeOf } from '../layout/account-page.js';
import type { AgentName } from '../layout/agent-names.js';
import { pathTo, type ReturnTarget } from '../layout/return-targets.js';
import { TO_PAUSE } from '../overview/pause-all.js';

/** What a mandate's state is derived from. */
export interface Standing {
  readonly mandate: GrantedMandate;
  /** What happened to it, the newest first. */
  readonly history: HistoryPage;
  readonly agent: AgentName;
  readonly now: Instant;
}

/** The mandate's statement as what a login leads to. */
export const toMandate = (id: string): ReturnTarget => ({ kind: 'mandate', id });
/** The mandate's end as what a form is about and a login leads to. */
export const toMandateEnd = (id: string): ReturnTarget => ({ kind: 'mandate_end', id });
/** Its pause, and the end of one, as what a form is about. */
export const toMandatePause = (id: string): ReturnTarget => ({ kind: 'mandate_pause', id });
/** Lowering it as what a form is about and a login leads to. */
export const toMandateNarrow = (id: string): ReturnTarget => ({ kind: 'mandate_narrow', id });

/** What a mandate is, where a traveller meets the word. */
export const MANDATE_IS = html`<p class="small">
  Um mandato é a permissão para um agente gastar em seu nome: até um teto, por um prazo, nos voos que ele diz.
</p>`;

/** The amount that matters in this state, large, and until when. */
export const headlineOf = ({ mandate, now }: Standing): Html => {
  const { limit, consumed, expiresAt, pending } = mandate;
  const status = statusOf(mandate, now);
  const spent = { amount: consumed, currency: limit.currency };
  const [sum, words] = pending
    ? [limit, status === 'pending' ? 'de teto, se você permitir' : 'de teto, que não foi permitido']
    : isOver(status) || status === 'exhausted' || isOrderedOut(mandate)
      ? [spent, html`gastos de ${moneyText(limit)}`]
      : [remainingOf(mandate), html`disponíveis de ${moneyText(limit)}, até ${soonOf(expiresAt, now)}`];
  return html`<p class="available"><strong>${moneyText(sum)}</strong> ${words}</p>`;
};

/** What this state is, in one sentence. */
export const sentenceOf = (standing: Standing): Html => {
  const { mandate, agent, now } = standing;
  const status = statusOf(mandate, now);
  if (mandate.pending) return askedSentence(standing);
  if (status === 'revoked') return html`Encerrado${byWhom(standing)}: nada mais pode ser gasto.`;
  if (status === 'expired')
    return html`Encerrado por prazo em ${timeOf(mandate.expiresAt)}${endedEarlier(standing) && ', que você antecipou'}:
    nada mais pode ser gasto.`;
  if (status === 'paused') return pausedSentence(mandate);
  if (status === 'exhausted')
    return narrowed(standing)
      ? html`Esgotado: você reduziu o teto ao que já tinha sido gasto.`
      : html`Esgotado: todo o teto foi gasto. O que voltar de uma compra cancelada fica disponível de novo.`;
  if (isOrderedOut(mandate)) return html`As compras que ele permite já foram feitas, ou estão em andamento.`;
  if (remainingOf(mandate).amount === 0) return html`Todo o teto está gasto ou separado para uma compra em andamento.`;
  return html`Em vigor: ${agent.name} compra sem perguntar de novo, até esse valor.`;
};

const askedSentence = ({ mandate, history, agent, now }: Standing): Html => {
  const { limit, minutes, expiresAt, pending } = mandate;
  const status = statusOf(mandate, now);
  if (status === 'pending' && pending?.approved)
    return html`Você permitiu ${moneyText(pending.approved.limit)}, mas isso ainda não foi concluído: nada pode ser
    gasto.`;
  if (status === 'pending')
    return html`${agent.name} quer gastar até ${moneyText(limit)}, por ${validityText(minutes)}. Nada é gasto antes da
    sua decisão: decida até ${soonOf(expiresAt, now)}.`;
  if (status === 'expired')
    return html`Você não decidiu até ${timeOf(expiresAt)}: nada foi permitido, e nada foi gasto.`;
  const ended = lastOf(history, 'MandateRevoked');
  // Where the statement shows older entries only, nobody can say here who ended it.
  if (ended === undefined) return html`Este mandato não foi permitido: nada foi gasto.`;
  return ended.clientId === null
    ? html`Você recusou: nada foi permitido, e nada foi gasto.`
    : html`${agent.name} desistiu antes da sua decisão: nada foi gasto.`;
};

const pausedSentence = ({ pausedAt, pauseOfAll }: GrantedMandate): Html => {
  if (pauseOfAll?.isOn !== true) return html`Em pausa: nada é gasto até você retomar.`;
  return pausedAt === null
    ? html`Em pausa com todos os agentes: nada é gasto até você retomar tudo.`
    : html`Em pausa com todos os agentes, e também por si: continua em pausa quando você retomar tudo.`;
};

const byWhom = ({ mandate, history, agent }: Standing): Html => {
  const ended = lastOf(history, 'MandateRevoked');
  const who = ended && (ended.clientId === null ? ' por você' : ` por ${agent.name}`);
  return html`${who ?? ''}${mandate.revokedAt !== null && html` em ${timeOf(mandate.revokedAt)}`}`;
};

/** Whether its traveller lowered it, as far as the statement is shown. */
const narrowed = ({ history }: Standing): boolean => lastOf(history, 'MandateNarrowed') !== undefined;

/** Whether they took time from it, and not only money. */
const endedEarlier = (standing: Standing): boolean => {
  const { startsAt, minutes, expiresAt } = standing.mandate;
  return narrowed(standing) && expiresAt < plus(startsAt, minutes * 60_000);
};

const lastOf = ({ entries }: HistoryPage, type: HistoryLine['type']): HistoryLine | undefined =>
  entries.flat().find((line) => line.type === type);

export const isOver = (status: MandateStatus): boolean => status === 'revoked' || status === 'expired';

/** What it is called that is neither charged nor set aside: only what may still be charged is available. */
export const restName = (mandate: GrantedMandate, now: Instant): string =>
  isOver(statusOf(mandate, now)) || isOrderedOut(mandate) ? 'Não gasto' : 'Disponível';

const soonOf = (instant: Instant, now: Instant): Html =>
  html`<time class="whole" datetime="${instant}">${soonText(instant, now)}</time>`;

/** The buttons that make sense in this state, and no other. */
export const actionsOf = ({ mandate, now }: Standing, session: Session): Html | false => {
  const { mandateId, pausedAt, pauseOfAll, pending } = mandate;
  const status = statusOf(mandate, now);
  if (isOver(status)) return false;
  if (status === 'pending')
    return html`<p class="actions">
      <a class="button" href="${pathTo({ kind: 'mandate_approval', id: mandateId })}"
        >${pending?.approved ? 'Concluir' : 'Decidir'}…</a
      >
    </p>`;
  const end = html`<a class="button quiet warn" href="${pathTo(toMandateEnd(mandateId))}">Encerrar…</a>`;
  const isStill = status === 'exhausted' || (isOrderedOut(mandate) && reservedOf(mandate).amount === 0);
  if (isStill && status !== 'paused') return html`<p class="actions">${end}</p>`;
  const own = pausedAt === null ? PAUSE : RESUME;
  return html`<form class="actions" method="post" action="${pathTo(toMandate(mandateId))}/${own.path}">
    ${hiddenFields(session.id, toMandatePause(mandateId))}
    ${pauseOfAll?.isOn === true && html`<a class="button" href="${pathTo(TO_PAUSE)}">Retomar tudo…</a>`}
    ${
      (pauseOfAll?.isOn !== true || pausedAt !== null) && html`<button class="quiet" type="submit">${own.does}</button>`
    }
    <a class="button quiet" href="${pathTo(toMandateNarrow(mandateId))}">Reduzir…</a> ${end}
  </form>`;
};

const PAUSE = { path: 'pausar', does: 'Pausar' };
const RESUME = { path: 'retomar', does: 'Retomar' };

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
