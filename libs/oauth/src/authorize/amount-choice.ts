import type { Parameters } from '#identity';
import { html, type Html } from '#site';

/** The choice of what is typed in the field beside the others. */
const TYPED = 'typed';

/** An amount that is chosen among a few, or typed. */
export interface AmountChoice {
  /** Of the field for what is typed; the choices are `<name>-choice`. */
  readonly name: string;
  readonly legend: string;
  /** Each as its field would have it, and as people read it. */
  readonly presets: readonly { readonly entry: string; readonly text: string }[];
  /** What is chosen: the entry of a preset; of any other, what is typed. null: what is typed, whatever it is. */
  readonly chosen: string | null;
  /** The field with its label. */
  readonly field: Html;
}

/** Radio buttons, and the field of the last one, which shows where that one is chosen. It needs no script. */
export const amountChoice = ({ name, legend, presets, chosen, field }: AmountChoice): Html => {
  const isPreset = presets.some(({ entry }) => entry === chosen);
  const options = [
    ...presets.map(({ entry, text }) => ({ value: entry, text, isChosen: entry === chosen })),
    { value: TYPED, text: 'Outro valor', isChosen: !isPreset },
  ];
  return html`<fieldset class="amount">
    <legend>${legend}</legend>
    <div class="options">
      ${options.map(
        ({ value, text, isChosen }) =>
          html`<label
            ><input type="radio" name="${name}-choice" value="${value}" ${isChosen && html`checked`} /> ${text}</label
          >`,
      )}
    </div>
    <div class="typed">${field}</div>
  </fieldset>`;
};

/** What a form enters as an amount: a preset, or what is typed. Programs may send the field alone. undefined: neither. */
export const amountEntered = (fields: Parameters, name: string): string | undefined => {
  const choice = fields.entered(`${name}-choice`);
  return choice === undefined || choice === TYPED ? fields.entered(name) : choice;
};

/** Whether a form says that an amount is typed, and leaves its field empty. */
export const isTypedEmpty = (fields: Parameters, name: string): boolean =>
  fields.entered(`${name}-choice`) === TYPED && (fields.entered(name) ?? '').trim() === '';
