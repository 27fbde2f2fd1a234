import type { BaseUrls } from '#http';
import { html, type Html } from '#site';

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

/** How an agent buys here. The script shows the part for the browser's own agent, if it has one; the rest needs none. */
export const agentPanel = ({ site }: BaseUrls): Html =>
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
    <dl class="facts">
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
    </dl>
  </section>`;
