import { Controller, Get } from '@nestjs/common';
import { readFileSync } from 'node:fs';
import { type BaseUrls, CurrentBaseUrls } from '#http';
import { connectTabs, mcpClients } from '../connect.js';
import {
  AnswersPages,
  asset,
  type Asset,
  assetLink,
  html,
  type Html,
  page,
  type Page,
  scriptAt,
  versionOf,
} from '#site';

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

/** Where the authorization server sends the window back to, below `{site_url}`. */
const RETURN_PATH = '/conectar/retorno';

/** The client of a browser's own agent, once connected: without secret or refresh token, it ends with the page. */
export const SITE_CLIENT = {
  clientId: 'alcada-site',
  secret: null,
  name: 'Agente deste navegador',
  redirectUris: [`{site_url}${RETURN_PATH}`],
  pilot: false,
  refresh: false,
} as const;

/** How an agent buys here, in few words. */
export const agentPanel = (urls: BaseUrls): Html => panel(urls, channels(urls));

/** The same with what to paste where. */
export const connectPanel = (urls: BaseUrls, admitsAnyClient: boolean): Html =>
  panel(
    urls,
    html`<p>
        ${
          admitsAnyClient
            ? 'Escolha o seu. Na primeira compra, ele abre a página em que você autoriza.'
            : 'Escolha o seu. Para comprar, ele precisa também da identificação (client_id) que quem opera este serviço dá; sem ela, só busca e compara.'
        }
      </p>
      ${connectTabs(mcpClients(urls).filter((client) => client.isForDevelopers !== true))}
      <p class="small">
        Você programa? O <a href="/docs/agents">guia para agentes</a> e a <a href="/docs">referência da API</a> mostram
        cada chamada.
      </p>`,
  );

/** The script shows the part for the browser's own agent, if it has one; the rest needs none. */
const panel = ({ site }: BaseUrls, ways: Html): Html =>
  html`<section
    class="agent"
    id="agente"
    aria-labelledby="agente-titulo"
    data-client-id="${SITE_CLIENT.clientId}"
    data-redirect-uri="${site}${RETURN_PATH}"
  >
    <h2 id="agente-titulo">Conecte o seu agente</h2>
    <p>
      Buscar voos e comparar tarifas é livre. Para reservar e pagar, o agente pede a sua autorização, e você pode
      revogá-la quando quiser.
    </p>
    <div class="here" data-part="offered" hidden>
      <p><strong>O agente deste navegador já pode buscar voos nesta página.</strong></p>
      <p class="actions"><button type="button" data-part="connect">Conectar agente</button></p>
      <div data-part="connected" hidden>
        <label class="choice">
          <input type="checkbox" autocomplete="off" data-part="paying" />
          <span>
            Permitir que o agente pague nesta página
            <span class="small">Ele só cobra dentro de um mandato válido. Desmarque para impedir.</span>
          </span>
        </label>
        <p class="actions"><button class="quiet" type="button" data-part="disconnect">Desconectar agente</button></p>
        <p class="small">A conexão vale só nesta página e termina quando você sair dela.</p>
      </div>
    </div>
    <p class="said" role="status" data-part="status"></p>
    ${ways}
  </section>`;

const channels = ({ site }: BaseUrls): Html =>
  html`<dl class="facts">
    <div>
      <dt>Pelo navegador</dt>
      <dd>Em navegadores com WebMCP, esta página oferece as ferramentas ao agente.</dd>
    </div>
    <div>
      <dt>Por MCP</dt>
      <dd>
        Adicione <code>${site}/mcp</code> ao seu agente; o <a href="/docs/agents">guia para agentes</a> mostra como.
      </dd>
    </div>
    <div>
      <dt>Pela API</dt>
      <dd>REST com OAuth 2.1: cada operação está na <a href="/docs">referência da API</a>.</dd>
    </div>
  </dl>`;

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
