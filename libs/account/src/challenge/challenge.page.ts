import type { BaseUrls } from '#http';
import { earliest, type Instant, type Money } from '#kernel';
import { hiddenFields, type Visitor } from '#identity';
import type { ChallengeDetails } from '#order';
import { html, type Html, instantText, moneyText, type Page } from '#site';
import { accountPage } from '../layout/account-page.js';
import { type AgentName, pilotBadge } from '../layout/agent-names.js';
import { fact } from '../layout/facts.js';
import { pathTo, type ReturnTarget } from '../layout/return-targets.js';
import { cardText, wordsFor } from './challenge-words.js';
import { journeyText } from './journey-text.js';
import { timeLeft } from './time-left.js';

/** What the page of a challenge shows. */
export interface ChallengePageContent {
  readonly challenge: ChallengeDetails;
  readonly agent: AgentName;
  /** `remaining`: this purchase, while it lives, is already taken off. */
  readonly mandate: { readonly limit: Money; readonly remaining: Money; readonly expiresAt: Instant };
  readonly visitor: Visitor;
  readonly now: Instant;
  readonly urls: BaseUrls;
}

/** The challenge as what a form is about and a login leads to. */
export const toChallenge = (orderId: string): ReturnTarget => ({ kind: 'challenge', id: orderId });

/** "Aprovar este pagamento?": which agent pays what for which flight, by which mandate, and how long that can be decided. */
export const challengePage = (content: ChallengePageContent): Page => {
  const { challenge, agent, visitor, urls } = content;
  const { title, text, kind } = wordsFor(challenge, agent.name);
  return accountPage({
    title,
    visitor,
    urls,
    content: html`<h1>${title}</h1>
      <p class="${kind}">${text}</p>
      <p class="sum">${moneyText(challenge.total)}</p>
      <dl class="facts">${facts(content)}</dl>
      ${challenge.status === 'waiting' && decisionForm(challenge.orderId, visitor)}`,
  });
};

const decisionForm = (orderId: string, { sessionId }: Visitor): Html => {
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

const facts = ({ challenge, agent, mandate, now }: ChallengePageContent): readonly Html[] => {
  const { line, status } = challenge;
  const isOpen = status === 'waiting' || status === 'approved';
  const rest = isOpen ? 'depois desta compra, restam' : 'restam';
  const until = earliest(challenge.expiresAt, mandate.expiresAt);
  const deadline = html`${timeLeft(now, until)}, até <time datetime="${until}">${instantText(until)}</time>`;
  return [
    fact('Agente', html`${agent.name} ${pilotBadge(agent)}`),
    fact('Compra', html`${line.description}<br /><span class="small">${journeyText(line)}</span>`),
    fact('Passageiros', `${line.passengers} × ${moneyText(line.unitPrice)}`),
    fact('Cartão', cardText(challenge)),
    fact('Mandato', `Teto de ${moneyText(mandate.limit)}; ${rest} ${moneyText(mandate.remaining)}`),
    ...(isOpen ? [fact(status === 'waiting' ? 'Prazo para decidir' : 'Prazo do agente', deadline)] : []),
  ];
};
