import type { Links } from '#http';
import { leaveForm, type Visitor } from '#oauth';
import { html, type Html, page, type Page } from '#site';

/** A page of a traveller's own: who is logged in, and the way out, stand below what it shows. */
export interface AccountPage {
  readonly status?: number;
  readonly title: string;
  readonly content: Html;
  readonly visitor: Visitor;
  readonly links: Links;
}

export const accountPage = ({ status = 200, title, content, visitor, links }: AccountPage): Page => ({
  status,
  html: page({ title, content: html`${content}${leaveForm(visitor, null)}`, host: new URL(links.site).host }),
});
