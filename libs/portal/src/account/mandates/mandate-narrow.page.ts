import { hiddenFields } from '#identity';
import { type Instant, millisecondsOf, plus } from '#kernel';
import { type GrantedMandate, lowestLimit, remainingOf } from '#mandate';
import { amountEntry, html, moneyText, type Page } from '#site';
import { ACCOUNT, accountPage, MANDATES, timeOf, type Viewer } from '../layout/account-page.js';
import { type AgentName, pilotBadge } from '../layout/agent-names.js';
import { pathTo } from '../layout/return-targets.js';
import { toMandate, toMandateEnd, toMandateNarrow } from './standing.js';

/** What the page shows on which a traveller lowers a mandate. */
export interface MandateNarrow extends Viewer {
  readonly mandate: GrantedMandate;
  readonly agent: AgentName;
  /** What was sent: a ceiling that cannot be one, or what the mandate is already; null: nothing. */
  readonly sent: { readonly entry: string } | 'same' | null;
}

const MINUTE = 60_000;

/** How long a mandate may go on from now on, by the value of its choice: minutes, and their name. */
const RESTS: ReadonlyMap<string, readonly [minutes: number, name: string]> = new Map([
  ['15', [15, 'Daqui a 15 minutos']],
  ['60', [60, 'Daqui a uma hora']],
  ['1440', [1_440, 'Daqui a um dia']],
]);

/** The end that a choice stands for, from `now` on; undefined: as it is. */
export const endIn = (choice: string | undefined, now: Instant): Instant | undefined => {
  const [minutes] = RESTS.get(choice ?? '') ?? [];
  return minutes === undefined ? undefined : plus(now, minutes * MINUTE);
};

/** "Reduzir este mandato": a lower ceiling, an earlier end, or both. */
export const mandateNarrowPage = ({ mandate, agent, sent, ...viewer }: MandateNarrow): Page => {
  const wrong = sent === null || sent === 'same' ? null : sent.entry;
  const { mandateId, limit, expiresAt } = mandate;
  const lowest = lowestLimit(mandate);
  const isCommitted = remainingOf(mandate).amount < limit.amount;
  const rests = [...RESTS].filter(
    ([, [minutes]]) => minutes * MINUTE < millisecondsOf(expiresAt) - millisecondsOf(viewer.now),
  );
  const title = 'Reduzir este mandato';
  return accountPage({
    ...viewer,
    status: wrong === null ? 200 : 422,
    title: wrong === null ? title : 'Teto inválido',
    trail: [ACCOUNT, MANDATES],
    content: html`<h1>${title}</h1>
      <p class="lead">Teto de ${moneyText(limit)}, para <strong>${agent.name}</strong> ${pilotBadge(agent)}</p>
      ${
        wrong !== null &&
        html`<div class="alert" role="alert" id="teto-problema">
          <p><a href="#teto">Escreva um teto</a> de ${moneyText(lowest)} a ${moneyText(limit)}.</p>
        </div>`
      }
      ${sent === 'same' && html`<p class="outcome none" role="status">Nada mudou: o teto e o prazo já são estes.</p>`}
      <form method="post" action="${pathTo(toMandateNarrow(mandateId))}">
        ${hiddenFields(viewer.session.id, toMandateNarrow(mandateId))}
        <div class="field">
          <label for="teto">Novo teto, em ${limit.currency === 'BRL' ? 'reais' : limit.currency}</label>
          <input
            id="teto"
            name="limit"
            value="${wrong ?? amountEntry(limit.amount)}"
            inputmode="decimal"
            autocomplete="off"
            aria-describedby="${wrong !== null && html`teto-problema `}teto-ajuda"
            ${wrong !== null && html`aria-invalid="true" autofocus`}
          />
          <p class="small note" id="teto-ajuda">
            No mínimo
            ${moneyText(lowest)}${isCommitted && ': o que já foi gasto ou está separado para compras em andamento'}.
            Para não permitir mais nada, <a href="${pathTo(toMandateEnd(mandateId))}">encerre o mandato</a>.
          </p>
        </div>
        <div class="field">
          <label for="fim">Vale até</label>
          <select id="fim" name="end" aria-describedby="fim-ajuda">
            <option value="">Como está</option>
            ${rests.map(([value, [, name]]) => html`<option value="${value}">${name}</option>`)}
          </select>
          <p class="small note" id="fim-ajuda">Está: até ${timeOf(expiresAt)}.</p>
        </div>
        <div class="choices">
          <button type="submit">Reduzir</button>
          <a class="button quiet" href="${pathTo(toMandate(mandateId))}">Voltar sem reduzir</a>
        </div>
      </form>`,
  });
};
