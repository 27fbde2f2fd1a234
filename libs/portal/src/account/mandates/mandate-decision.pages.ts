import { hiddenFields } from '#identity';
import type { ErrorCode } from '#kernel';
import { type GrantedMandate, remainingOf, reservedOf, statusOf } from '#mandate';
import { AGENTS_PAUSED, alertOf, type MandateEntry, mandateFields, NO_ROOM_IN_CAP, TOO_MANY_MANDATES } from '#oauth';
import { html, type Html, moneyText, type Page } from '#site';
import {
  ACCOUNT,
  accountPage,
  countdown,
  MANDATES,
  questionForm,
  timeOf,
  type Viewer,
} from '../layout/account-page.js';
import { type AgentName, pilotBadge } from '../layout/agent-names.js';
import { pathTo, type ReturnTarget } from '../layout/return-targets.js';
import { MANDATE_WORDS } from './mandate-rows.js';
import { toMandate, toMandateEnd } from './standing.js';

/** What the page shows on which a traveller decides on a mandate that an agent asked for. */
export interface MandateApproval extends Viewer {
  readonly mandate: GrantedMandate;
  readonly agent: AgentName;
  /** What was written and cannot be granted, and why; null: nothing is wrong. */
  readonly wrong: { readonly entry: MandateEntry; readonly problem: Html } | null;
}

/** The decision as what a form is about and a login leads to. */
export const toMandateApproval = (id: string): ReturnTarget => ({ kind: 'mandate_approval', id });

/** "Permitir este mandato?": which agent asks, up to how much, for how long and for which flights. */
export const mandateApprovalPage = ({ mandate, agent, wrong, ...viewer }: MandateApproval): Page => {
  const { mandateId, expiresAt } = mandate;
  const approved = mandate.pending?.approved;
  const to = toMandateApproval(mandateId);
  return accountPage({
    ...viewer,
    status: wrong ? 422 : 200,
    title: wrong && !approved ? 'Teto inválido' : 'Permitir este mandato?',
    isDecision: true,
    isScripted: true,
    content: html`<h1>Permitir este mandato?</h1>
      <p class="lead">
        <strong>${agent.name}</strong> ${pilotBadge(agent)} pede para gastar em seu nome. Nada é cobrado antes da sua
        decisão, e depois só até o teto que você definir. Um mandato é isto: a permissão para um agente gastar até um
        teto, por um prazo.
      </p>
      ${wrong ? wrong.problem : null}
      <form method="post" action="${pathTo(to)}">
        ${hiddenFields(viewer.session.id, to)}
        ${approved ? unfinished(approved) : mandateFields([mandate], wrong ? [wrong.entry] : null)}
        <div class="choices">
          <button type="submit" name="decision" value="approve">${approved ? 'Concluir' : 'Permitir'}</button>
          <button class="quiet" type="submit" name="decision" value="deny">Recusar</button>
        </div>
      </form>
      <p class="small note">
        Se uma viagem for cancelada, o que volta depende da tarifa: o agente vê isso antes de comprar, e você também, na
        página da compra.
      </p>
      <p class="small note">
        Prazo para decidir: ${countdown('faltam ', viewer.now, expiresAt)}, até ${timeOf(expiresAt)}.
      </p>`,
  });
};

type Approved = NonNullable<NonNullable<GrantedMandate['pending']>['approved']>;

/** What was allowed and could not be carried out: it stands, and nothing else can be decided but to refuse it (rule 31). */
const unfinished = ({ limit, expiresAt }: Approved): Html =>
  html`<p class="outcome">
    Você permitiu até <strong>${moneyText(limit)}</strong>, até ${timeOf(expiresAt)}, mas isso ainda não foi concluído,
    e o agente não pode gastar nada. Conclua, ou recuse: depois disso o agente pode pedir de novo.
  </p>`;

const NO_ROOM_ANY_MORE = alertOf(
  'O que você permitiu não cabe mais no limite total deste agente. Aumente o limite na sua conta e conclua, ou recuse.',
);
const NOT_AUTHORIZED = alertOf('Este agente não está mais autorizado a agir em seu nome. Recuse o mandato.');

/** Why a mandate cannot be opened for now, as its page says it; undefined: for no reason that a traveller could change. */
export const approvalProblem = (code: ErrorCode, { pending }: GrantedMandate): Html | undefined => {
  if (code === 'mandate_cap_exceeded') return pending?.approved ? NO_ROOM_ANY_MORE : NO_ROOM_IN_CAP;
  if (code === 'rate_limited') return TOO_MANY_MANDATES;
  if (code === 'agents_paused') return AGENTS_PAUSED;
  return code === 'invalid_token' ? NOT_AUTHORIZED : undefined;
};

interface MandateEnd extends Viewer {
  readonly mandate: GrantedMandate;
  readonly agent: AgentName;
}

/** "Encerrar este mandato?": what it does, before it is done. */
export const mandateEndPage = ({ mandate, agent, ...viewer }: MandateEnd): Page => {
  const { mandateId, limit } = mandate;
  const status = statusOf(mandate, viewer.now);
  const isOver = status === 'revoked' || status === 'expired';
  const title = isOver ? `Mandato ${MANDATE_WORDS[status]}` : 'Encerrar este mandato?';
  const reserved = reservedOf(mandate);
  return accountPage({
    ...viewer,
    title,
    trail: [ACCOUNT, MANDATES],
    content: html`<h1>${title}</h1>
      <p class="lead">Teto de ${moneyText(limit)}, para <strong>${agent.name}</strong> ${pilotBadge(agent)}</p>
      ${
        isOver
          ? html`<p class="outcome none">
              Nada mais pode ser gasto. <a href="${pathTo(toMandate(mandateId))}">Ver o extrato</a>
            </p>`
          : html`<ul class="effects">
                <li>Nada mais pode ser gasto: os ${moneyText(remainingOf(mandate))} disponíveis voltam para você.</li>
                ${
                  reserved.amount > 0 &&
                  html`<li>As compras em andamento, de ${moneyText(reserved)}, param sem cobrança.</li>`
                }
                <li>O que já foi pago continua valendo.</li>
                <li>O agente continua autorizado, e pode pedir outro mandato.</li>
              </ul>
              ${questionForm({
                session: viewer.session,
                to: toMandateEnd(mandateId),
                does: 'Encerrar mandato',
                back: { path: pathTo(toMandate(mandateId)), text: 'Voltar sem encerrar' },
              })}`
      }`,
  });
};
