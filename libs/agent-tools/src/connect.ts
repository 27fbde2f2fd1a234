import { type BaseUrls, isLoopback } from '#http';
import { html, type Html } from '#site';

/** A program that speaks MCP, and what its user pastes where. */
export interface McpClient {
  readonly name: string;
  /** Where the text goes. */
  readonly where: string;
  readonly paste: string;
  /** What it is written in, for Markdown. */
  readonly language: 'json' | 'sh' | 'text' | 'ts';
}

const NAME = 'alcada';

/** What to paste into the clients that are best known. Only the address is ours. */
export const mcpClients = ({ site }: BaseUrls): readonly McpClient[] => {
  const url = `${site}/mcp`;
  const { host } = new URL(site);
  /** These servers call the address themselves, wherever the person sits who pastes it. */
  const reach = (whose: string): string =>
    isLoopback(host)
      ? `Precisa de um endereço público: ${host} só existe neste computador, e os servidores ${whose} não o alcançam. `
      : '';
  const json = (value: object): string => JSON.stringify(value, null, 2);
  return [
    {
      name: 'Claude',
      where: `${reach('do Claude')}Em Configurações › Conectores › Adicionar conector personalizado, cole o endereço:`,
      paste: url,
      language: 'text',
    },
    {
      name: 'Claude Code',
      where: 'No terminal; depois, /mcp para autorizar:',
      paste: `claude mcp add --transport http ${NAME} ${url}`,
      language: 'sh',
    },
    {
      name: 'ChatGPT',
      where: `${reach('do ChatGPT')}Com o modo de desenvolvedor ligado, em Configurações › Conectores › Criar, cole o endereço e escolha OAuth:`,
      paste: url,
      language: 'text',
    },
    {
      name: 'Cursor',
      where: 'Em ~/.cursor/mcp.json:',
      paste: json({ mcpServers: { [NAME]: { url } } }),
      language: 'json',
    },
    {
      name: 'VS Code',
      where: 'Em .vscode/mcp.json:',
      paste: json({ servers: { [NAME]: { type: 'http', url } } }),
      language: 'json',
    },
    {
      name: 'Gemini CLI',
      where: 'Em ~/.gemini/settings.json; depois, /mcp auth alcada para autorizar:',
      paste: json({ mcpServers: { [NAME]: { httpUrl: url } } }),
      language: 'json',
    },
    {
      name: 'MCP Inspector',
      where: 'No terminal, para ver as ferramentas:',
      paste: `npx @modelcontextprotocol/inspector --cli ${url} --transport http --method tools/list`,
      language: 'sh',
    },
    {
      name: 'SDK de TypeScript',
      where: 'Com @modelcontextprotocol/client; authProvider é o seu OAuthClientProvider:',
      paste: [
        "import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';",
        '',
        "const client = new Client({ name: 'meu-agente', version: '1.0.0' });",
        `await client.connect(new StreamableHTTPClientTransport(new URL('${url}'), { authProvider }));`,
      ].join('\n'),
      language: 'ts',
    },
  ];
};

/** A text to copy. The script shows the button, where the browser lets it copy. */
export const toPaste = (text: string): Html =>
  html`<div class="paste">
    <pre tabindex="0"><code>${text}</code></pre>
    <button class="quiet" type="button" data-copy aria-live="polite" hidden>Copiar</button>
  </div>`;

/** What to paste, one client below the other, each behind its name. */
export const connectList = (clients: readonly McpClient[]): Html =>
  html`<div class="clients">
    ${clients.map(
      ({ name, where, paste }) =>
        html`<details name="cliente">
          <summary>${name}</summary>
          <p>${where}</p>
          ${toPaste(paste)}
        </details>`,
    )}
  </div>`;

/** How an agent comes to its traveller: by itself, or where clients have to be registered, by what an operator gave it. */
export const howToConnect = (admitsAnyClient: boolean): string =>
  admitsAnyClient
    ? 'Na primeira ação que pede autorização, o agente leva o viajante à página em que ela é dada.'
    : 'Para comprar, o agente precisa também da identificação de cliente (client_id) que quem opera este serviço lhe dá; sem ela, só busca e compara.';

/** The part of a page that says how to connect an agent by MCP: the address first, since many ask for nothing else. */
export const connectPanel = (urls: BaseUrls, admitsAnyClient: boolean): Html =>
  html`<section class="connect" aria-labelledby="conectar-titulo">
    <h2 id="conectar-titulo">Use o agente que você já tem</h2>
    <p>Cole este endereço no seu agente. ${howToConnect(admitsAnyClient)}</p>
    ${toPaste(`${urls.site}/mcp`)} ${connectList(mcpClients(urls))}
  </section>`;
