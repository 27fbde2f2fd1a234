import { type Money, money } from '#kernel';
import type { Spending } from '#mandate';
import { amountEntry, amountIn, html, type Html, moneyText } from '#site';

/** The field for the cap on the consent and account pages. */
export interface CapField {
  /** Its `id` on the page. */
  readonly id: string;
  /** The text in the field: the cap in force, or what the traveller wrote. */
  readonly entry: string;
  /** Whether that text is unreadable. */
  readonly isUnreadable: boolean;
  /** What counts against a cap now. */
  readonly spending: Spending;
}

/** The optional cap on the total that this agent may spend (docs/decisions.md, OAuth). */
export const capField = ({ id, entry, isUnreadable, spending }: CapField): Html =>
  html`${
      isUnreadable &&
      html`<div class="alert" role="alert" id="${id}-problema">
        <p>
          Não entendemos o limite. <a href="#${id}">Escreva um valor em reais</a>, como 1.500,00, de até
          10.000.000.000,00, ou deixe o campo em branco.
        </p>
      </div>`
    }
    <div class="field">
      <label for="${id}">Limite total de gastos deste agente, em reais (opcional)</label>
      <input
        id="${id}"
        name="cap"
        value="${entry}"
        inputmode="decimal"
        autocomplete="off"
        aria-describedby="${isUnreadable && html`${id}-problema `}${id}-ajuda ${id}-uso"
        ${isUnreadable && html`aria-invalid="true" autofocus`}
      />
      <p class="small note" id="${id}-ajuda">
        Em branco: sem limite. Se você não mexer neste campo, fica como está. Com limite, o agente só abre mandatos em
        reais, e os mandatos abertos que não couberem nele terminam: antes disso, você vê quais.
      </p>
      <p class="small" id="${id}-uso">
        Gasto: <strong>${moneyText(spending.spent)}</strong> (o que os mandatos abertos já cobraram e o que os
        encerrados gastaram desde o primeiro limite). Comprometido: <strong>${moneyText(spending.committed)}</strong> (o
        que os mandatos abertos ainda podem cobrar).
      </p>
    </div>`;

/** A spending cap as a traveller writes it, in reais: null, no cap, where the field was left empty. */
export const capIn = (entry: string): Money | null | 'unreadable' => {
  const amount = amountIn(entry);
  return typeof amount === 'number' ? money(amount, 'BRL') : amount;
};

/** The text of a cap in the field. */
export const capEntry = (cap: Money | null): string => (cap ? amountEntry(cap.amount) : '');
