import type { Parameters } from '#identity';
import { type Money, money } from '#kernel';
import type { Spending } from '#mandate';
import { amountEntry, amountIn, html, type Html, moneyText } from '#site';
import { amountChoice, amountEntered } from './amount-choice.js';

/** It cannot be read, or another amount is chosen beside it. */
export type CapProblem = 'unreadable' | 'torn';

export interface CapField {
  readonly id: string;
  /** The text in the field: the cap in force, or what the traveller wrote. */
  readonly entry: string;
  /** Why that text is no cap; null: it is one, or none was wanted. */
  readonly problem: CapProblem | null;
  readonly spending: Spending;
}

/** Amounts that a traveller can choose without typing, in cents. */
export const PRESETS: readonly number[] = [500_00, 1_000_00, 2_500_00];

/** The optional cap on the total that this agent may spend (docs/decisions.md, OAuth). */
export const capField = (field: CapField): Html =>
  html`${capProblem(field)}
    <div class="field">
      ${input(field, 'Limite total de gastos deste agente, em reais (opcional)', html` ${field.id}-uso`)}
      <p class="small note" id="${field.id}-ajuda">
        Em branco: sem limite. Se você não mexer neste campo, fica como está. ${WITH_CAP}
      </p>
      ${use(field)}
    </div>`;

/** The same for a traveller who decides whether to let the agent in: a few caps to choose from, and no cap by its name. */
export const capChoice = (field: CapField, legend: string): Html => {
  const presets = [
    ...PRESETS.map((amount) => ({
      entry: amountEntry(amount),
      text: `R$\u00a0${(amount / 100).toLocaleString('pt-BR')}`,
    })),
    { entry: '', text: 'Sem limite' },
  ];
  const choice = {
    name: 'cap',
    legend,
    presets,
    entry: field.entry,
    isTyped: field.problem !== null,
    field: (entry: string) => html`<div class="field">${input({ ...field, entry }, 'Outro valor, em reais')}</div>`,
    currency: 'BRL',
  };
  return html`${amountChoice(choice)}
    <p class="small" id="${field.id}-ajuda">
      Sem limite total, ele pode abrir vários mandatos, cada um com o seu teto.
    </p>`;
};

/** What a cap does, and what counts against it: for those who read on. */
export const capNotes = (field: CapField): Html =>
  html`<p class="small">${WITH_CAP}</p>
    ${(field.spending.spent.amount > 0 || field.spending.committed.amount > 0) && use(field)}`;

const WITH_CAP =
  'O limite é em reais e soma todas as compras. Se ele for menor que o já comprometido, mostramos o que seria encerrado antes de você confirmar.';

/** Why what is entered is no cap, with a link to its field. */
export const capProblem = ({ id, problem: why }: CapField): Html | false =>
  why !== null &&
  html`<div class="alert" role="alert" id="${id}-problema">
    <p>
      ${
        why === 'torn'
          ? html`Há um limite escrito e outra opção marcada. <a href="#${id}">Confira o valor escrito</a>, ou apague-o.`
          : html`Não entendemos o limite. <a href="#${id}">Digite um valor em reais</a>, por exemplo 1.500,00.`
      }
    </p>
  </div>`;

/** What describes its field where something is wrong with it. */
export const describedBy = ({ id, problem: why }: CapField): Html | false =>
  why !== null && html`aria-describedby="${id}-problema" aria-invalid="true" autofocus`;

/** `alsoBy`: what else on the page describes it. */
const input = ({ id, entry, problem: why }: CapField, label: string, alsoBy: Html | null = null): Html =>
  html`<label for="${id}">${label}</label>
    <input
      id="${id}"
      name="cap"
      value="${entry}"
      inputmode="decimal"
      autocomplete="off"
      aria-describedby="${why !== null && html`${id}-problema `}${id}-ajuda${alsoBy}"
      ${why !== null && html`aria-invalid="true" autofocus`}
    />`;

const use = ({ id, spending }: CapField): Html =>
  html`<p class="small" id="${id}-uso">
    Gasto: <strong>${moneyText(spending.spent)}</strong>, pelos mandatos abertos e pelos que terminaram desde que você
    definiu o primeiro limite. Comprometido: <strong>${moneyText(spending.committed)}</strong>, que os mandatos abertos
    ainda podem cobrar.
  </p>`;

/** A spending cap as a traveller writes it, in reais: null, no cap, where the field was left empty. */
export const capIn = (entry: string): Money | null | 'unreadable' => {
  const amount = amountIn(entry);
  return typeof amount === 'number' ? money(amount, 'BRL') : amount;
};

/** The cap that the consent page's form sets, and its text; undefined: the form says nothing of one. */
export const capEntered = (
  fields: Parameters,
): { readonly entry: string; readonly cap: Money | null | CapProblem } | undefined => {
  const entered = amountEntered(fields, 'cap');
  if (entered === undefined) return entered;
  const { entry, isTyped, isTorn } = entered;
  if (isTorn) return { entry, cap: 'torn' };
  return { entry, cap: isTyped && entry.trim() === '' ? 'unreadable' : capIn(entry) };
};

/** Why this is no cap; null: it is one, or none. */
export const problemOf = (cap: Money | null | CapProblem | undefined): CapProblem | null =>
  cap === 'unreadable' || cap === 'torn' ? cap : null;

export const capEntry = (cap: Money | null): string => (cap ? amountEntry(cap.amount) : '');

/** The cap that a form sets, as a member of what a consent says; nothing where it says nothing, or nothing readable. */
export const capSaid = (fields: Parameters): { readonly cap?: Money | null } => {
  const cap = capEntered(fields)?.cap;
  return cap === undefined || cap === 'unreadable' || cap === 'torn' ? {} : { cap };
};
