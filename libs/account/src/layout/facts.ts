import { html, type Html, instantText } from '#site';
import type { Instant } from '#kernel';

/** A term and what is to be said of it; in a `<dl class="facts">`. */
export const fact = (term: string, detail: Html | string): Html =>
  html`<div>
    <dt>${term}</dt>
    <dd>${detail}</dd>
  </div>`;

/** An instant, for people and for programs. */
export const timeOf = (instant: Instant): Html => html`<time datetime="${instant}">${instantText(instant)}</time>`;
