import { html, type Html } from '#site';
import type { PlacedOrder } from '#order';

/** An order's status, in a word or two. */
export const ORDER_WORDS: Readonly<Record<PlacedOrder['kind'], string>> = {
  pending: 'em andamento',
  paid: 'pago',
  failed: 'não concluído',
};

/** The status as a mark. */
export const orderMark = ({ kind }: PlacedOrder): Html =>
  html`<span class="${kind === 'failed' ? 'mark-off' : 'mark-on'}">${ORDER_WORDS[kind]}</span>`;
