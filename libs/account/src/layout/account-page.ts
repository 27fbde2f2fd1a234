import type { BaseUrls } from '#http';
import { logoutForm, type Session } from '#identity';
import { DomainError, type Instant } from '#kernel';
import { html, type Html, instantText, page, type Page } from '#site';

/** A page of a traveller's own: who is logged in, and the way out, stand below what it shows. */
export interface AccountPage {
  readonly status?: number;
  readonly title: string;
  readonly content: Html;
  readonly session: Session;
  readonly urls: BaseUrls;
  /** What it is part of, the account's first page first. */
  readonly trail?: readonly Place[];
  /** Whether it shows what needs more room than a form. */
  readonly isBroad?: boolean;
  /** Whether something is to be decided on it, and it leads nowhere else. */
  readonly isDecision?: boolean;
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
  const { status = 200, title, session, urls, trail = [], isBroad = false, isDecision = false } = content;
  return {
    status,
    html: page({
      title,
      isBroad,
      isDecision,
      content: html`${breadcrumbsOf(trail)}${content.content}${logoutForm(session, null)}`,
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

/** What is unknown and what is another holder's: the same page to the byte. */
export const notFoundPage = (session: Session, urls: BaseUrls): Page =>
  accountPage({
    status: 404,
    title: 'Página não encontrada',
    session,
    urls,
    trail: [ACCOUNT],
    content: html`<h1>Página não encontrada</h1>
      <p class="lead">
        Não há nada neste endereço para a sua conta. Confira se o copiou por inteiro e se entrou com a conta certa.
      </p>`,
  });

/** The page of a list that an address asks for, of at most `limit` items. @throws DomainError `invalid_cursor` */
export const requestedPage = (cursor: unknown, limit: number): { limit: number; cursor: string | undefined } => {
  if (cursor === undefined) return { limit, cursor };
  if (typeof cursor !== 'string') throw new DomainError('invalid_cursor');
  return { limit, cursor };
};

/** The link to the rest of a list; nothing on its last page. */
export const nextLink = (path: string, nextCursor: string | null, text: string): Html | false =>
  nextCursor !== null &&
  html`<p class="more"><a rel="next" href="${path}?cursor=${encodeURIComponent(nextCursor)}">${text}</a></p>`;

/** A term and its detail, in a `<dl class="facts">`. */
export const fact = (term: string, detail: Html | string): Html =>
  html`<div>
    <dt>${term}</dt>
    <dd>${detail}</dd>
  </div>`;

/** An instant, for people and for programs. */
export const timeOf = (instant: Instant): Html => html`<time datetime="${instant}">${instantText(instant)}</time>`;
