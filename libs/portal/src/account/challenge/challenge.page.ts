import { partsOf } from '#events';
import type { People } from '#booking';
import { hiddenFields, type Session } from '#identity';
import { earliest, type Instant, type Money } from '#kernel';
import type { ChallengeDetails } from '#order';
import { fact, type Html, html, instantText, moneyText, type Page } from '#site';
import { cardText } from '../../page-parts.js';
import { ACCOUNT, accountPage, countdown, TRIPS, timeOf, type Viewer } from '../layout/account-page.js';
import { type AgentName, pilotBadge } from '../layout/agent-names.js';
import { pathTo, type ReturnTarget } from '../layout/return-targets.js';
import { conditionsFact, journeyText, peopleFacts, taxFacts } from '../orders/order-rows.js';

export interface ChallengePageContent extends Viewer {
  readonly challenge: ChallengeDetails;
  readonly agent: AgentName;
  readonly people: People;
  /** `remaining`: this purchase, while it lives, is already taken off. */
  readonly mandate: { readonly limit: Money; readonly remaining: Money; readonly expiresAt: Instant };
}

/** The challenge as what a form is about and a login leads to. */
export const toChallenge = (orderId: string): ReturnTarget => ({ kind: 'challenge', id: orderId });

/** "Aprovar este pagamento?": which agent pays what for which flight, by which mandate, and how long that can be decided. */
export const challengePage = (content: ChallengePageContent): Page => {
  const { challenge, agent, session, urls } = content;
  const { title, text, kind } = wordsFor(challenge, agent.name);
  const isOpen = challenge.status === 'waiting';
  return accountPage({
    title,
    session,
    urls,
    isDecision: isOpen,
    isScripted: isOpen || challenge.status === 'approved',
    isFollowed: challenge.status === 'approved',
    trail: isOpen ? [] : [ACCOUNT, TRIPS],
    content: html`<h1>${title}</h1>
      <p class="${kind}">${text}</p>
      <p class="sum">${moneyText(challenge.total)}</p>
      <dl class="facts">${challengeFacts(content)}</dl>
      ${
        isOpen
          ? decisionForm(challenge.orderId, session)
          : html`<p class="actions">
              <a class="button quiet" href="${pathTo({ kind: 'order', id: challenge.orderId })}">Ver a compra</a>
            </p>`
      }`,
  });
};

const decisionForm = (orderId: string, { id: sessionId }: Session): Html => {
  const to = toChallenge(orderId);
  return html`<form method="post" action="${pathTo(to)}">
      ${hiddenFields(sessionId, to)}
      <div class="choices">
        <button type="submit" name="decision" value="approve">Aprovar</button>
        <button class="quiet" type="submit" name="decision" value="deny">Recusar</button>
      </div>
    </form>
    <p class="small note">Não reconhece esta compra? Recuse: nada é cobrado.</p>`;
};

/** All that a traveller decides by. */
export const challengeFacts = (content: Omit<ChallengePageContent, 'session' | 'urls'>): readonly Html[] => {
  const { challenge, agent, people, mandate, now } = content;
  const { line, status } = challenge;
  const isOpen = status === 'waiting' || status === 'approved';
  const rest = isOpen ? '; depois desta compra, ' : '; ';
  const until = earliest(challenge.expiresAt, mandate.expiresAt);
  const deadline = html`${countdown('', now, until)}, até ${timeOf(until)}`;
  return [
    fact('Agente', html`${agent.name} ${pilotBadge(agent)}`),
    fact('Compra', html`${line.description}<br /><span class="small">${journeyText(line)}</span>`),
    fact('Passageiros', `${line.passengers} × ${moneyText(line.unitPrice)}`),
    ...taxFacts(partsOf(line.subtotal, line.taxes)),
    conditionsFact(line),
    ...peopleFacts(people),
    fact('Cartão', cardText(challenge)),
    fact('Mandato', `Teto de ${moneyText(mandate.limit)}${rest}${moneyText(mandate.remaining)} disponíveis`),
    ...(isOpen ? [fact(status === 'waiting' ? 'Prazo para decidir' : 'Prazo do agente', deadline)] : []),
  ];
};

interface Words {
  readonly title: string;
  readonly text: Html;
  readonly kind: 'lead' | 'outcome' | 'outcome none';
}

/** How a challenge stands; each state has words of its own. */
const wordsFor = (challenge: ChallengeDetails, agent: string): Words => {
  const { status, total, expiresAt } = challenge;
  switch (status) {
    case 'waiting':
      return {
        title: 'Aprovar este pagamento?',
        text: html`<strong>${agent}</strong> quer comprar esta passagem em seu nome. Nada é cobrado antes da sua
          aprovação.`,
        kind: 'lead',
      };
    case 'approved':
      return {
        title: 'Pagamento aprovado',
        text: html`Você aprovou. Nada foi cobrado ainda: <strong>${agent}</strong> pode concluir a compra no prazo
          abaixo, e esta página mostra quando isso acontecer. Esta decisão é definitiva.`,
        kind: 'outcome',
      };
    case 'paid':
      return {
        title: 'Compra concluída',
        text: html`Você aprovou, e <strong>${agent}</strong> concluiu a compra: ${moneyText(total)} foram cobrados e o
          bilhete foi emitido.`,
        kind: 'outcome',
      };
    case 'denied':
      return {
        title: 'Pagamento recusado',
        text: html`Você recusou. Nada foi cobrado, e o valor voltou a ficar disponível no mandato. Esta decisão é
        definitiva.`,
        kind: 'outcome none',
      };
    case 'expired':
      return {
        title: 'O prazo acabou',
        text: html`A compra não foi concluída até ${instantText(expiresAt)}. Nada foi cobrado, e o valor volta a ficar
        disponível no mandato.`,
        kind: 'outcome none',
      };
    case 'not completed':
      return {
        title: 'Compra não concluída a tempo',
        text: html`Você aprovou, mas <strong>${agent}</strong> não concluiu a compra até ${instantText(expiresAt)}. Nada
          foi cobrado, e o valor volta a ficar disponível no mandato.`,
        kind: 'outcome none',
      };
    case 'failed':
      return {
        title: 'Compra não concluída',
        text: html`O mandato desta compra foi encerrado antes que ela terminasse. Nada foi cobrado.`,
        kind: 'outcome none',
      };
  }
};
