import { fact, type Html, html } from '#site';
import { breachText, type MandateStep } from '#verifier';
import { linkTo } from '../layout/auditor-page.js';
import { pathTo } from '../layout/return-targets.js';
import { exactTime, sealFacts } from '../story/event-facts.js';
import { actorText } from '../story/story.page.js';
import type { NumberedStep } from './replay-mandate.js';
import { amountText, decisionText, eventText, STATUS_WORDS } from './step-words.js';

/** Height of the chart in its own units; each event is one wide, and holds what it left until the next. */
const HEIGHT = 100;

/** The ceiling after each event: charged, set aside, left. Hidden from screen readers, since the table has the numbers. */
export const stepChart = (steps: readonly NumberedStep[], now: NumberedStep): Html => {
  const states = steps.map(({ step }) => step);
  const top = Math.max(
    1,
    ...states.map(({ limit, consumed, reserved }) => Math.max(limit.amount, consumed + reserved)),
  );
  const y = (cents: number): string => (HEIGHT - (cents / top) * HEIGHT).toFixed(2);
  const spent = ({ consumed }: MandateStep) => consumed;
  const held = ({ consumed, reserved }: MandateStep) => consumed + reserved;
  const ceiling = ({ limit }: MandateStep) => limit.amount;
  const area = (level: (step: MandateStep) => number): string =>
    `M0 ${HEIGHT}${states.map((step, at) => `V${y(level(step))}H${at + 1}`).join('')}V${HEIGHT}Z`;
  const [first] = states;
  const edge = `M0 ${first ? y(ceiling(first)) : 0}${states.map((step, at) => `V${y(ceiling(step))}H${at + 1}`).join('')}`;
  const at = steps.indexOf(now);
  return html`<svg
    class="chart"
    id="grafico"
    viewBox="0 -4 ${states.length} ${HEIGHT + 8}"
    preserveAspectRatio="none"
    aria-hidden="true"
    focusable="false"
  >
    <path class="chart-rest" d="${area(ceiling)}" />
    <path class="chart-reserved" d="${area(held)}" />
    <path class="chart-consumed" d="${area(spent)}" />
    ${states.map((step, place) => (isOver(step) ? html`<rect class="chart-over" x="${place}" y="0" width="1" height="${y(held(step))}" />` : html``))}
    <path class="chart-ceiling" d="${edge}" />
    ${states.map((step, place) => (step.refusal === null ? html`` : html`<path class="chart-refused" d="M${place + 0.5} -4V${HEIGHT}" />`))}
    <rect class="chart-now" id="marca" x="${at}" y="-4" width="1" height="${HEIGHT + 8}" />
  </svg>`;
};

/** Whether nothing of what is left can ever be spent. */
const isOver = ({ status }: MandateStep): boolean => ['revoked', 'expired', 'abandoned'].includes(status);

export const LEGEND = html`<ul class="legend" role="list" aria-hidden="true">
  <li class="legend-consumed">cobrado</li>
  <li class="legend-reserved">reservado</li>
  <li class="legend-rest">disponível</li>
  <li class="legend-over">não usado</li>
  <li class="legend-ceiling">teto</li>
  <li class="legend-refused">recusa</li>
</ul>`;

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
        ${STATES.filter((one) => one !== REFUNDED || step.refunded > 0).map(({ name, of }) => stateRow(name, before && of(before), of(step)))}
      </tbody>
    </table>
    <dl class="facts seal">${sealFacts(event.metadata.hash, previousHash, place)}</dl>`;
};

const cents = (amount: number, { limit: { currency } }: MandateStep): string => amountText({ amount, currency });

/** What came back is no longer in what is charged. */
const REFUNDED = { name: 'Devolvido', of: (step: MandateStep) => cents(step.refunded, step) };

const STATES: readonly { readonly name: string; readonly of: (step: MandateStep) => string }[] = [
  { name: 'Teto', of: ({ limit }) => amountText(limit) },
  { name: 'Cobrado', of: (step) => cents(step.consumed, step) },
  REFUNDED,
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
