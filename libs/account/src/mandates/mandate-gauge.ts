import { type Money, money } from '#kernel';
import { type GrantedMandate, remainingOf, reservedOf } from '#mandate';
import { html, type Html, moneyText } from '#site';

/** How much of a mandate's ceiling is charged and set aside, as a bar; the numbers beside it say the same. */
export const mandateGauge = (mandate: GrantedMandate): Html => {
  const shareOf = (amount: number) => ((amount / mandate.limit.amount) * 100).toFixed(2);
  const consumed = shareOf(mandate.consumed);
  return html`<svg class="gauge" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" focusable="false">
    <rect class="gauge-rest" width="100" height="4" />
    <rect class="gauge-reserved" x="${consumed}" width="${shareOf(reservedOf(mandate).amount)}" height="4" />
    <rect class="gauge-consumed" width="${consumed}" height="4" />
  </svg>`;
};

/** What the colours of the bar are, each with its amount; `rest`: what is neither charged nor set aside. */
export const gaugeLegend = (mandate: GrantedMandate, rest: string): Html =>
  html`<ul class="legend" role="list">
    ${part('consumed', 'Cobrado', money(mandate.consumed, mandate.limit.currency))}
    ${part('reserved', 'Reservado', reservedOf(mandate))} ${part('rest', rest, remainingOf(mandate))}
  </ul>`;

const part = (kind: string, name: string, amount: Money): Html =>
  html`<li class="legend-${kind}">
    <span>${name} <strong>${moneyText(amount)}</strong></span>
  </li>`;
