import type { Airport } from '#catalog';
import type { Constraints } from '#events';
import { type Instant, plus } from '#kernel';
import { html, type Html, moneyText, soonText } from '#site';
import { amountNumber } from './amount-number.js';
import type { MandateDetail } from './authorization-details.js';
import { cityFields, flightsText } from './city-choice.js';
import {
  amountOf,
  constraintWords,
  durationFields,
  entryOf,
  type MandateEntry,
  minutesIn,
  nameOf,
} from './mandate-fields.js';

/** A condition in a few words, which opens what can be chosen about it. */
export const line = (words: Html, choice: Html, isOpen = false): Html =>
  html`<details class="line" ${isOpen && html`open`}>
    <summary><span>${words}</span></summary>
    <div>${choice}</div>
  </details>`;

interface AskedAmounts {
  readonly details: readonly MandateDetail[];
  readonly entries: readonly MandateEntry[];
  /** The airports of the flights on sale, one city of which may be chosen. */
  readonly onSale: readonly Airport[];
  /** What the ceilings come to together. */
  readonly total: Html | string;
  /** Whether what is entered cannot be granted: then nothing of it is folded. */
  readonly isWrong: boolean;
  readonly now: Instant;
}

/** The mandate that is asked for: its ceiling large, then its conditions; several are a line each, below what they come to. */
export const askedAmounts = (asked: AskedAmounts): Html => {
  const { details, total } = asked;
  if (details.length === 1) return html`${details.map((detail) => mandate(detail, 0, 'Compra pedida', asked))}`;
  return html`<p class="total">Para ${details.length} compras, até <strong data-total>${total}</strong></p>
    <div class="lines">${details.map((detail, place) => folded(detail, place, asked))}</div>`;
};

/** One of several: open where something else than what is asked for is entered, or something is wrong. */
const folded = (detail: MandateDetail, place: number, asked: AskedAmounts): Html => {
  const { details, entries, isWrong, now } = asked;
  const entry = entries[place] ?? entryOf(detail);
  const title = `Compra ${place + 1} de ${details.length}`;
  const limit = amountOf(entry, detail.limit.currency);
  const isAsAsked = Object.entries(entryOf(detail)).every(
    ([name, value]) => entry[name as keyof MandateEntry] === value,
  );
  const isNarrowed = Boolean(entry.orders || entry.from || entry.to);
  return line(
    html`${title}: até
      <strong data-entry="${nameOf('limit', place)}"
        >${limit === null ? 'o que você escrever' : moneyText(limit)}</strong
      >
      <span class="small beneath"
        >${flightsText(detail.constraints ?? {}, entry, place)}, ${untilText(entry, place, now)}</span
      >`,
    mandate(detail, place, title, asked),
    isWrong || !isAsAsked || isNarrowed,
  );
};

const mandate = (detail: MandateDetail, place: number, title: string, asked: AskedAmounts): Html => {
  const { entries, onSale, isWrong, now } = asked;
  const entry = entries[place] ?? entryOf(detail);
  const { constraints = {}, purpose, limit } = detail;
  return html`<section class="mandate" aria-label="${title}">
    ${amountNumber({
      name: nameOf('limit', place),
      label: html`Pode gastar até<span class="visually-hidden">, em ${limit.currency}</span>`,
      entry: entry.limit,
      currency: limit.currency,
    })}
    ${purpose !== undefined && html`<p class="small">Para quê, diz o agente: <q>${purpose}</q></p>`}
    <div class="lines">
      ${line(ordersText(entry.orders === '1' ? 1 : constraints.maxOrders, place, constraints.maxOrders), orders(detail, entry, place))}
      ${line(
        untilText(entry, place, now),
        html`${durationFields(entry, place)}
          <p class="small">Conta de quando você autorizar: de 1 minuto a 7 dias. Depois, nada mais é cobrado.</p>`,
        isWrong,
      )}
      ${line(flightsText(constraints, entry, place), flights(constraints, entry, place, onSale), isWrong)}
    </div>
  </section>`;
};

/** In how many purchases; the script beside the button keeps it to what is chosen. */
const ordersText = (most: number | undefined, place: number, asked: number | undefined): Html =>
  html`<span data-orders="${place + 1}" data-most="${asked ?? ''}">${inOrders(most)}</span>`;

const inOrders = (most: number | undefined): Html => {
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

const untilText = (entry: MandateEntry, place: number, now: Instant): Html => {
  const minutes = minutesIn(entry);
  const isTime = minutes >= 1 && minutes <= 10_080;
  const until = isTime ? soonText(plus(now, minutes * 60_000), now) : 'quando?';
  return html`<span data-until="${place + 1}">até <strong>${until}</strong></span>`;
};

/** The cities to choose from, and beside them what the agent asks for by itself. */
const flights = (constraints: Constraints, entry: MandateEntry, place: number, onSale: readonly Airport[]): Html => {
  const fields = cityFields({ constraints, chosen: entry, onSale, nameOf: (end) => nameOf(end, place) });
  const { from, to, maxOrders: _, ...others } = constraints;
  const words = constraintWords({
    ...(!fields.has('from') && { from }),
    ...(!fields.has('to') && { to }),
    ...others,
  });
  return html`${[...fields.values()]}
    ${
      words.length > 0 &&
      html`<ul class="scopes" role="list">
        ${words.map((one) => html`<li>${one}</li>`)}
      </ul>`
    }
    <p class="small">
      ${words.length > 0 ? 'Como o agente pediu: outra compra é recusada.' : 'Com uma cidade escolhida, compras de outros voos são recusadas.'}
    </p>`;
};
