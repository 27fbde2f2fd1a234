import type { BaseUrls } from '#http';
import { html, type Page } from '#site';
import { OAUTH_ERRORS, type OAuthReason } from '../oauth-error.js';
import { oauthPage } from './oauth-page.js';

/** What went wrong, to the traveller, where it must not go to the client. */
export const errorPage = (reason: OAuthReason, urls: BaseUrls, httpRequestId: string): Page => {
  const { status, error, message } = OAUTH_ERRORS[reason];
  return oauthPage({
    status,
    title: 'Pedido recusado',
    urls,
    content: html`<h1>Não foi possível continuar</h1>
      <p class="lead" role="alert">${message}</p>
      <p class="small">Código <strong>${error}</strong> · requisição <strong>${httpRequestId}</strong></p>`,
  });
};
