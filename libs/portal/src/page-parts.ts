import { DomainError } from '#kernel';
import type { PlacedOrder } from '#order';
import { html, type Html } from '#site';

export const part = (id: string, heading: Html | string, content: Html): Html =>
  html`<section class="part" aria-labelledby="${id}">
    <h2 id="${id}">${heading}</h2>
    ${content}
  </section>`;

/** What is allowed, or under which conditions, as a list. */
export const termList = (texts: readonly string[]): Html =>
  html`<ul class="scopes" role="list">
    ${texts.map((text) => html`<li>${text}</li>`)}
  </ul>`;

export const ORDER_WORDS: Readonly<Record<PlacedOrder['kind'], string>> = {
  pending: 'em andamento',
  paid: 'pago',
  cancelled: 'cancelado',
  failed: 'não concluído',
};

/** `Visa final 4242`. */
export const cardText = ({ brand, last4 }: { readonly brand: string; readonly last4: string }): string =>
  `${BRANDS[brand] ?? 'Cartão'} final ${last4}`;

const BRANDS: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
};

/** The words for an event of this type, which may be one that nobody knows: then `other`. */
export const wordsFor = (type: string, words: Readonly<Record<string, string>>, other = type): string =>
  Object.hasOwn(words, type) ? (words[type] ?? other) : other;

/** The page of a list that an address asks for, of at most `limit` items. @throws DomainError `invalid_cursor` */
export const requestedPage = (cursor: unknown, limit: number): { limit: number; cursor: string | undefined } => {
  if (cursor === undefined) return { limit, cursor };
  if (typeof cursor !== 'string') throw new DomainError('invalid_cursor');
  return { limit, cursor };
};
