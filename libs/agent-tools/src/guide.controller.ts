import { Controller, Get } from '@nestjs/common';
import { type BaseUrls, CurrentBaseUrls } from '#http';
import { AnswersPages, type Asset, asset, COPY_SCRIPT, html, type Html, type Page, publicPage } from '#site';
import { connectTabs } from './connect.js';
import { guideFor, type Section, SUMMARY, TITLE } from './guide.js';
import { NAME } from './manifest.controller.js';
import { McpSettings } from './mcp/mcp-access.js';

@AnswersPages()
@Controller()
export class GuideController {
  constructor(private readonly settings: McpSettings) {}

  @Get('llms.txt')
  llms(@CurrentBaseUrls() urls: BaseUrls): Asset {
    return asset('text/plain; charset=utf-8', llmsText(guideFor(urls, this.settings.admitsAnyClient)));
  }

  @Get('docs/agents')
  agents(@CurrentBaseUrls() urls: BaseUrls): Page {
    return agentsPage(urls, guideFor(urls, this.settings.admitsAnyClient));
  }
}

const agentsPage = (urls: BaseUrls, guide: readonly Section[]): Page => ({
  status: 200,
  isPublic: true,
  scriptTargets: 'none',
  html: publicPage({
    title: `${TITLE} · Alçada`,
    description: SUMMARY,
    path: '/docs/agents',
    siteUrl: urls.site,
    module: COPY_SCRIPT,
    content: html`<div class="within band guide">
      <h1>${TITLE}</h1>
      <p>${SUMMARY}</p>
      <p>O mesmo texto, para agentes: <a href="${urls.site}/llms.txt">llms.txt</a>.</p>
      <p>
        Para ver cada requisição antes de escrever a sua, faça uma compra de teste no
        <a href="${urls.auth}/oauth/playground">playground</a>. Cada operação da API, com um exemplo que se cola no
        terminal, está na <a href="/docs">referência</a>.
      </p>
      ${guide.map(sectionHtml)}
    </div>`,
  }),
});

const sectionHtml = ({ title, paragraphs, items, requests, clients }: Section): Html =>
  html`<section>
    <h2>${title}</h2>
    ${paragraphs.map((text) => html`<p>${text}</p>`)}
    ${
      items.length > 0 &&
      html`<ul>
        ${items.map(
          ({ name, url, text }) =>
            html`<li id="${name}">
              ${url === undefined ? html`<a href="#${name}"><code>${name}</code></a>` : html`<a href="${url}">${name}</a>`}:
              ${text}
            </li>`,
        )}
      </ul>`
    }
    ${clients.length > 0 && connectTabs(clients)}
    ${requests.map(
      ({ title: step, http, keeps, answer }) =>
        html`<h3>${step}</h3>
          <pre tabindex="0"><code>${http}</code></pre>
          ${keeps !== '' && html`<p>Da resposta: <code>${keeps}</code></p>`}
          <p>O que importa de structuredContent:</p>
          <pre tabindex="0"><code>${answer}</code></pre>`,
    )}
  </section>`;

/** `llms.txt` (llmstxt.org): the guide in Markdown. */
const llmsText = (guide: readonly Section[]): string =>
  [`# ${NAME}`, `> ${SUMMARY}`, ...guide.flatMap(markdownOf)].join('\n\n') + '\n';

const markdownOf = ({ title, paragraphs, items, requests, clients }: Section): readonly string[] => [
  `## ${title}`,
  ...paragraphs,
  ...(items.length > 0
    ? [
        items
          .map(({ name, url, text }) => `- ${url === undefined ? `\`${name}\`` : `[${name}](${url})`}: ${text}`)
          .join('\n'),
      ]
    : []),
  ...clients.flatMap(({ name, where, paste, language }) => [
    `### ${name}`,
    where,
    ...(paste === null ? [] : [`\`\`\`${language}\n${paste}\n\`\`\``]),
  ]),
  ...requests.flatMap((request) => [
    `### ${request.title}`,
    `\`\`\`http\n${request.http}\n\`\`\``,
    ...(request.keeps ? [`Da resposta: \`${request.keeps}\``] : []),
    `\`\`\`json\n${request.answer}\n\`\`\``,
  ]),
];
