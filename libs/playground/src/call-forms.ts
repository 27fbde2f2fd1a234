import { html, type Html } from '#site';
import { callsOfAPurchase, type Call, type Field } from './calls.js';

const control = (id: string, { name, value, options, kind, from }: Field): Html => {
  const source = from !== undefined && html`data-from="${from}"`;
  if (options) {
    return html`<select id="${id}" name="${name}">
      ${options.map(([option, text]) => html`<option value="${option}">${text}</option>`)}
    </select>`;
  }
  return html`<input
    id="${id}"
    name="${name}"
    value="${value}"
    type="${kind === 'integer' ? 'number' : 'text'}"
    autocomplete="off"
    spellcheck="false"
    required
    ${source}
  />`;
};

const field = (call: string, one: Field): Html => {
  const id = `${call}-${one.name.replaceAll('.', '-')}`;
  return html`<div class="field"><label for="${id}">${one.label}</label>${control(id, one)}</div>`;
};

/** A call of the API to fill in and send. The script reads method and path from it, and the body's form from the fields' names. */
const callForm = ({ name, title, method, path, scopes, fields, fixed = {} }: Call): Html =>
  html`<form
    class="call"
    data-call="${name}"
    data-method="${method}"
    data-path="${path}"
    ${scopes.length > 0 && html`data-needs-token`}
  >
    <h3>${title}</h3>
    <p class="small"><code>${method} ${path}</code> · ${scopes.join(' e ') || 'sem token'}</p>
    <div class="fields">${fields.map((one) => field(name, one))}</div>
    ${Object.entries(fixed).map(([fixedName, value]) => html`<input type="hidden" name="${fixedName}" value="${value}" />`)}
    <button type="submit">${title}</button>
    <div data-shown></div>
  </form>`;

export const callForms = (cardExpiry: string): Html => html`${callsOfAPurchase(cardExpiry).map(callForm)}`;
