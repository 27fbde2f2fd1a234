import type { BaseUrls } from '#http';
import { COPY_SCRIPT, html, type Page, publicPage } from '#site';
import { toPaste } from '../connect.js';

/** What a person sees who opens the address that is meant for agents. */
export const addressPage = ({ site }: BaseUrls): Page => ({
  status: 200,
  isPublic: true,
  scriptTargets: 'none',
  html: publicPage({
    title: 'Endereço para agentes · Alçada',
    description: 'O endereço MCP da Alçada, para colar em um agente.',
    path: null,
    siteUrl: site,
    module: COPY_SCRIPT,
    content: html`<div class="within band lost">
      <h1>Este endereço é para agentes</h1>
      <p class="lead">Um navegador não tem o que fazer aqui. Copie o endereço e cole no seu agente, que fala MCP:</p>
      ${toPaste(`${site}/mcp`)}
      <p class="actions">
        <a class="button" href="/docs/agents">Como conectar um agente</a>
        <a class="button quiet" href="/voos">Ver todos os voos</a>
      </p>
    </div>`,
  }),
});
