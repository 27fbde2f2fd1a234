import type { Delegation } from '#delegation';
import type { Parameters } from '#identity';
import { html, type Html } from '#site';

/** Who opens an agent's mandates, by the value of its field: whether it asks for each, and how a traveller reads it. */
const MODES = {
  agent: { asksFirst: false, text: 'Ele abre sozinho, dentro do limite' },
  ask: { asksFirst: true, text: 'Ele pede a sua permissão para cada um' },
} as const;

/** The choice between an agent that opens its mandates itself, and one that asks for each (docs/consistency.md, rule 31). */
export const modeChoice = (asksFirst: boolean): Html =>
  html`<fieldset class="mode">
    <legend>Novos mandatos de pagamento</legend>
    <div class="options">
      ${Object.entries(MODES).map(
        ([value, mode]) =>
          html`<label
            ><input type="radio" name="mode" value="${value}" ${mode.asksFirst === asksFirst && html`checked`} />
            ${mode.text}</label
          >`,
      )}
    </div>
  </fieldset>`;

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

/** Whether the agent asks first: as its traveller said, or as those do that are new to a traveller. */
export const asksFirstIn = (delegation: Delegation, newAgentsAsk: boolean): boolean =>
  delegation.status === 'unknown' ? newAgentsAsk : delegation.asksFirst;
