import type { Parameters } from '#identity';
import type { Currency } from '#kernel';
import { amountEntry, amountIn, currencySign, html, type Html } from '#site';
import { amountEntered, TYPED } from './amount-choice.js';

/** What a traveller is offered as a first limit, in cents. */
export const FIRST_AMOUNT = 500_00;
const HIGHEST = 10 ** 12;
/** How many characters of an amount are set in the largest type. */
const LONG = 8;

export interface AmountNumber {
  /** Of its field: `cap`, or `limit-1`. */
  readonly name: string;
  readonly label: Html | string;
  /** The text in the field. */
  readonly entry: string;
  readonly currency: Currency;
  /** What else is said of the field: attributes of it. */
  readonly attributes?: Html | false;
}

/** The one number of a consent: large, to be typed over, with a − and a + that come back with another one. */
export const amountNumber = ({ name, label, entry, currency, attributes = false }: AmountNumber): Html =>
  html`<div class="number" data-amount="${name}" data-currency="${currency}">
    <label for="${name}">${label}</label>
    <div>
      ${step(name, '-', 'Diminuir o valor', '−')}
      <span class="typing${entry.length > LONG && ' long'}"
        ><span aria-hidden="true">${currencySign(currency)}</span>
        <input
          id="${name}"
          name="${name}"
          value="${entry}"
          size="6"
          inputmode="decimal"
          autocomplete="off"
          ${attributes}
      /></span>
      ${step(name, '+', 'Aumentar o valor', '+')}
    </div>
  </div>`;

const step = (name: string, way: '-' | '+', label: string, sign: string): Html =>
  html`<button class="quiet" type="submit" name="step" value="${name} ${way}" aria-label="${label}">${sign}</button>`;

/** How far apart the amounts are that − and + lead to, in cents: half of the leading digit's place, a real at least. */
const apart = (cents: number): number => Math.max(100, 5 * 10 ** (String(cents).length - 2));

const raised = (cents: number): number => Math.min(HIGHEST, (Math.floor(cents / apart(cents)) + 1) * apart(cents));

/** The last amount below, or the same where that would be nothing. */
const lowered = (cents: number): number => {
  const unit = apart(Math.max(0, cents - 1));
  return Math.max(0, (Math.ceil(cents / unit) - 1) * unit) || cents;
};

/** The form as it stands once one of its buttons beside an amount was pressed. What is no amount stays. */
export const stepped = (fields: Parameters): Parameters => {
  const [, name, way] = /^(cap|limit-\d) ([-+x])$/.exec(fields.entered('step') ?? '') ?? [];
  if (name === undefined) return fields;
  if (way === 'x') return fields.with(name, '').with(`${name}-choice`, '');
  const amount = amountIn(amountEntered(fields, name)?.entry ?? '');
  if (amount === 'unreadable') return fields;
  const next = amount === null ? FIRST_AMOUNT : way === '+' ? raised(amount) : lowered(amount);
  return fields.with(name, amountEntry(next)).with(`${name}-choice`, TYPED);
};
