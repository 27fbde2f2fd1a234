import { Controller, Get } from '@nestjs/common';
import { type BaseUrls, CurrentBaseUrls } from '#http';
import {
  AnswersPages,
  type Asset,
  asset,
  COPY_SCRIPT,
  GUIDE_PATHS,
  html,
  type Html,
  type Language,
  OTHER_LANGUAGE,
  type Page,
  publicPage,
} from '#site';
import { connectTabs } from './connect.js';
import { WORDS } from './guide-texts.js';
import { guideFor, type Section } from './guide.js';
import { NAME } from './manifest.controller.js';
import { McpSettings } from './mcp/mcp-access.js';

@AnswersPages()
@Controller()
export class GuideController {
  constructor(private readonly settings: McpSettings) {}

  @Get('llms.txt')
  llms(@CurrentBaseUrls() urls: BaseUrls): Asset {
    return asset('text/plain; charset=utf-8', llmsText(guideFor(urls, this.settings, 'pt-BR')));
  }

  @Get(GUIDE_PATHS['pt-BR'])
  agents(@CurrentBaseUrls() urls: BaseUrls): Page {
    return this.pageIn('pt-BR', urls);
  }

  @Get(GUIDE_PATHS.en)
  agentsInEnglish(@CurrentBaseUrls() urls: BaseUrls): Page {
    return this.pageIn('en', urls);
  }

  private pageIn(language: Language, urls: BaseUrls): Page {
    return agentsPage(language, urls, guideFor(urls, this.settings, language));
  }
}

const agentsPage = (language: Language, urls: BaseUrls, guide: readonly Section[]): Page => {
  const words = WORDS[language];
  return {
    status: 200,
    isPublic: true,
    scriptTargets: 'none',
    html: publicPage({
      title: `${words.title} · Alçada`,
      description: words.summary,
      path: GUIDE_PATHS[language],
      siteUrl: urls.site,
      language,
      translation: GUIDE_PATHS[OTHER_LANGUAGE[language]],
      module: COPY_SCRIPT,
      content: html`<div class="within band guide">
        <h1>${words.title}</h1>
        <p>${words.summary}</p>
        <p>${words.sameText} <a href="${urls.site}/llms.txt">llms.txt</a>.</p>
        <p>
          ${words.playgroundBefore} <a href="${urls.auth}/oauth/playground">playground</a>. ${words.referenceBefore}
          <a href="${words.referencePath}">${words.reference}</a>.
        </p>
        ${guide.map((section) => sectionHtml(section, language))}
      </div>`,
    }),
  };
};

const sectionHtml = ({ title, paragraphs, items, requests, clients }: Section, language: Language): Html => {
  const words = WORDS[language];
  return html`<section>
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
    ${clients.length > 0 && connectTabs(clients, language)}
    ${requests.map(
      ({ title: step, http, keeps, answer }) =>
        html`<h3>${step}</h3>
          <pre tabindex="0"><code>${http}</code></pre>
          ${keeps !== '' && html`<p>${words.fromAnswer}: <code>${keeps}</code></p>`}
          <p>${words.whatMatters}</p>
          <pre tabindex="0"><code>${answer}</code></pre>`,
    )}
  </section>`;
};

/** `llms.txt` (llmstxt.org): the guide in Markdown, in Portuguese, as everything that agents are answered. */
const llmsText = (guide: readonly Section[]): string =>
  [`# ${NAME}`, `> ${WORDS['pt-BR'].summary}`, ...guide.flatMap(markdownOf)].join('\n\n') + '\n';

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
    ...(request.keeps ? [`${WORDS['pt-BR'].fromAnswer}: \`${request.keeps}\``] : []),
    `\`\`\`json\n${request.answer}\n\`\`\``,
  ]),
];
