import type { Money } from '#kernel';
import { html, type Html, moneyText } from '#site';

/** A cap under which open mandates would end (docs/consistency.md, rule 28), and their limits, oldest first. */
export interface CapConsequences {
  readonly cap: Money;
  readonly ended: readonly Money[];
}

/** The hidden field of a form whose page said what will end. */
export const CONFIRMED = html`<input type="hidden" name="confirm" value="ending" />`;

/** Mandates named one by one; the rest are counted. */
const NAMED = 10;

/** What the traveller reads before such a cap is set. */
export const capConsequences = ({ cap, ended }: CapConsequences): Html =>
  html`<p>
      ${ended.length === 1 ? 'Um mandato aberto não cabe' : `${ended.length} mandatos abertos não cabem`} no limite de
      <strong>${moneyText(cap)}</strong>, e ${ended.length === 1 ? 'termina' : 'terminam'} se você confirmar:
    </p>
    <ul class="effects">
      ${ended.slice(0, NAMED).map((limit) => html`<li>Mandato com teto de ${moneyText(limit)}</li>`)}
      ${ended.length > NAMED && html`<li>E mais ${ended.length - NAMED}</li>`}
    </ul>
    <p class="small note">
      Nada mais é cobrado deles, e as compras em andamento param sem cobrança. O que já foi pago continua valendo e
      conta no limite. Ficam os mandatos mais antigos que couberem, também entre os que o agente abrir até você
      confirmar.
    </p>`;
