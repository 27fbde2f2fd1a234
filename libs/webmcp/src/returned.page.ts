import type { BaseUrls } from '#http';
import { html, page, type Page } from '#site';
import { CONNECTED_LINK } from './scripts.js';

/** Where the window that connects an agent ends. Its address holds a code, so it is told to nobody. */
export const returnedPage = ({ site }: BaseUrls): Page => ({
  status: 200,
  isAddressSecret: true,
  scriptTargets: [],
  html: page({
    title: 'De volta à Alçada',
    host: new URL(site).host,
    script: CONNECTED_LINK,
    content: html`<h1>Já pode fechar esta janela</h1>
      <p class="lead">A página em que você começou continua daqui. Se nada aconteceu lá, conecte o agente de novo.</p>
      <noscript
        ><p class="alert">Conectar um agente pede JavaScript, que está desligado neste navegador.</p></noscript
      >`,
  }),
});
