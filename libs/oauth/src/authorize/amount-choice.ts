import type { Parameters } from '#identity';
import { amountIn, html, type Html } from '#site';

/** The choice of what is typed in the field beside the others. */
export const TYPED = 'typed';

export interface AmountChoice {
  /** Of the field for what is typed; the choices are `<name>-choice`. */
  readonly name: string;
  readonly legend: string;
  /** Each as its field would have it, and as people read it. */
  readonly presets: readonly { readonly entry: string; readonly text: string }[];
  /** What is entered: a preset is chosen; anything else, and what counts as typed in any case, stands in the field. */
  readonly entry: string;
  readonly isTyped: boolean;
  readonly field: (value: string) => Html;
  /** What the script beside the button counts it in: a currency. */
  readonly currency: string;
}

/** Radio buttons, and the field of the last one, which shows where that one is chosen. It needs no script. */
export const amountChoice = ({ name, legend, presets, entry, isTyped, field, currency }: AmountChoice): Html => {
  const isPreset = !isTyped && presets.some((preset) => preset.entry === entry);
  const options = [
    ...presets.map((preset) => ({
      value: preset.entry,
      text: preset.text,
      isChosen: isPreset && preset.entry === entry,
    })),
    { value: TYPED, text: 'Outro valor', isChosen: !isPreset },
  ];
  return html`<fieldset class="amount" data-amount="${name}" data-currency="${currency}">
    <legend>${legend}</legend>
    <div class="options">
      ${options.map(
        ({ value, text, isChosen }) =>
          html`<label
            ><input type="radio" name="${name}-choice" value="${value}" ${isChosen && html`checked`} /> ${text}</label
          >`,
      )}
    </div>
    <div class="typed">${field(isPreset ? '' : entry)}</div>
  </fieldset>`;
};

export interface AmountEntered {
  readonly entry: string;
  /** Whether the form says that it is typed, and not one of those to choose from. */
  readonly isTyped: boolean;
  /** Whether a choice is made, and another amount stands in the field beside it: nobody knows which one is meant. */
  readonly isTorn: boolean;
}

/** What a form enters as an amount: a preset, or what is typed. Programs may send the field alone. undefined: neither. */
export const amountEntered = (fields: Parameters, name: string): AmountEntered | undefined => {
  const [choice, typed] = [fields.entered(`${name}-choice`), fields.entered(name)];
  if (choice === undefined) return typed === undefined ? undefined : { entry: typed, isTyped: false, isTorn: false };
  if (choice === TYPED) return { entry: typed ?? '', isTyped: true, isTorn: false };
  const isTorn = typed !== undefined && typed.trim() !== '' && amountIn(typed) !== amountIn(choice);
  return isTorn ? { entry: typed, isTyped: true, isTorn } : { entry: choice, isTyped: false, isTorn };
};
