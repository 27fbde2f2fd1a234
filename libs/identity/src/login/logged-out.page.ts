import type { BaseUrls } from '#http';
import { html, page, type Page } from '#site';

/** "Você saiu". */
export const loggedOutPage = (urls: BaseUrls): Page => ({
  status: 200,
  html: page({
    title: 'Você saiu',
    host: new URL(urls.site).host,
    content: html`<h1>Você saiu</h1>
      <p class="lead">Para entrar de novo, com esta ou outra conta, abra outra vez o endereço que você recebeu.</p>
      <p><a href="${urls.site}/conta">Ir para a sua conta</a></p>`,
  }),
});
