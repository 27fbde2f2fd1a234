import type { BaseUrls } from '#http';
import { html, type Html, type Page, publicPage } from '#site';
import { guideFor, type Section, SUMMARY, TITLE } from './guide.js';

/** `/docs/agents`: the guide for who writes an agent. */
export const agentsPage = (urls: BaseUrls): Page => ({
  status: 200,
  isPublic: true,
  html: publicPage({
    title: `${TITLE} · Alçada`,
    description: SUMMARY,
    path: '/docs/agents',
    siteUrl: urls.site,
    content: html`<div class="within band guide">
      <h1>${TITLE}</h1>
      <p>${SUMMARY}</p>
      <p>O mesmo texto, para agentes: <a href="${urls.site}/llms.txt">llms.txt</a>.</p>
      ${guideFor(urls).map(sectionHtml)}
    </div>`,
  }),
});

const sectionHtml = ({ title, paragraphs, items, requests }: Section): Html =>
  html`<section>
    <h2>${title}</h2>
    ${paragraphs.map((text) => html`<p>${text}</p>`)}
    ${
      items.length > 0 &&
      html`<ul>
        ${items.map(
          ({ name, url, text }) =>
            html`<li>
              ${url === undefined ? html`<code>${name}</code>` : html`<a href="${url}">${name}</a>`}: ${text}
            </li>`,
        )}
      </ul>`
    }
    ${requests.map(
      ({ title: step, http, keeps }) =>
        html`<h3>${step}</h3>
          <pre tabindex="0"><code>${http}</code></pre>
          ${keeps !== '' && html`<p>Da resposta: <code>${keeps}</code></p>`}`,
    )}
  </section>`;
