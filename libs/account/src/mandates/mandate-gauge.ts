import { type GrantedMandate, reservedOf } from '#mandate';
import { html, type Html } from '#site';

/** How much of a mandate's ceiling is charged and set aside, as a bar; the numbers beside it say the same. */
export const mandateGauge = (mandate: GrantedMandate): Html => {
  const part = (amount: number) => ((amount / mandate.limit.amount) * 100).toFixed(2);
  const consumed = part(mandate.consumed);
  return html`<svg class="gauge" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" focusable="false">
    <rect class="gauge-rest" width="100" height="4" />
    <rect class="gauge-reserved" x="${consumed}" width="${part(reservedOf(mandate).amount)}" height="4" />
    <rect class="gauge-consumed" width="${consumed}" height="4" />
  </svg>`;
};
