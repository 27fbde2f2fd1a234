import { PILOT, tokensFor } from '../support/agent.js';
import { sendMessage } from '../support/doors.js';
import { A_TICKET } from '../support/matchers.js';
import { startServiceInMemory } from '../support/service.js';
import { SmallSetting } from '../support/setting.js';

const JSON_TYPE = { 'content-type': 'application/json' };

const setting = new SmallSetting();
let llms: Response;
let markdown: string;
let page: string;
let english: string;
beforeAll(async () => {
  llms = await fetch(`${setting.origin}/llms.txt`);
  markdown = await llms.text();
  page = await (await fetch(`${setting.origin}/docs/agents`)).text();
  english = await (await fetch(`${setting.origin}/docs/en/agents`)).text();
});

/** A request as it is printed: its request line, its headers, an empty line, its body. */
const send = async (printed: string, names: ReadonlyMap<string, string>): Promise<Record<string, unknown>> => {
  const text = printed.replace(/\$([A-Z]+)/g, (_, name: string) => names.get(name) ?? `<no ${name}>`);
  const [head = '', body = ''] = text.split('\n\n');
  const [line = '', ...headers] = head.split('\n');
  const [method = '', url = ''] = line.split(' ');
  const answer = await fetch(url, {
    method,
    body,
    headers: headers.map((header) => header.split(': ') as [string, string]),
  });
  const { structuredContent, ...error } = (await answer.json()) as { structuredContent?: Record<string, unknown> };
  if (answer.status !== 200 || !structuredContent) throw new Error(JSON.stringify(error));
  return structuredContent;
};

const at = (value: unknown, path: string): string =>
  String(path.split('.').reduce((node, name) => (node as Record<string, unknown>)[name], value));

/** The requests of a text, each with what is to be kept of its answer. */
const printedIn = (text: string): readonly (readonly [request: string, keeps: string])[] =>
  [...text.matchAll(/```http\n([\s\S]*?)\n```(?:\n\nDa resposta: `(.*)`)?/g)].map(([, request = '', keeps = '']) => [
    request,
    keeps,
  ]);

/** A value with the kinds of its members for them, of lists that of the first. `made`: what an object becomes. */
const kindsIn = (value: unknown, made: (kinds: object) => unknown): unknown => {
  if (Array.isArray(value)) return [kindsIn(value[0], made)];
  if (typeof value !== 'object' || value === null) return typeof value;
  const kinds = Object.entries(value).map(([name, one]: [string, unknown]) => [name, kindsIn(one, made)]);
  return made(Object.fromEntries(kinds) as object);
};
const plainKindsOf = (value: unknown): unknown => kindsIn(value, (kinds) => kinds);
const kindsOf = (value: unknown): unknown => kindsIn(value, (kinds) => expect.objectContaining(kinds));

const asText = (html: string): string =>
  html
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&');

/** What the elements of these names say in the content of a page. */
const saidIn = (html: string, names: string): readonly string[] => {
  const [, content = ''] = /<main[^>]*>(.*)<\/main>/s.exec(html) ?? [];
  return [...content.matchAll(new RegExp(`<(${names})\\b[^>]*>(.*?)</\\1>`, 'gs'))].map(([, , inner = '']) =>
    asText(inner.replace(/<[^>]*>/g, ''))
      .replace(/\s+/g, ' ')
      .trim(),
  );
};

