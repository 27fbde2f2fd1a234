import { type AccountRegistration, nameOf } from '#identity';
import { html, type Html } from '#site';

/** What each card of the test processor does (docs/decisions.md, Test processor). */
const CARDS = [
  ['4242 4242 4242 4242', 'aprovado'],
  ['4000 0000 0000 3220', 'pede a confirmação do viajante'],
  ['4000 0000 0000 0002', 'recusado'],
  ['4000 0000 0000 9995', 'sem saldo'],
] as const;

/** The thin bar of an environment where anybody may be a traveller. It is the same for everybody, so pages are kept with it. */
export const testBar = ({ email }: AccountRegistration): Html =>
  html`<aside class="testbar" aria-label="Ambiente de testes">
    <div class="within">
      <p><strong>Ambiente de testes</strong></p>
      <a href="/conta">Entrar como ${nameOf(email)}</a>
      <details>
        <summary>Cartões de teste</summary>
        <ul role="list">
          ${CARDS.map(([number, what]) => html`<li><code>${number}</code> ${what}</li>`)}
        </ul>
        <p class="small">Com qualquer validade no futuro e qualquer código. Nada é cobrado de verdade.</p>
      </details>
    </div>
  </aside>`;
