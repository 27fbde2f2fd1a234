import type { BaseUrls } from '#http';
import { html, page, type Page } from '#site';
import type { ErrorAnswer } from './protocol-error.js';

/** What went wrong, told to the traveller where it must not go to the client. */
export const errorPage = ({ status, error, message }: ErrorAnswer, urls: BaseUrls, httpRequestId: string): Page => ({
  status,
  formTargets: [],
  html: page({
    title: 'Pedido recusado',
    host: new URL(urls.auth).host,
    content: html`<h1>Não foi possível continuar</h1>
      <p class="lead" role="alert">${message}</p>
      <p class="small">Código <strong>${error}</strong> · requisição <strong>${httpRequestId}</strong></p>`,
  }),
});
