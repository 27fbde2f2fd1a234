import type { BaseUrls } from '#http';
import { logoutForm, type Visitor } from '#identity';
import { html, type Html, page, type Page } from '#site';

/** A page of a traveller's own: who is logged in, and the way out, stand below what it shows. */
export interface AccountPage {
  readonly status?: number;
  readonly title: string;
  readonly content: Html;
  readonly visitor: Visitor;
  readonly urls: BaseUrls;
  /** What it is part of, the account's first page first. */
  readonly trail?: readonly Place[];
  /** Whether it shows what needs more room than a form. */
  readonly isBroad?: boolean;
}

/** A page to go back to. */
export interface Place {
  readonly path: string;
  readonly name: string;
}

export const ACCOUNT: Place = { path: '/conta', name: 'Sua conta' };
export const MANDATES: Place = { path: '/conta/mandatos', name: 'Mandatos' };
export const ORDERS: Place = { path: '/conta/pedidos', name: 'Pedidos' };

export const accountPage = (content: AccountPage): Page => {
  const { status = 200, title, visitor, urls, trail = [], isBroad = false } = content;
  return {
    status,
    html: page({
      title,
      isBroad,
      content: html`${breadcrumbsOf(trail)}${content.content}${logoutForm(visitor, null)}`,
      host: new URL(urls.site).host,
    }),
  };
};

const breadcrumbsOf = (places: readonly Place[]): Html | false =>
  places.length > 0 &&
  html`<nav class="trail" aria-label="Onde você está">
    <ol>
      ${places.map(({ path, name }) => html`<li><a href="${path}">${name}</a></li>`)}
    </ol>
  </nav>`;
