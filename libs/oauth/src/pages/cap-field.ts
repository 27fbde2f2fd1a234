import type { Money } from '#kernel';
import { html, type Html, moneyText } from '#site';

/** The cap as the consent and account pages offer it. */
export interface CapField {
  /** The field's own on its page. */
  readonly id: string;
  /** What stands in the field: the cap in force, or what the traveller wrote. */
  readonly entry: string;
  /** Whether that could not be read. */
  readonly isUnreadable: boolean;
  /** What counts against a cap now. */
  readonly used: Money;
}

/** The optional cap on what this agent may spend in all (docs/decisions.md, OAuth). */
export const capField = ({ id, entry, isUnreadable, used }: CapField): Html =>
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
        reais.
      </p>
      <p class="small" id="${id}-uso">
        Já usado: <strong>${moneyText(used)}</strong> (os tetos dos mandatos abertos e o que os já encerrados gastaram
        desde o primeiro limite).
      </p>
    </div>`;
