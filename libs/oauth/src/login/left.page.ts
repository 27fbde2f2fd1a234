import type { Links } from '#http';
import { html, page, type Page } from '#site';
import { hostOf } from './destination.js';

/** "Você saiu". */
export const leftPage = (links: Links): Page => ({
  status: 200,
  html: page({
    title: 'Você saiu',
    host: hostOf(null, links),
    content: html`<h1>Você saiu</h1>
      <p class="lead">Para entrar de novo, com esta ou outra conta, abra outra vez o endereço que você recebeu.</p>
      <p><a href="${links.site}/conta">Ir para a sua conta</a></p>`,
  }),
});
