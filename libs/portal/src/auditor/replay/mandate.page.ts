import { constraintWords, SCOPE_WORDS } from '#oauth';
import { fact, type Html, html, instantText, type Page } from '#site';
import type { Amount } from '#verifier';
import { termList } from '../../page-parts.js';
import { type Audience, auditorPage, linkTo, timeOf } from '../layout/auditor-page.js';
import { stepPath } from '../layout/return-targets.js';
import { verdict } from '../story/event-facts.js';
import { type MandateReplayed, type MandateTerms, type NumberedStep, STEPS_A_PAGE } from './replay-mandate.js';
import { LEGEND, stepChart, stepPanel } from './step-panel.js';
import { amountText, eventText, STATUS_WORDS } from './step-words.js';

interface MandateContent extends Audience {
  readonly replayed: MandateReplayed;
  /** What the agent is called; null: it is not registered. */
  readonly agent: string | null;
  /** What the agent said the mandate is for; null: nothing, or its traveller was erased. */
  readonly purpose: string | null;
}

/** The replay of a mandate: chart, table and one event. Each step is a link; a script moves through them without requests. */
export const mandatePage = ({ replayed, agent, purpose, ...audience }: MandateContent): Page => {
  const { mandateId, holder, clientId, terms, count, steps, now, sums, breaches } = replayed;
  const [first] = steps;
  const last = steps.at(-1);
  const { currency } = now.step.limit;
  const top = Math.max(...steps.map(({ step }) => step.limit.amount));
  return auditorPage({
    ...audience,
    title: 'Mandato',
    isPlayed: true,
    content: html`<h1>Mandato, evento por evento</h1>
      <dl class="facts">
        ${[
          fact('Número', html`<code>${mandateId}</code>`),
          fact('Viajante', linkTo({ kind: 'traveller', id: holder })),
          fact('Agente', html`${agent} ${linkTo({ kind: 'agent', id: clientId })}`),
          ...(purpose === null
            ? []
            : [fact('Para quê', html`<q>${purpose}</q> <span class="small">como disse o agente</span>`)]),
          ...(terms ? termFacts(terms, last?.step.limit ?? now.step.limit) : []),
          ...(sums.refunded > 0 ? refundFacts(sums, currency) : []),
        ]}
      </dl>
      ${verdict(breaches, 'Cadeia de hashes e regras do mandato conferidas', (revision) => html`<a href="${stepPath(mandateId, revision + 1)}">evento ${revision + 1}</a>`)}
      <section class="part replay" aria-labelledby="linha" id="repetir" data-count="${count}">
        <h2 id="linha">Linha do tempo</h2>
        <figure>
          <p class="axis small" aria-hidden="true"><span>${amountText({ amount: top, currency })}</span></p>
          ${stepChart(steps, now)}
          <p class="axis small" aria-hidden="true">
            <span>evento ${first?.number ?? 0}</span><span>evento ${last?.number ?? 0}</span>
          </p>
          <figcaption>
            ${LEGEND}
            <p class="small">
              Cada degrau é um evento, na ordem em que foi escrito; a largura não é tempo. A tabela abaixo diz o mesmo
              em números.
            </p>
          </figcaption>
        </figure>
        <div class="player" id="tocador" hidden>
          <label for="passo">Evento</label>
          <input
            id="passo"
            type="range"
            min="${first?.number ?? 0}"
            max="${last?.number ?? 0}"
            value="${now.number}"
            aria-valuetext="${stepName(now, count)}"
          />
          <button class="quiet" type="button" id="tocar">Reproduzir</button>
        </div>
        ${stepLinks(replayed)}
        <div class="panel" id="painel">${stepPanel(now, count)}</div>
        ${steps.map((step, at) => stepTemplate(step, count, at))}
      </section>
      <section class="part" aria-labelledby="eventos">
        <h2 id="eventos">Todos os eventos</h2>
        ${count > STEPS_A_PAGE && windowLinks(replayed)}
        <div class="scroll" role="region" aria-label="Tabela dos eventos" tabindex="0">
          <table class="timeline">
            <thead>
              <tr>
                <th scope="col">Nº</th>
                <th scope="col">Evento</th>
                <th scope="col" class="number">Teto</th>
                <th scope="col" class="number">Cobrado</th>
                <th scope="col" class="number">Reservado</th>
                <th scope="col" class="number">Disponível</th>
                <th scope="col">Situação</th>
              </tr>
            </thead>
            <tbody>
              ${steps.map((step) => timelineRow(mandateId, step, step === now))}
            </tbody>
          </table>
        </div>
      </section>`,
  });
};

