import { hiddenFields, type Session } from '#identity';
import type { Instant } from '#kernel';
import type { GrantedMandate } from '#mandate';
import { constraintWords } from '#oauth';
import { fact, type Html, html, moneyText } from '#site';
import { challengeFacts, type ChallengePageContent, toChallenge } from '../challenge/challenge.page.js';
import { countdown, timeOf } from '../layout/account-page.js';
import { type AgentName, pilotBadge } from '../layout/agent-names.js';
import { pathTo, type ReturnTarget } from '../layout/return-targets.js';
import { toMandateApproval } from '../mandates/mandate-decision.pages.js';
import { validityText } from '../mandates/standing.js';

/** A payment that waits, with all that its own page shows. */
export type WaitingPayment = Omit<ChallengePageContent, 'session' | 'urls'>;

export interface WaitingMandate {
  readonly mandate: GrantedMandate;
  readonly agent: AgentName;
  /** What the agent said it is for; null: nothing. */
  readonly purpose: string | null;
}

export interface Waiting {
  readonly now: Instant;
  readonly session: Session;
  readonly payments: readonly WaitingPayment[];
  readonly asked: readonly WaitingMandate[];
}

/** The decision in its card as what a form is about; a login leads back to the card, and decides nothing. */
export const toPaymentCard = (orderId: string): ReturnTarget => ({ kind: 'payment_card', id: orderId });
export const toMandateCard = (mandateId: string): ReturnTarget => ({ kind: 'mandate_card', id: mandateId });

/** Where the forms of the cards go. */
export const DECISIONS = { payment: '/conta/decisoes/pagamentos', mandate: '/conta/decisoes/mandatos' } as const;

/** What waits for the traveller, each in a card with all that its own page shows, and decided there. */
export const waitingCards = ({ payments, asked, session, now }: Waiting): Html =>
  html`${payments.map((payment) => paymentCard(payment, session))}
  ${asked.map((waiting) => mandateCard(waiting, session, now))}`;

const paymentCard = (payment: WaitingPayment, session: Session): Html => {
  const { orderId, total } = payment.challenge;
  return html`<article class="card" id="espera-${orderId}" aria-labelledby="espera-${orderId}-titulo">
    <h3 id="espera-${orderId}-titulo">Aprovar pagamento de ${moneyText(total)}?</h3>
    <p class="small">Nada é cobrado antes da sua aprovação.</p>
    <dl class="facts">${challengeFacts(payment)}</dl>
    ${decisionForm(toPaymentCard(orderId), `${DECISIONS.payment}/${encodeURIComponent(orderId)}`, 'Aprovar', session)}
    <p class="more"><a href="${pathTo(toChallenge(orderId))}">Abrir em uma página própria</a></p>
  </article>`;
};

const mandateCard = ({ mandate, agent, purpose }: WaitingMandate, session: Session, now: Instant): Html => {
  const { mandateId, limit, minutes, constraints, expiresAt } = mandate;
  const { limit: ceiling, minutes: length } = mandate.pending?.approved ?? { limit, minutes };
  const conditions = constraintWords(constraints);
  const facts = [
    fact('Agente', html`${agent.name} ${pilotBadge(agent)}`),
    ...(purpose === null
      ? []
      : [fact('Para quê', html`<q>${purpose}</q> <span class="small">como disse o agente</span>`)]),
    fact('Teto', moneyText(ceiling)),
    fact('Validade', `${validityText(length)} a partir da sua decisão`),
    fact('Condições', conditions.length === 0 ? 'Qualquer voo' : conditions.join(' · ')),
    fact('Prazo para decidir', html`${countdown('', now, expiresAt)}, até ${timeOf(expiresAt)}`),
  ];
  const action = `${DECISIONS.mandate}/${encodeURIComponent(mandateId)}`;
  return html`<article class="card" id="espera-${mandateId}" aria-labelledby="espera-${mandateId}-titulo">
    <h3 id="espera-${mandateId}-titulo">Permitir gastar até ${moneyText(ceiling)}?</h3>
    <p class="small">Nada é cobrado antes da sua decisão, e depois só até esse teto.</p>
    <dl class="facts">${facts}</dl>
    ${decisionForm(toMandateCard(mandateId), action, 'Aprovar', session)}
    <p class="more"><a href="${pathTo(toMandateApproval(mandateId))}">Permitir outro valor ou prazo</a></p>
  </article>`;
};

const decisionForm = (to: ReturnTarget, action: string, does: string, { id }: Session): Html =>
  html`<form method="post" action="${action}">
    ${hiddenFields(id, to)}
    <div class="choices">
      <button type="submit" name="decision" value="approve">${does}</button>
      <button class="quiet" type="submit" name="decision" value="deny">Recusar</button>
    </div>
  </form>`;
