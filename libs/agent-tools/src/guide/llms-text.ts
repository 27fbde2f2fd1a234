import type { BaseUrls } from '#http';
import { NAME } from '../manifest/manifest.js';
import { guideFor, type Section, SUMMARY } from './guide.js';

/** `llms.txt` (llmstxt.org): the guide in Markdown. */
export const llmsText = (urls: BaseUrls): string =>
  [`# ${NAME}`, `> ${SUMMARY}`, ...guideFor(urls).flatMap(markdownOf)].join('\n\n') + '\n';

const markdownOf = ({ title, paragraphs, items, requests }: Section): readonly string[] => [
  `## ${title}`,
  ...paragraphs,
  ...(items.length > 0
    ? [
        items
          .map(({ name, url, text }) => `- ${url === undefined ? `\`${name}\`` : `[${name}](${url})`}: ${text}`)
          .join('\n'),
      ]
    : []),
  ...requests.flatMap((request) => [
    `### ${request.title}`,
    `\`\`\`http\n${request.http}\n\`\`\``,
    ...(request.keeps ? [`Da resposta: \`${request.keeps}\``] : []),
  ]),
];
