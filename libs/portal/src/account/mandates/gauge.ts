import { type Money, money } from '#kernel';
import { type GrantedMandate, remainingOf, reservedOf } from '#mandate';
import { html, type Html, moneyText } from '#site';

/** What was charged and what is set aside of all of it, as one bar of cents. */
export const gauge = (all: number, charged: number, reserved: number): Html => {
  const shareOf = (amount: number) => ((amount / Math.max(1, all)) * 100).toFixed(2);
  const consumed = shareOf(charged);
  return html`<svg class="gauge" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" focusable="false">
    <rect class="gauge-rest" width="100" height="4" />
    <rect class="gauge-reserved" x="${consumed}" width="${shareOf(reserved)}" height="4" />
    <rect class="gauge-consumed" width="${consumed}" height="4" />
  </svg>`;
};

export const legendItem = (kind: string, name: string, amount: Money): Html =>
  html`<li class="legend-${kind}">
    <span>${name} <strong>${moneyText(amount)}</strong></span>
  </li>`;

/** A mandate's bar, and what its colours are, each with its amount. `rest`: what is neither charged nor set aside. */
export const mandateBar = (mandate: GrantedMandate, rest: string): Html => {
  const { limit, consumed } = mandate;
  const reserved = reservedOf(mandate);
  return html`${gauge(limit.amount, consumed, reserved.amount)}
    <ul class="legend" role="list">
      ${legendItem('consumed', 'Gasto', money(consumed, limit.currency))}
      ${reserved.amount > 0 && legendItem('reserved', 'Separado para uma compra em andamento', reserved)}
      ${legendItem('rest', rest, remainingOf(mandate))}
    </ul>`;
};
