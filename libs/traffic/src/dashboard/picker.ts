import { html, type Html } from '#site';
import { OPERATIONS } from '../figures/names.rule.js';
import { addressOf, type Asked, FIELDS, isFiltered, LABELS, PERIODS } from './asked.js';
import { familyText, operationText } from './texts.js';

type Option = readonly [value: string, text: string];

const field = (name: string, label: string, chosen: string, options: readonly Option[]): Html =>
  html`<div class="field">
    <label for="${name}">${label}</label>
    <select id="${name}" name="${name}">
      ${options.map(
        ([value, text]) => html`<option value="${value}" ${value === chosen && html`selected`}>${text}</option>`,
      )}
    </select>
  </div>`;

const byText = ([, one]: Option, [, other]: Option): number => one.localeCompare(other, 'pt-BR');

/** Chooses what the page is of, at once by script, else by button. Families that may not be named are not offered. */
export const picker = (
  { period, filter: { operation = '', agent = '' } }: Asked,
  families: readonly string[],
): Html => {
  const offered = new Set(agent === '' ? families : [...families, agent]);
  return html`<form class="picker" method="get" action="/observability" data-part="picker">
    ${field(
      FIELDS.period,
      LABELS.period,
      period.name,
      PERIODS.map(({ name, text }) => [name, text]),
    )}
    ${field(FIELDS.agent, LABELS.agent, agent, [
      ['', 'Todos'],
      ...[...offered].map((family): Option => [family, familyText(family)]).sort(byText),
    ])}
    ${field(FIELDS.operation, LABELS.operation, operation, [
      ['', 'Todas'],
      ...OPERATIONS.map((name): Option => [name, operationText(name)]).sort(byText),
    ])}
    <button type="submit" data-part="apply">Mostrar</button>
    <button class="quiet" type="button" data-part="print" hidden>Imprimir</button>
  </form>`;
};

/** What of the calls the figures are of, and the way back to all of them; null: they are of all. */
export const filterNote = (asked: Asked): Html | null => {
  if (!isFiltered(asked)) return null;
  const { operation, agent } = asked.filter;
  return html`<p class="outcome filtered">
    Só
    chamadas${operation !== undefined && html` de <strong>${operationText(operation)}</strong>`}${
      agent !== undefined && html` da família <strong>${familyText(agent)}</strong>`
    }.
    <a href="${addressOf(asked, { operation: undefined, agent: undefined })}" data-filter>Mostrar todas</a>
  </p>`;
};
