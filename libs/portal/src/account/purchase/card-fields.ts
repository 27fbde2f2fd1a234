import type { Card } from '#checkout';
import type { Parameters } from '#identity';
import { html, type Html } from '#site';

/** Fields of a test card, which is typed anew each time. Not those that a browser fills in: those cards are real. `kept`: what becomes of it. */
export const cardFields = (isWrong: boolean, kept = 'O cartão não é guardado.'): Html =>
  html`<fieldset class="card-fields" aria-describedby="cartao-ajuda">
    <legend>Cartão de teste</legend>
    <div class="field">
      <label for="cartao">Número do cartão</label>
      ${input('cartao', 'cardNumber', isWrong)}
    </div>
    <div class="pair">
      <div class="field">
        <label for="validade">Validade, MM/AA</label>
        ${input('validade', 'expiry', isWrong)}
      </div>
      <div class="field">
        <label for="cvc">Código (CVC)</label>
        ${input('cvc', 'cvc', isWrong)}
      </div>
    </div>
    <p class="small note" id="cartao-ajuda">
      Nunca um cartão de verdade. 4242 4242 4242 4242 é aprovado, 4000 0000 0000 0002 é recusado e 4000 0000 0000 3220
      pede a sua confirmação; validade no futuro e qualquer código. ${kept}
    </p>
  </fieldset>`;

const LENGTHS: Readonly<Record<string, number>> = { cardNumber: 23, expiry: 7, cvc: 4 };

const input = (id: string, name: string, isWrong: boolean): Html =>
  html`<input
    id="${id}"
    name="${name}"
    inputmode="${name === 'expiry' ? 'text' : 'numeric'}"
    maxlength="${LENGTHS[name] ?? 0}"
    autocomplete="off"
    required
    ${isWrong && html`aria-describedby="compra-problema"`}
    ${isWrong && name === 'cardNumber' && html`autofocus`}
  />`;

/** The card that was typed. No page shows it again. */
export const cardIn = (fields: Parameters): Card => {
  const typed = (name: string): string => (fields.optional(name) ?? '').trim();
  return { cardNumber: typed('cardNumber'), expiry: typed('expiry'), cvc: typed('cvc') };
};
