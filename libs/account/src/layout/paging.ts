import { DomainError } from '#kernel';
import { html, type Html } from '#site';

/** The page of a list that an address asks for, of at most `limit` items. @throws DomainError `invalid_cursor` */
export const pageAsked = (cursor: unknown, limit: number): { limit: number; cursor: string | undefined } => {
  if (cursor === undefined) return { limit, cursor };
  if (typeof cursor !== 'string') throw new DomainError('invalid_cursor');
  return { limit, cursor };
};

/** The way to the rest of a list; nothing on its last page. */
export const nextLink = (path: string, nextCursor: string | null, text: string): Html | false =>
  nextCursor !== null &&
  html`<p class="more"><a rel="next" href="${path}?cursor=${encodeURIComponent(nextCursor)}">${text}</a></p>`;
