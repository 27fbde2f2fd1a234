import { type BaseUrls, isLoopback } from '#http';
import { html, type Html, inBoth, type InBoth, inLanguage, type Language } from '#site';

/** A program that speaks MCP, and what its user pastes where. */
export interface McpClient {
  readonly name: string;
  /** Where the text goes; or, where nothing is to be pasted, why not. */
  readonly where: string;
  /** Null: the client cannot reach the address, so it does not get it. */
  readonly paste: string | null;
  /** What it is written in, for Markdown. */
  readonly language: 'json' | 'sh' | 'text' | 'ts';
  /** Whether it is for those who write agents, not for those who use one. */
  readonly isForDevelopers?: true;
}

const NAME = 'alcada';

const WORDS = inBoth({
  which: ['Qual é o agente', 'Which agent'],
  copy: ['Copiar', 'Copy'],
});

/** What to paste into the clients that are best known. Only the address is ours. */
export const mcpClients = ({ site }: BaseUrls, language: Language = 'pt-BR'): readonly McpClient[] => {
  const say = inLanguage(language);
  const url = `${site}/mcp`;
  const { host } = new URL(site);
  /** The servers of these call the address themselves, wherever the person sits who pastes it. */
  const hosted = (name: string, where: InBoth): McpClient =>
    isLoopback(host)
      ? {
          ...{ name, paste: null, language: 'text' },
          where: say([
            `Precisa de um endereço público: ${host} só existe neste computador, e os servidores do ${name} não o alcançam.`,
            `Needs a public address: ${host} exists on this computer alone, and the servers of ${name} cannot reach it.`,
          ]),
        }
      : { name, where: say(where), paste: url, language: 'text' };
  const json = (value: object): string => JSON.stringify(value, null, 2);
  return [
    hosted('Claude', [
      'Em Configurações › Conectores › Adicionar conector personalizado, cole o endereço:',
      'In Settings › Connectors › Add custom connector, paste the address:',
    ]),
    {
      name: 'Claude Code',
      where: say(['No terminal; depois, /mcp para autorizar:', 'In the terminal; then, /mcp to authorize:']),
      paste: `claude mcp add --transport http ${NAME} ${url}`,
      language: 'sh',
    },
    hosted('ChatGPT', [
      'Com o modo de desenvolvedor ligado, em Configurações › Conectores › Criar, cole o endereço e escolha OAuth:',
      'With developer mode on, in Settings › Connectors › Create, paste the address and choose OAuth:',
    ]),
    {
      name: 'Cursor',
      where: say(['Em ~/.cursor/mcp.json:', 'In ~/.cursor/mcp.json:']),
      paste: json({ mcpServers: { [NAME]: { url } } }),
      language: 'json',
    },
    {
      name: 'VS Code',
      where: say(['Em .vscode/mcp.json:', 'In .vscode/mcp.json:']),
      paste: json({ servers: { [NAME]: { type: 'http', url } } }),
      language: 'json',
    },
    {
      name: 'Gemini CLI',
      where: say([
        'Em ~/.gemini/settings.json; depois, /mcp auth alcada para autorizar:',
        'In ~/.gemini/settings.json; then, /mcp auth alcada to authorize:',
      ]),
      paste: json({ mcpServers: { [NAME]: { httpUrl: url } } }),
      language: 'json',
    },
    {
      isForDevelopers: true,
      name: 'MCP Inspector',
      where: say(['No terminal, para ver as ferramentas:', 'In the terminal, to see the tools:']),
      paste: `npx @modelcontextprotocol/inspector --cli ${url} --transport http --method tools/list`,
      language: 'sh',
    },
    {
      isForDevelopers: true,
      name: say(['SDK de TypeScript', 'TypeScript SDK']),
      where: say([
        'Com @modelcontextprotocol/client; authProvider é o seu OAuthClientProvider:',
        'With @modelcontextprotocol/client; authProvider is your OAuthClientProvider:',
      ]),
      paste: [
        "import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';",
        '',
        `const client = new Client({ name: '${say(['meu-agente', 'my-agent'])}', version: '1.0.0' });`,
        `await client.connect(new StreamableHTTPClientTransport(new URL('${url}'), { authProvider }));`,
      ].join('\n'),
      language: 'ts',
    },
  ];
};

/** A text to copy. The script shows the button, where the browser lets it copy. */
export const toPaste = (text: string, language: Language = 'pt-BR'): Html =>
  html`<div class="paste">
    <pre tabindex="0"><code>${text}</code></pre>
    <button class="quiet" type="button" data-copy aria-live="polite" hidden>${WORDS[language].copy}</button>
  </div>`;

/** What to paste, one client at a time: a choice that needs no script. The first that can be reached is chosen. */
export const connectTabs = (clients: readonly McpClient[], language: Language = 'pt-BR'): Html => {
  const first = clients.findIndex(({ paste }) => paste !== null);
  return html`<fieldset class="tabs">
    <legend class="visually-hidden">${WORDS[language].which}</legend>
    ${clients.map(
      ({ name, where, paste }, place) =>
        html`<input type="radio" name="cliente" id="cliente-${place}" ${place === first && html`checked`} />
          <label for="cliente-${place}">${name}</label>
          <div>
            <p>${where}</p>
            ${paste !== null && toPaste(paste, language)}
          </div>`,
    )}
  </fieldset>`;
};
