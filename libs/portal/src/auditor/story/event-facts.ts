import { fact, type Html, html } from '#site';
import { type Breach, breachText } from '#verifier';
import { timeOf } from '../layout/auditor-page.js';
import type { Place } from './places.js';

/** An instant to the millisecond, beside what people read. */
export const exactTime = (at: string): Html => html`${timeOf(at)}<br /><code class="small">${at}</code>`;

/** Where an event lies in the log of logs, and what vouches for it. */
const placeText = (place: Place): Html => {
  if (place === null) return html`ainda não selado: espera o próximo ponto de controle`;
  const { index, size, proof } = place;
  const checkpoint = html`<a href="/tlog/checkpoint">ponto de controle de ${size.toLocaleString('pt-BR')} entradas</a>`;
  switch (proof) {
    case 'holds':
      return html`nº ${index} · <span class="mark-on">prova conferida</span> contra o ${checkpoint}`;
    case 'fails':
      return html`nº ${index} · <span class="mark-warn">a prova não confere</span> com o ${checkpoint}`;
    case 'waiting':
      return html`nº ${index} · a prova está sendo preparada, para o ${checkpoint}`;
  }
};

/** The facts that make an event checkable: its hashes and its place. */
export const sealFacts = (hash: string, previousHash: string | null, place: Place): readonly Html[] => [
  fact('Hash', html`<code class="hash">${hash}</code>`),
  fact(
    'Hash anterior',
    previousHash === null ? 'é o primeiro evento' : html`<code class="hash">${previousHash}</code>`,
  ),
  fact('No registro', placeText(place)),
];

/** So many breaches are listed one by one. */
const LISTED = 20;

/** The verdict on a stream: that no rule is broken, or which are, and where. `checked`: what was looked at. */
export const verdict = (breaches: readonly Breach[], checked: string, numberOf: (revision: number) => Html): Html =>
  breaches.length === 0
    ? html`<p class="outcome">${checked} agora: nenhuma quebra.</p>`
    : html`<div class="alert" role="alert">
        <p>${breaches.length === 1 ? 'Uma quebra foi encontrada' : `${breaches.length} quebras foram encontradas`}:</p>
        <ul>
          ${breaches
            .slice(0, LISTED)
            .map(
              ({ rule, revision }) =>
                html`<li>
                  ${revision !== null && html`${numberOf(revision)}: `}${breachText(rule)} (<code>${rule}</code>)
                </li>`,
            )}
        </ul>
        ${breaches.length > LISTED && html`<p>E mais ${breaches.length - LISTED}.</p>`}
      </div>`;
