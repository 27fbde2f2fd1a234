import { OTHER } from './operations.rule.js';

/**
 * Families of agents by what their names hold, in lower case; the first that fits. The names of crawlers are those that
 * their operators publish. Ordered from the particular to the general: most of them call themselves Mozilla too.
 */
const NAMES: readonly (readonly [name: string, family: string])[] = [
  ['cliente piloto', 'alcada-pilot'],
  ['agente deste navegador', 'alcada-site'],
  ['chatgpt-user', 'chatgpt-user'],
  ['oai-searchbot', 'oai-searchbot'],
  ['gptbot', 'gptbot'],
  ['openai', 'openai'],
  ['chatgpt', 'openai'],
  ['claude-user', 'claude-user'],
  ['claude-searchbot', 'claude-searchbot'],
  ['claudebot', 'claudebot'],
  ['anthropic', 'anthropic'],
  ['claude', 'anthropic'],
  ['perplexity-user', 'perplexity-user'],
  ['perplexity', 'perplexitybot'],
  ['google-extended', 'google-extended'],
  ['googleother', 'googleother'],
  ['googlebot', 'googlebot'],
  ['gemini', 'gemini'],
  ['bingbot', 'bingbot'],
  ['copilot', 'copilot'],
  ['applebot', 'applebot'],
  ['amazonbot', 'amazonbot'],
  ['meta-external', 'meta'],
  ['facebookexternalhit', 'meta'],
  ['mistralai', 'mistral'],
  ['duckassistbot', 'duckassistbot'],
  ['duckduckbot', 'duckduckbot'],
  ['bytespider', 'bytespider'],
  ['ccbot', 'ccbot'],
  ['yandexbot', 'yandexbot'],
  ['cohere', 'cohere'],
  ['langchain', 'langchain'],
  ['llamaindex', 'llamaindex'],
  ['crewai', 'crewai'],
  ['autogen', 'autogen'],
  ['mcp-inspector', 'mcp-inspector'],
  ['playwright', 'playwright'],
  ['headlesschrome', 'headless-chrome'],
  ['python-requests', 'python'],
  ['python-httpx', 'python'],
  ['aiohttp', 'python'],
  ['python', 'python'],
  ['axios', 'node'],
  ['undici', 'node'],
  ['node', 'node'],
  ['go-http-client', 'go'],
  ['okhttp', 'java'],
  ['java/', 'java'],
  ['postman', 'postman'],
  ['curl', 'curl'],
  ['mozilla', 'browser'],
];

/** Every family that traffic is told by. */
export const FAMILIES: readonly string[] = [...new Set(NAMES.map(([, family]) => family)), OTHER];

/** Longer names are judged by their beginning: nobody makes us read on. */
const LONGEST = 256;

/** The family of a name that somebody gives itself (a client's, a `User-Agent`, a `Signature-Agent`); null: of none. */
export const familyNamed = (name: string): string | null => {
  const given = name.slice(0, LONGEST).toLowerCase();
  return NAMES.find(([part]) => given.includes(part))?.[1] ?? null;
};