describe('what agents are told', () => {
  it('is a whole purchase that works as it is printed', async () => {
    const names = new Map([['TOKEN', (await tokensFor(setting.origin)).access_token]]);
    const printed = printedIn(markdown);
    expect(printed).toHaveLength(8);
    const answers: unknown[] = [];
    for (const [request, keeps] of printed) {
      const last = await send(request, names);
      answers.push(last);
      for (const [, name = '', path = ''] of keeps.matchAll(/\$([A-Z]+) = ([\w.]+)/g)) names.set(name, at(last, path));
    }
    // Each is answered with at least the members that are shown of its answer.
    const shown = [...markdown.matchAll(/```json\n(\{\n {2}"(?!mcpServers|servers)[\s\S]*?)\n```/g)].map(
      ([, json = '']): unknown => JSON.parse(json),
    );
    expect(answers.map(plainKindsOf)).toEqual(shown.map(kindsOf));
    expect(answers[5]).toMatchObject({ ticketId: names.get('PEDIDO'), line: { ticketCode: A_TICKET } });
    expect(answers[7]).toMatchObject({ orderId: names.get('PEDIDO'), status: 'confirmed' });
  });

  it('says to whom the address means nothing while it is one of this computer', () => {
    const { host } = new URL(setting.origin);
    for (const whose of ['do Claude', 'do ChatGPT'])
      expect(markdown).toContain(`${host} só existe neste computador, e os servidores ${whose} não o alcançam`);
  });

  it('names every tool of the manifest with what it needs, in the text and on the page', async () => {
    const manifest = await fetch(`${setting.origin}/.well-known/webmcp.json`);
    const { tools } = (await manifest.json()) as {
      tools: readonly { name: string; description: string; scopes: readonly string[] }[];
    };
    for (const { name, description, scopes } of tools) {
      const needs = scopes.length > 0 ? `escopos: ${scopes.join(' ')}` : 'pública';
      for (const text of [markdown, asText(page)]) {
        expect(text).toContain(name);
        expect(text).toContain(description);
        expect(text).toContain(`(${needs})`);
      }
    }
  });

  it('has authorization details that the authorization endpoint takes', async () => {
    const [, details = ''] = /authorization_details=(\[.*?\])\. /.exec(markdown) ?? [];
    const asked = new URL(`${setting.origin}/oauth/authorize`);
    asked.search = new URLSearchParams({
      response_type: 'code',
      client_id: PILOT.clientId,
      redirect_uri: 'http://127.0.0.1:8765/callback',
      scope: 'order:write payment:execute',
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
      authorization_details: details,
    }).toString();
    const { status } = await fetch(asked, { redirect: 'manual' });
    expect([status, details]).toEqual([200, expect.stringContaining('payment_mandate')]);
  });

  it('shows for each client what to paste: on the page, on the first page and in the text', async () => {
    const first = await (await fetch(setting.origin)).text();
    const address = `${setting.origin}/mcp`;
    for (const [name, pasted] of [
      ['Claude Code', `claude mcp add --transport http alcada ${address}`],
      ['Cursor', `"url": "${address}"`],
      ['VS Code', `"type": "http",\n      "url": "${address}"`],
      ['Gemini CLI', `"httpUrl": "${address}"`],
      ['MCP Inspector', `--cli ${address} --transport http --method tools/list`],
      ['SDK de TypeScript', `new URL('${address}')`],
    ] as const) {
      // Those who only use agents are not shown what those who write them paste.
      const isForAll = !/MCP Inspector|SDK/.test(name);
      for (const html of isForAll ? [page, first] : [page]) {
        const shown = tabOf(name, html);
        expect([name, asText(shown)]).toEqual([name, expect.stringContaining(pasted)]);
        // Whoever runs no script copies the text by hand.
        expect(shown).toMatch(/<code>.*<\/code>.*<button[^>]* data-copy[^>]* hidden>/s);
      }
      expect(markdown.split(`### ${name}\n`)[1]).toContain(pasted);
    }
  });

  it('names no address of this machine to who cannot reach it', async () => {
    const first = await (await fetch(setting.origin)).text();
    for (const name of ['Claude', 'ChatGPT'])
      for (const shown of [
        tabOf(name, page),
        tabOf(name, first),
        markdown.split(`### ${name}\n`)[1]?.split('###')[0],
      ]) {
        expect(shown).toContain('Precisa de um endereço público');
        expect(shown).not.toMatch(/\/mcp\b|<code>/);
      }
  });

  it('is told in English too, text by text, and with the same to paste', () => {
    const [portuguese, told] = [page, english].map((html) => saidIn(html, 'h1|h2|h3|p|li|label|legend|button')) as [
      readonly string[],
      readonly string[],
    ];
    expect([told.length, told.filter((text) => text === '')]).toEqual([portuguese.length, []]);
    const alike = portuguese.filter((text, place) => text === told[place]);
    expect(alike).toEqual(['Claude', 'Claude Code', 'ChatGPT', 'Cursor', 'VS Code', 'Gemini CLI', 'MCP Inspector']);
    const whole = told.join('\n');
    const sentences = portuguese
      .flatMap((text) => text.split(/(?<=[.:;]) /))
      .filter((text) => /\S [^= ]+ \S/.test(text));
    expect(sentences.length).toBeGreaterThan(100);
    expect(sentences.filter((sentence) => whole.includes(sentence))).toEqual([]);
    expect(saidIn(english, 'pre')).toEqual(
      saidIn(page, 'pre').map((pasted) => pasted.replace("name: 'meu-agente'", "name: 'my-agent'")),
    );
  });

  it('leads from each language to the other, and from the reference of each to its own', async () => {
    expect(english).toMatch(/<html lang="en">[\s\S]*<h1>How an agent buys here<\/h1>/);
    for (const [html, reference, own, other, translation] of [
      [page, '/docs', '/docs/agents', '/docs/en/agents', 'en'],
      [english, '/docs/en', '/docs/en/agents', '/docs/agents', 'pt-BR'],
    ] as const) {
      expect(html).toContain(`<link rel="canonical" href="${setting.origin}${own}"`);
      expect(html).toContain(`<link rel="alternate" hreflang="${translation}" href="${setting.origin}${other}"`);
      expect(html).toContain(`<a class="language" href="${other}" lang="${translation}"`);
      const referring = await (await fetch(setting.origin + reference)).text();
      const ways = [...referring.matchAll(/href="(\/docs\/(?:en\/)?agents)"/g)].map(([, path]) => path);
      expect([ways.length > 2, new Set(ways)]).toEqual([true, new Set([own])]);
      expect(html).toContain(`<a href="${reference}">`);
    }
  });

  it('is the same on the page as in the text', () => {
    for (const [request] of printedIn(markdown)) expect(asText(page)).toContain(request);
  });

  it('says of each door how it refuses, as each does', async () => {
    const { origin } = setting;
    const api = `${origin}/api/v1`;
    const lost = { tool: 'get_flight', arguments: { flightNumber: 'XX9999' } };
    const broken = { tool: 'search_flights', arguments: { cursor: 'x' } };
    const calling = async (body: object) =>
      (await fetch(`${api}/webmcp/call`, { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(body) })).status;
    const messaging = async ({ tool: name, ...params }: typeof lost | typeof broken) =>
      (await sendMessage(origin, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, ...params } })).status;
    const reading = async (path: string) => (await fetch(api + path)).status;
    expect([await reading('/flights/XX9999'), await reading('/flights?cursor=x')]).toEqual([404, 422]);
    expect([await calling(lost), await calling(broken)]).toEqual([404, 200]);
    expect([await messaging(lost), await messaging(broken)]).toEqual([200, 200]);
    const told = markdown.split('## Recusas')[1] ?? '';
    for (const door of [
      'REST: toda recusa é um erro HTTP',
      'POST /webmcp/call: as de negócio',
      'MCP: token ausente ou inválido',
    ])
      expect(told).toContain(door);
  });

  it('leads to what there is', async () => {
    const addresses = [...markdown.matchAll(/\]\((http[^)]+)\)/g)].map(([, url = '']) => url);
    expect(addresses.length).toBeGreaterThanOrEqual(3);
    for (const url of addresses)
      expect([url, (await fetch(url)).status]).toEqual([url, url.endsWith('/mcp') ? 405 : 200]);
  });

  it('runs no script but ours, which calls nobody, and allows no style but ours', async () => {
    const policyOf = async (path: string) =>
      (await fetch(setting.origin + path)).headers.get('content-security-policy') ?? '';
    expect(await policyOf('/docs/agents')).toBe(
      "default-src 'none'; script-src 'self'; connect-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
    const scripts = [...page.matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, src = '']) => src);
    expect(scripts).toEqual([expect.stringMatching(/^\/assets\/copiar\.js\?v=/)]);
    const types = await Promise.all(
      scripts.map(async (src) => (await fetch(setting.origin + src)).headers.get('content-type')),
    );
    expect(types).toEqual(['text/javascript; charset=utf-8']);
  });

  it('is text that is kept for an hour and not sent twice, and a page of the house', async () => {
    expect([llms.status, llms.headers.get('content-type'), llms.headers.get('cache-control')]).toEqual([
      200,
      'text/plain; charset=utf-8',
      'public, max-age=3600',
    ]);
    const known = { 'if-none-match': llms.headers.get('etag') ?? '' };
    expect((await fetch(`${setting.origin}/llms.txt`, { headers: known })).status).toBe(304);
    expect(page).toMatch(/<html lang="pt-BR">[\s\S]*<h1>Como um agente compra aqui<\/h1>/);
    expect(markdown).toMatch(/^# Alçada\n\n> /);
  });
});

/** What is shown of a client once it is chosen. */
const tabOf = (name: string, html: string): string =>
  new RegExp(`<label for="cliente-\\d">${name}</label>\\s*<div>(.*?)(?:<input|</fieldset>)`, 's').exec(html)?.[1] ?? '';

describe('what is said of connecting an agent', () => {
  const WITHOUT = 'sem ela, só busca e compara';

  it('is that it comes by itself, where a client that nobody registered may', async () => {
    const home = await (await fetch(`${setting.origin}/`)).text();
    for (const text of [home, page, markdown]) {
      expect(text).toMatch(/o agente leva o viajante à página em que ela é dada|abre a página em que você autoriza/);
      expect(text).not.toContain(WITHOUT);
    }
  });

  it('is that an operator gives it its id, where none may', async () => {
    const closed = await startServiceInMemory({ CIMD: 'off', DCR: 'off' });
    for (const path of ['/', '/docs/agents', '/llms.txt'])
      expect(await (await fetch(`${closed.origin}${path}`)).text()).toContain(WITHOUT);
    expect(await (await fetch(`${closed.origin}/docs/en/agents`)).text()).toContain('without it, it only searches');
    await closed.stop();
  });
});
