import { answerOf } from '#http';
import type { BaseUrls } from '#http';
import type { DomainError } from '#kernel';
import { html, type Page, publicPage } from '#site';

/** What went wrong, in the words of the catalogue. */
export const refusedPage = (refusal: DomainError, { site }: BaseUrls, requestId: string): Page => {
  const { status, body } = answerOf(refusal, requestId);
  return {
    status,
    html: publicPage({
      title: 'Algo deu errado · Alçada',
      description: body.message,
      path: null,
      siteUrl: site,
      content: html`<div class="within band lost">
        <h1>Não foi possível mostrar esta página</h1>
        <p class="lead" role="alert">${body.message}</p>
        <p class="small">Código <strong>${body.error}</strong> · requisição <strong>${requestId}</strong></p>
        <p class="actions"><a class="button" href="/">Voltar ao início</a></p>
      </div>`,
    }),
  };
};
