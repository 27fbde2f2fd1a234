import type { BaseUrls } from '#http';
import { html, type Page, publicPage } from '#site';

/** There is nothing at this address. */
export const notFoundPage = ({ site }: BaseUrls): Page => ({
  status: 404,
  isPublic: true,
  html: publicPage({
    title: 'Página não encontrada · Alçada',
    description: 'Não há nada neste endereço.',
    path: null,
    siteUrl: site,
    content: html`<div class="within band lost">
      <h1>Página não encontrada</h1>
      <p class="lead">Não há nada neste endereço. Se você procurava um voo, ele pode ter saído de venda.</p>
      <p class="actions">
        <a class="button" href="/#voos">Ver todos os voos</a>
        <a class="button quiet" href="/conta">Ir para a sua conta</a>
      </p>
    </div>`,
  }),
});
