import { type BaseUrls, isLoopback } from '#http';
import { html, type Html } from '#site';

/** A program that speaks MCP, and what its user pastes where. */
export interface McpClient {
  readonly name: string;
  /** Where the text goes; or, where nothing is to be pasted, why not. */
  readonly where: string;
  /** Null: the client cannot reach the address, so it is not told it. */
  readonly paste: string | null;
  /** What it is written in, for Markdown. */
  readonly language: 'json' | 'sh' | 'text' | 'ts';
  /** Whether it is for those who write agents, not for those who use one. */
  readonly isForDevelopers?: true;
}

const NAME = 'alcada';

/** What to paste into the clients that are best known. Only the address is ours. */
export const mcpClients = ({ site }: BaseUrls): readonly McpClient[] => {
  const url = `${site}/mcp`;
  const { host } = new URL(site);
  /** The servers of these call the address themselves, wherever the person sits who pastes it. */
  const hosted = (name: string, whose: string, where: string): McpClient =>
    isLoopback(host)
      ? {
          ...{ name, paste: null, language: 'text' },
          where: `Precisa de um endereço público: ${host} só existe neste computador, e os servidores ${whose} não o alcançam.`,
        }
      : { name, where, paste: url, language: 'text' };
  const json = (value: object): string => JSON.stringify(value, null, 2);
  return [
    hosted('Claude', 'do Claude', 'Em Configurações › Conectores › Adicionar conector personalizado, cole o endereço:'),
    {
      name: 'Claude Code',
      where: 'No terminal; depois, /mcp para autorizar:',
      paste: `claude mcp add --transport http ${NAME} ${url}`,
      language: 'sh',
    },
    hosted(
      'ChatGPT',
      'do ChatGPT',
      'Com o modo de desenvolvedor ligado, em Configurações › Conectores › Criar, cole o endereço e escolha OAuth:',
    ),
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
      isForDevelopers: true,
      name: 'MCP Inspector',
      where: 'No terminal, para ver as ferramentas:',
      paste: `npx @modelcontextprotocol/inspector --cli ${url} --transport http --method tools/list`,
      language: 'sh',
    },
    {
      isForDevelopers: true,
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

/** What to paste, one client at a time: a choice that needs no script. The first that can be reached is chosen. */
export const connectTabs = (clients: readonly McpClient[]): Html => {
  const first = clients.findIndex(({ paste }) => paste !== null);
  return html`<fieldset class="tabs">
    <legend class="visually-hidden">Qual é o agente</legend>
    ${clients.map(
      ({ name, where, paste }, place) =>
        html`<input type="radio" name="cliente" id="cliente-${place}" ${place === first && html`checked`} />
          <label for="cliente-${place}">${name}</label>
          <div>
            <p>${where}</p>
            ${paste !== null && toPaste(paste)}
          </div>`,
    )}
  </fieldset>`;
};

/** How an agent comes to its traveller: by itself, or where clients have to be registered, by what an operator gave it. */
export const howToConnect = (admitsAnyClient: boolean): string =>
  admitsAnyClient
    ? 'Na primeira ação que pede autorização, o agente leva o viajante à página em que ela é dada.'
    : 'Para comprar, o agente precisa também da identificação de cliente (client_id) que quem opera este serviço lhe dá; sem ela, só busca e compara.';
