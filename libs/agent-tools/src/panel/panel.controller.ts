import { Controller, Get } from '@nestjs/common';
import { readFileSync } from 'node:fs';
import { type BaseUrls, CurrentBaseUrls } from '#http';
import { AnswersPages, asset, type Asset, assetLink, html, page, type Page, scriptAt, versionOf } from '#site';

const TYPE = 'text/javascript; charset=utf-8';
const scriptIn = (name: string) => asset(TYPE, readFileSync(new URL(`./browser/${name}`, import.meta.url), 'utf8'));

/** What runs on the public pages; the build copies it as it stands. */
const WEBMCP = scriptIn('webmcp.js');
const CONNECTED = scriptIn('connected.js');
const CONNECTED_NAME = 'connected.js';
const CONNECTED_LINK = assetLink(CONNECTED_NAME, CONNECTED);

/** The path of the script below `{site_url}` (docs/interface.md, What the service does, 5) and its digest, as the manifest names them. */
export const WEBMCP_SCRIPT = scriptAt('/webmcp.js', WEBMCP);

/** The script as our own pages load it: by an address that changes with it, so that no cache can break them. */
export const VERSIONED_WEBMCP_SCRIPT = scriptAt(`/webmcp.js?v=${versionOf(WEBMCP)}`, WEBMCP);

/** The script for agents in the browser, and the page that connecting one comes back to. */
@AnswersPages()
@Controller()
export class PanelController {
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
