import type { Constraints } from '#events';
import { type Instant, plus } from '#kernel';
import { html, type Html, soonText } from '#site';
import { amountNumber } from './amount-number.js';
import type { MandateDetail } from './authorization-details.js';
import { citiesText, constraintWords, durationFields, type MandateEntry, minutesIn, nameOf } from './mandate-fields.js';

/** A condition in a few words, which opens what can be chosen about it. */
export const line = (words: Html, choice: Html, isOpen = false): Html =>
  html`<details class="line" ${isOpen && html`open`}>
    <summary><span>${words}</span></summary>
    <div>${choice}</div>
  </details>`;

interface AskedAmounts {
  readonly details: readonly MandateDetail[];
  readonly entries: readonly MandateEntry[];
  /** Whether what is entered cannot be granted: then nothing of it is folded. */
  readonly isWrong: boolean;
  readonly now: Instant;
}

/** Each mandate that is asked for: its ceiling large, then in how many purchases, until when, for which flights. */
export const askedAmounts = ({ details, entries, isWrong, now }: AskedAmounts): Html =>
  html`${details.map((detail, place) => {
    const entry = entries[place] ?? { limit: '', duration: '', unit: 'minutes' };
    const title = details.length === 1 ? 'Compra pedida' : `Compra ${place + 1} de ${details.length}`;
    return html`<section class="mandate" aria-label="${title}">
      ${details.length > 1 && html`<h2>${title}</h2>`}
      ${amountNumber({
        name: nameOf('limit', place),
        label: html`Pode gastar até<span class="visually-hidden">, em ${detail.limit.currency}</span>`,
        entry: entry.limit,
        currency: detail.limit.currency,
      })}
      ${detail.purpose !== undefined && html`<p class="small">Para quê, diz o agente: <q>${detail.purpose}</q></p>`}
      <div class="lines">
        ${line(ordersText(entry.orders === '1' ? 1 : detail.constraints?.maxOrders), orders(detail, entry, place))}
        ${line(
          untilText(entry, now),
          html`${durationFields(entry, place)}
            <p class="small">Conta de quando você autorizar: de 1 minuto a 7 dias. Depois, nada mais é cobrado.</p>`,
          isWrong,
        )}
        ${line(flightsText(detail.constraints ?? {}), flights(detail.constraints ?? {}))}
      </div>
    </section>`;
  })}`;

const ordersText = (most: number | undefined): Html => {
  if (most === undefined) return html`em <strong>quantas compras quiser</strong>`;
  return most === 1 ? html`em <strong>uma compra</strong>` : html`em até <strong>${most} compras</strong>`;
};

/** As many as asked for, or one. */
const orders = ({ constraints }: MandateDetail, { orders }: MandateEntry, place: number): Html => {
  const most = constraints?.maxOrders;
  if (most === 1) return html`<p class="small">Depois dessa compra, ele não gasta mais nada sem pedir de novo.</p>`;
  const options = [
    { value: '', text: most === undefined ? 'Quantas couberem no valor' : `Até ${most}, como pediu` },
    { value: '1', text: 'Só uma' },
  ];
  const name = nameOf('orders', place);
  return html`<fieldset>
    <legend>Quantas compras</legend>
    <div class="options">
      ${options.map(
        ({ value, text }) =>
          html`<label
            ><input
              type="radio"
              name="${name}"
              value="${value}"
              ${(orders === '1') === (value === '1') && html`checked`}
            />
            ${text}</label
          >`,
      )}
    </div>
  </fieldset>`;
};

const untilText = (entry: MandateEntry, now: Instant): Html => {
  const minutes = minutesIn(entry);
  return minutes >= 1 && minutes <= 10_080
    ? html`até <strong>${soonText(plus(now, minutes * 60_000), now)}</strong>`
    : html`até <strong>quando?</strong>`;
};

const flightsText = ({ from, to }: Constraints): Html => {
  if (!from && !to) return html`em <strong>qualquer voo</strong>`;
  const ends = [
    ...(from ? [html`de <strong>${citiesText(from)}</strong> `] : []),
    ...(to ? [html`para <strong>${citiesText(to)}</strong>`] : []),
  ];
  return html`voos ${ends}`;
};

const flights = (constraints: Constraints): Html => {
  const { from, to, maxPricePerSeat } = constraints;
  const words = constraintWords({
    ...(from && { from }),
    ...(to && { to }),
    ...(maxPricePerSeat && { maxPricePerSeat }),
  });
  return html`<ul class="scopes" role="list">
      ${(from || to ? words : ['Em qualquer voo', ...words]).map((one) => html`<li>${one}</li>`)}
    </ul>
    <p class="small">
      ${words.length > 0 ? 'Como o agente pediu: outra compra é recusada.' : 'O agente não pediu um voo certo.'}
    </p>`;
};
