import { Controller, Get, Module } from '@nestjs/common';
import { type BaseUrls, CurrentBaseUrls } from '#http';
import { AnswersPages, type Asset, html, page, type Page } from '#site';
import { CONNECTED, CONNECTED_LINK, CONNECTED_NAME, WEBMCP } from './scripts.js';

/** The script for agents in the browser, and the page that connecting one comes back to. */
@AnswersPages()
@Controller()
class WebMcpController {
  @Get('webmcp.js')
  script(): Asset {
    return WEBMCP;
  }

  @Get(`assets/${CONNECTED_NAME}`)
  connected(): Asset {
    return CONNECTED;
  }

  @Get('conectar/retorno')
  returned(@CurrentBaseUrls() urls: BaseUrls): Page {
    return returnedPage(urls);
  }
}

/** Where the window that connects an agent ends. Its address holds a code, so no other origin may learn it. */
const returnedPage = ({ site }: BaseUrls): Page => ({
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

/** The agents' tools in a browser. */
@Module({ controllers: [WebMcpController] })
export class WebMcpModule {}
