import type { BaseUrls } from '#http';
import type { Scope } from '#kernel';
import { inLanguage, type Language } from '#site';
import { type McpClient, mcpClients } from './connect.js';
import { EXAMPLE, type Step } from './guide-example.js';
import { addressText, authorization, doors, howToConnect, mandates, REFUSALS, told, WORDS } from './guide-texts.js';
import type { McpSettings } from './mcp/mcp-access.js';
import type { Tool } from './tool.js';
import { TOOLS_ENGLISH } from './tools/tools-english.js';
import { toolNamed, TOOLS } from './tools/tools.js';

/** A section of the guide: its title, its paragraphs, a list, and requests as they are sent. */
export interface Section {
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly items: readonly Item[];
  readonly requests: readonly Request[];
  readonly clients: readonly McpClient[];
}

/** A line of a list: a name, where it leads if anywhere, and what there is to say. */
interface Item {
  readonly name: string;
  readonly url?: string;
  readonly text: string;
}

/** A request of the worked example: a title, the bytes, what to keep of the answer, and the part of it that matters. */
interface Request {
  readonly title: string;
  readonly http: string;
  readonly keeps: string;
  readonly answer: string;
}

/** How an agent buys here, made of the table of tools: the one text behind `llms.txt` and the page of each language. */
export const guideFor = (
  urls: BaseUrls,
  { admitsAnyClient, speaksUcp }: Pick<McpSettings, 'admitsAnyClient' | 'speaksUcp'>,
  language: Language,
): readonly Section[] => {
  const words = WORDS[language];
  const say = inLanguage(language);
  return [
    section(words.connect, {
      paragraphs: [`${say(addressText(urls))} ${say(howToConnect(admitsAnyClient))}`],
      clients: mcpClients(urls, language),
    }),
    section(words.doors, {
      paragraphs: [words.doorsLead],
      items: doors(urls, speaksUcp).map(({ text, ...door }) => ({ ...door, text: say(text) })),
    }),
    section(words.tools, { items: TOOLS.map((tool) => toolItem(tool, language)) }),
    section(words.authorization, { paragraphs: authorization(urls).map(say) }),
    section(words.mandates, { paragraphs: mandates(urls).map(say) }),
    section(words.example, {
      paragraphs: [words.exampleNames, words.exampleCards],
      requests: EXAMPLE.map((step, place) => requestOf(step, `${place + 1}. ${say(step.title)}`, urls)),
    }),
    section(words.told, { paragraphs: told(urls).map(say) }),
    section(words.refusals, { paragraphs: REFUSALS.map(say) }),
  ];
};

const section = (title: string, parts: Partial<Section>): Section => ({
  title,
  paragraphs: [],
  items: [],
  requests: [],
  clients: [],
  ...parts,
});

const toolItem = (tool: Tool, language: Language): Item => {
  const { name, scopes } = tool;
  const { title, description } = language === 'en' ? TOOLS_ENGLISH[name] : tool;
  return { name, text: `${title} (${needs(scopes, language)}). ${description}` };
};

const needs = (scopes: readonly Scope[], language: Language): string => {
  const words = WORDS[language];
  return scopes.length === 0 ? words.open : `${words.scopes}: ${scopes.join(' ')}`;
};

const requestOf = ({ tool, args, keeps, answer }: Step, title: string, { base }: BaseUrls): Request => {
  const isScoped = toolNamed(tool)?.access === 'scoped';
  const http = [
    `POST ${base}/webmcp/call`,
    'Content-Type: application/json',
    ...(isScoped ? ['Authorization: Bearer $TOKEN'] : []),
    '',
    JSON.stringify({ tool, arguments: args }),
  ].join('\n');
  const kept = Object.entries(keeps).map(([name, path]) => `$${name} = ${path}`);
  return { title, http, keeps: kept.join('; '), answer: JSON.stringify(answer, null, 2) };
};
