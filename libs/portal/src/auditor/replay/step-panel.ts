import { fact, type Html, html } from '#site';
import { breachText, type MandateStep } from '#verifier';
import { linkTo } from '../layout/auditor-page.js';
import { pathTo } from '../layout/return-targets.js';
import { exactTime, sealFacts } from '../story/event-facts.js';
import { actorText } from '../story/story.page.js';
import type { NumberedStep } from './replay-mandate.js';
import { amountText, decisionText, eventText, STATUS_WORDS } from './step-words.js';

/** All of one event: what happened, why, what it changed, and what vouches for it. */
export const stepPanel = ({ number, step, before, previousHash, place }: NumberedStep, count: number): Html => {
  const { orderId, at, agent, event, breaches } = step;
  return html`<h3>Evento ${number} de ${count}: ${eventText(step)}</h3>
    ${
      breaches.length > 0 &&
      html`<div class="alert">
        <p>
          Este evento quebra uma regra: ${breaches.map(({ rule }) => html`${breachText(rule)} (<code>${rule}</code>) `)}
        </p>
      </div>`
    }
    <dl class="facts">
      ${[
        fact('Decisão', decisionText(step, before)),
        fact('Quando', exactTime(at)),
        fact('Por quem', actorText(event.metadata.actor.holder, agent)),
        ...(orderId === null ? [] : [fact('Pedido', orderLinks(orderId))]),
      ]}
    </dl>
    <table class="states">
      <caption>
        O que este evento mudou
      </caption>
      <thead>
        <tr>
          <th scope="col"><span class="visually-hidden">O quê</span></th>
          <th scope="col">Antes</th>
          <th scope="col">Depois</th>
        </tr>
      </thead>
      <tbody>
        ${STATES.map(({ name, of }) => stateRow(name, before && of(before), of(step)))}
      </tbody>
    </table>
    <dl class="facts seal">${sealFacts(event.metadata.hash, previousHash, place)}</dl>`;
};

const cents = (amount: number, { limit: { currency } }: MandateStep): string => amountText({ amount, currency });

/** What is known of a mandate after each event. */
const STATES: readonly { readonly name: string; readonly of: (step: MandateStep) => string }[] = [
  { name: 'Teto', of: ({ limit }) => amountText(limit) },
  { name: 'Cobrado', of: (step) => cents(step.consumed, step) },
  { name: 'Reservado', of: (step) => cents(step.reserved, step) },
  { name: 'Disponível', of: (step) => cents(step.remaining, step) },
  { name: 'Situação', of: ({ status }) => STATUS_WORDS[status] },
];

const stateRow = (name: string, before: string | null, after: string): Html =>
  html`<tr ${before !== after && html`class="changed"`}>
    <th scope="row">${name}</th>
    <td>${before ?? '—'}</td>
    <td>${after}${before !== after && html`<span class="visually-hidden"> (mudou)</span>`}</td>
  </tr>`;

const orderLinks = (orderId: string): Html => {
  const order = pathTo({ kind: 'order', id: orderId });
  return html`${linkTo({ kind: 'order', id: orderId })} · <a class="whole" href="${order}#cobranca">sua cobrança</a>`;
};
