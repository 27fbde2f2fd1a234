/** Markup that is safe to send: everything that came from outside is escaped in it. */
export class Html {
  constructor(readonly text: string) {}
}

/** What can stand in a template: text is escaped; markup and lists of it go in as they are; null and false leave nothing. */
export type Insertion = string | number | Html | readonly Html[] | null | false;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it must stand in an element or a quoted attribute. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');

const inserted = (insertion: Insertion): string => {
  if (insertion === null || insertion === false) return '';
  if (insertion instanceof Html) return insertion.text;
  if (typeof insertion === 'object') return insertion.map(({ text }) => text).join('');
  return escaped(String(insertion));
};

/** A template of markup: html`<p>${name}</p>` escapes `name`. Attributes are always written in double quotes. */
export const html = (strings: TemplateStringsArray, ...insertions: readonly Insertion[]): Html =>
  new Html(strings.reduce((text, string, place) => text + inserted(insertions[place - 1] ?? null) + string));

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