/** What was granted, as it is in force at the end of what is played. */
const termFacts = (terms: MandateTerms, limit: Amount): readonly Html[] => {
  const { scope, constraints, startsAt, expiresAt, grantedBy, isAsked } = terms;
  const conditions = constraintWords(constraints);
  const granted = grantedBy === 'traveller' ? 'pelo viajante' : 'pelo agente, dentro do que o viajante permite';
  return [
    fact('Teto', amountText(limit)),
    fact('Permite', termList(scope.map((one) => SCOPE_WORDS[one].text))),
    fact('Condições', conditions.length === 0 ? 'nenhuma além do teto e do prazo' : termList(conditions)),
    fact('Concedido', isAsked ? 'por ninguém ainda: o agente pediu' : granted),
    fact(isAsked ? 'Pedido em' : 'Vale de', timeOf(startsAt)),
    fact(isAsked ? 'Decisão até' : 'Até', timeOf(expiresAt)),
  ];
};

/** What was charged over the mandate's life, and how much of it came back. */
const refundFacts = ({ refunded, consumed }: MandateReplayed['sums'], currency: string): readonly Html[] => [
  fact('Cobrado ao todo', amountText({ amount: consumed + refunded, currency })),
  fact('Devolvido', `${amountText({ amount: refunded, currency })} de pedidos cancelados`),
  fact('Consumido', `${amountText({ amount: consumed, currency })}: o que foi cobrado e não voltou`),
];

const stepName = ({ number, step }: NumberedStep, count: number): string =>
  `${number} de ${count}: ${eventText(step)}; disponível ${amountText({ amount: step.remaining, currency: step.limit.currency })}`;

/** What the script shows instead, without asking the server. */
const stepTemplate = (step: NumberedStep, count: number, at: number): Html =>
  html`<template data-evento="${step.number}" data-x="${at}" data-nome="${stepName(step, count)}"
    >${stepPanel(step, count)}</template
  >`;

/** The ways through a mandate's life, with and without a script. */
const stepLinks = ({ mandateId, count, now }: MandateReplayed): Html => {
  const ways = [
    ['primeiro', 'Primeiro', 1],
    ['anterior', 'Anterior', Math.max(1, now.number - 1)],
    ['proximo', 'Próximo', Math.min(count, now.number + 1)],
    ['ultimo', 'Último', count],
  ] as const;
  return html`<nav class="ways-through" aria-label="Eventos">
    <ul role="list">
      ${ways.map(
        ([id, text, number]) =>
          html`<li>
            <a
              class="button quiet"
              id="${id}"
              href="${stepPath(mandateId, number)}"
              ${number === now.number && html`aria-disabled="true"`}
              >${text}</a
            >
          </li>`,
      )}
    </ul>
  </nav>`;
};

/** The ways to what is not on this page, of a long life. */
const windowLinks = ({ mandateId, count, steps }: MandateReplayed): Html => {
  const first = steps[0]?.number ?? 1;
  const last = steps.at(-1)?.number ?? 1;
  return html`<p class="small">
    Eventos ${first} a ${last} de ${count}.
    ${first > 1 && html`<a href="${stepPath(mandateId, first - 1)}">Os anteriores</a> `}
    ${last < count && html`<a href="${stepPath(mandateId, last + 1)}">Os seguintes</a>`}
  </p>`;
};

const timelineRow = (mandateId: string, { number, step }: NumberedStep, isNow: boolean): Html => {
  const { at, limit, consumed, reserved, remaining, status, refusal, breaches } = step;
  const cents = (name: string, amount: number) =>
    html`<td class="number" data-name="${name}">${amountText({ amount, currency: limit.currency })}</td>`;
  return html`<tr id="evento-${number}" ${isNow && html`aria-current="step"`}>
    <td class="number">${number}</td>
    <th scope="row">
      <a href="${stepPath(mandateId, number)}" data-evento="${number}">${eventText(step)}</a>
      ${refusal !== null && html`<span class="mark-warn">recusa</span>`}
      ${breaches.length > 0 && html`<span class="mark-warn">quebra</span>`}
      <span class="small"><time datetime="${at}">${instantText(at)}</time></span>
    </th>
    ${cents('Teto', limit.amount)} ${cents('Cobrado', consumed)} ${cents('Reservado', reserved)}
    ${cents('Disponível', remaining)}
    <td data-name="Situação">${STATUS_WORDS[status]}</td>
  </tr>`;
};
