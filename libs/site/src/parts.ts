import { html, type Html } from './html.js';

/** A page to go back to. */
export interface Place {
  readonly path: string;
  readonly name: string;
}

/** Where a page is: the pages above it, the topmost first. */
export const trail = (places: readonly Place[]): Html =>
  html`<nav class="trail" aria-label="Onde você está">
    <ol>
      ${places.map(({ path, name }) => html`<li><a href="${path}">${name}</a></li>`)}
    </ol>
  </nav>`;

/** A term and its detail, in a `<dl class="facts">`. */
export const fact = (term: Html | string, detail: Html | string): Html =>
  html`<div>
    <dt>${term}</dt>
    <dd>${detail}</dd>
  </div>`;

/** The link to the rest of a list; nothing on its last page. */
export const nextLink = (path: string, cursor: string | null, text: string, parameter = 'cursor'): Html | false =>
  cursor !== null &&
  html`<p class="more"><a rel="next" href="${path}?${parameter}=${encodeURIComponent(cursor)}">${text}</a></p>`;
