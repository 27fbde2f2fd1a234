import type { Parameters } from '#identity';
import { capOf, type Delegation, mustAsk } from '#mandate';
import { html, type Html, moneyText } from '#site';

/** Who opens an agent's mandates, by the value of its field: whether it asks for each, and how a traveller reads it. */
const MODES = {
  ask: { asksFirst: true, text: 'O agente pergunta antes' },
  agent: { asksFirst: false, text: 'O agente decide sozinho' },
} as const;

/** The choice between an agent that opens its mandates itself, and one that asks for each (docs/consistency.md, rule 31). */
export const modeChoice = (asksFirst: boolean, legend: string, note: string | null): Html =>
  html`<fieldset class="mode">
    <legend>${legend}</legend>
    <div class="options">
      ${Object.entries(MODES).map(
        ([value, mode]) =>
          html`<label
            ><input type="radio" name="mode" value="${value}" ${mode.asksFirst === asksFirst && html`checked`} />
            ${mode.text}</label
          >`,
      )}
    </div>
    ${note !== null && html`<p class="small note">${note}</p>`}
  </fieldset>`;

/** How an agent comes to buy, in the middle of a sentence. */
export const modeText = (asksFirst: boolean): string =>
  asksFirst ? 'ele pergunta antes de cada compra' : 'ele decide sozinho';

/** The same, as a script keeps it to what is chosen. */
export const modeWords = (asksFirst: boolean): Html =>
  html`${Object.entries(MODES).map(
    ([value, mode]) =>
      html`<span data-mode="${value}" ${mode.asksFirst !== asksFirst && html`hidden`}
        ><strong>${modeText(mode.asksFirst)}</strong></span
      >`,
  )}`;

/** Whether the agent is to ask, as a form has it; undefined: it says nothing of it, and nothing changes. */
export const modeEntered = (fields: Parameters): boolean | undefined => {
  const mode = fields.entered('mode');
  return mode === 'agent' || mode === 'ask' ? MODES[mode].asksFirst : undefined;
};

/** The choice as it was sent, for a page that asks once more before anything is granted. */
export const hiddenMode = (fields: Parameters): Html | false => {
  const asksFirst = modeEntered(fields);
  return asksFirst !== undefined && html`<input type="hidden" name="mode" value="${asksFirst ? 'ask' : 'agent'}" />`;
};

/** Which agents a consent without a choice makes ask: with named mandates all that are not let in; else new ones, if so set. */
export const asksUnless = (details: readonly unknown[], newAgentsAsk: boolean): 'known' | 'authorized' | undefined =>
  details.length > 0 ? 'authorized' : newAgentsAsk ? 'known' : undefined;

/** How an agent is let in already; null: it is not. */
export const presentText = (delegation: Delegation): string | null => {
  if (delegation.status !== 'authorized') return null;
  const cap = capOf(delegation);
  return `Hoje: ${modeText(mustAsk(delegation))}, ${cap ? `com limite total de ${moneyText(cap.limit)}` : 'sem limite total'}.`;
};
