import type { BaseUrls } from '#http';
import { DomainError, type ErrorCode } from '#kernel';
import type { Visitor } from '#identity';
import { html, type Page } from '#site';
import { accountPage } from './account-page.js';

const NOT_FOUND: readonly ErrorCode[] = ['invalid_cursor', 'mandate_forbidden', 'mandate_not_found', 'order_not_found'];

/** There is nothing at this address for this traveller. */
export class NotFound extends Error {}

/** Whether what a traveller asked for is unknown, or another holder's. */
export const isNotFound = (error: unknown): boolean =>
  error instanceof NotFound || (error instanceof DomainError && NOT_FOUND.includes(error.code));

/** What is unknown and what is another holder's: the same page to the byte. */
export const notFoundPage = (visitor: Visitor, urls: BaseUrls): Page =>
  accountPage({
    status: 404,
    title: 'Página não encontrada',
    visitor,
    urls,
    content: html`<h1>Página não encontrada</h1>
      <p class="lead">
        Não há nada neste endereço para a sua conta. Confira se o copiou por inteiro e se entrou com a conta certa.
      </p>`,
  });
