import { readFileSync } from 'node:fs';
import type { BaseUrls } from '#http';
import {
  type Asset,
  asset,
  assetLink,
  COPY_SCRIPT,
  html,
  type Html,
  type Language,
  type Page,
  publicPage,
} from '#site';
import { type ApiDocument, type ApiTag, mediaOf, operationsOf, resolved } from './api-document.js';
import { methodBadge, operationSection, sample, summaryOf } from './operation.js';
import { type Reference, referenceOf, tagOf, textIn, paragraphs, webhooksOf } from './reference.js';
import { member, schemaId, schemaSection, schemasOf, typeText } from './schemas.js';

export const REFERENCE_PATHS: Readonly<Record<Language, string>> = { 'pt-BR': '/docs', en: '/docs/en' };

export const REFERENCE_STYLES: { readonly name: string; readonly file: Asset } = {
  name: 'reference.css',
  file: asset('text/css; charset=utf-8', readFileSync(new URL('./styles/reference.css', import.meta.url), 'utf8')),
};

/** Where the reference leads to: the service, and where people get a token, or null where nobody does. */
export interface ReferenceLinks {
  readonly urls: BaseUrls;
  readonly playground: string | null;
}

/** The description of the API as a page. It needs no script, but for copying. */
export const referencePage = (document: ApiDocument, language: Language, links: ReferenceLinks): Page => {
  const { urls } = links;
  const reference = referenceOf(document, language, urls.base);
  const { words } = reference;
  return {
    status: 200,
    isPublic: true,
    scriptTargets: 'none',
    html: publicPage({
      title: `${words.title} · ${document.info.title}`,
      description: words.summary,
      siteUrl: urls.site,
      path: REFERENCE_PATHS[language],
      language,
      translation: REFERENCE_PATHS[language === 'en' ? 'pt-BR' : 'en'],
      stylesheet: assetLink(REFERENCE_STYLES.name, REFERENCE_STYLES.file),
      module: COPY_SCRIPT,
      content: html`<div class="within reference">
        <div class="index" id="indice">
          <nav class="on-desktop" aria-label="${words.index}">${indexOf(reference)}</nav>
          <details class="on-phone">
            <summary>${words.index}</summary>
            <nav aria-label="${words.index}">${indexOf(reference)}</nav>
          </details>
        </div>
        <div class="parts">
          ${intro(reference, links)} ${tagsOf(reference).map((tag) => tagPart(reference, tag))}
          ${headersPart(reference)} ${sharedPart(reference)}
        </div>
      </div>`,
    }),
  };
};

/** The tags that operations have, in the order of the description. */
const tagsOf = ({ document }: Reference): readonly ApiTag[] => {
  const known = document.tags ?? [];
  const used = [...new Set(operationsOf(document).map(tagOf))];
  const named = known.filter(({ name }) => used.includes(name));
  return [...named, ...used.filter((name) => !known.some((tag) => tag.name === name)).map((name) => ({ name }))];
};

const tagTitle = ({ language }: Reference, { name, ...titles }: ApiTag): string =>
  (language === 'en' ? titles['x-title-en'] : titles['x-title']) ?? name.charAt(0).toUpperCase() + name.slice(1);

const tagId = ({ name }: ApiTag): string => `tag-${name}`;

const operationsUnder = ({ document }: Reference, { name }: ApiTag) =>
  operationsOf(document).filter((operation) => tagOf(operation) === name);

const indexOf = (reference: Reference): Html => {
  const { words } = reference;
  const shared = schemasOf(reference, null);
  const hasHeaders = reference.document.components?.headers !== undefined;
  return html`<ul role="list">
    <li><a href="#token">${words.token}</a></li>
    <li><a href="#erros">${words.errors}</a></li>
    ${hasHeaders && html`<li><a href="#cabecalhos">${words.headers}</a></li>`}
    ${tagsOf(reference).map(
      (tag) =>
        html`<li>
          <a href="#${tagId(tag)}">${tagTitle(reference, tag)}</a>
          <ul role="list">
            ${operationsUnder(reference, tag).map(
              (operation) =>
                html`<li>
                  <a href="#${operation.operationId}"
                    >${methodBadge(operation.method)} ${summaryOf(reference, operation)}</a
                  >
                </li>`,
            )}
          </ul>
        </li>`,
    )}
    ${
      shared.length > 0 &&
      html`<li>
        <a href="#objetos">${words.shared}</a>
        <ul role="list">
          ${shared.map((name) => html`<li><a href="#${schemaId(name)}">${name}</a></li>`)}
        </ul>
      </li>`
    }
  </ul>`;
};

const intro = (reference: Reference, links: ReferenceLinks): Html => {
  const { document, words, base } = reference;
  const { info } = document;
  return html`<header class="part intro">
      <h1>${words.title}</h1>
      <div class="lead">${paragraphs(reference, info.description, info['x-description-en'])}</div>
      <dl class="facts">
        <div>
          <dt>${words.base}</dt>
          <dd><code>${base}</code></dd>
        </div>
        <div>
          <dt>OpenAPI 3.1</dt>
          <dd>
            <a href="${base}/openapi.json" download="alcada-openapi.json">openapi.json</a> ·
            <a href="${base}/openapi.yaml" download="alcada-openapi.yaml">openapi.yaml</a>
          </dd>
        </div>
        <div>
          <dt>MCP, WebMCP</dt>
          <dd><a href="/docs/agents">${words.guide}</a></dd>
        </div>
      </dl>
    </header>
    ${tokenPart(reference, links)}
    <section class="part" id="erros" aria-labelledby="erros-title">
      <h2 id="erros-title">${words.errors}</h2>
      <p>${words.errorsTold}</p>
      <p><a href="${reference.language === 'en' ? '/docs/errors' : '/docs/erros'}">${words.allErrors}</a></p>
    </section>`;
};

/** How to come to a token: by way of the playground, or as a registered client does. */
const tokenPart = (reference: Reference, { playground, urls }: ReferenceLinks): Html => {
  const { document, words } = reference;
  return html`<section class="part" id="token" aria-labelledby="token-title">
    <h2 id="token-title">${words.token}</h2>
    <p>${words.tokenOpen}</p>
    ${
      playground !== null &&
      html`<ol class="ways">
          <li>${words.stepBefore} <a href="${playground}">playground</a>${words.stepAfter}</li>
          <li>${words.stepExchange}</li>
          <li>${words.stepPaste}</li>
        </ol>
        ${sample('Shell', words.copy, html`TOKEN='${words.tokenPlaceholder}'`)}`
    }
    <p>${words.tokenElsewhere}</p>
    <dl class="facts">
      <div>
        <dt>${words.authorize}</dt>
        <dd><code>${urls.auth}/oauth/authorize</code></dd>
      </div>
      <div>
        <dt>${words.exchangeAt}</dt>
        <dd><code>${urls.auth}/oauth/token</code></dd>
      </div>
    </dl>
    <p class="note">${words.tokenMore} <a href="/docs/agents">${words.guide}</a></p>
    <table>
      <thead>
        <tr>
          <th scope="col">${words.scope}</th>
          <th scope="col">${words.allows}</th>
        </tr>
      </thead>
      <tbody>
        ${scopesIn(document).map(({ scope, allowed, english }) => {
          const { text, isForeign } = textIn(reference, allowed, english);
          return html`<tr>
            <th scope="row"><code>${scope}</code></th>
            <td ${isForeign && html`lang="pt-BR"`}>${text}</td>
          </tr>`;
        })}
      </tbody>
    </table>
  </section>`;
};

const scopesIn = ({ components }: ApiDocument) =>
  Object.values(components?.securitySchemes ?? {}).flatMap(({ flows = {}, 'x-scopes-en': english = {} }) =>
    Object.values(flows)
      .flatMap(({ scopes = {} }) => Object.entries(scopes))
      .map(([scope, allowed]) => ({ scope, allowed, english: english[scope] })),
  );

const tagPart = (reference: Reference, tag: ApiTag): Html => {
  const objects = schemasOf(reference, tag.name);
  return html`<section class="part" id="${tagId(tag)}" aria-labelledby="${tagId(tag)}-title">
    <h2 id="${tagId(tag)}-title">${tagTitle(reference, tag)}</h2>
    ${paragraphs(reference, tag.description, tag['x-description-en'])}
    ${operationsUnder(reference, tag).map((operation) => operationSection(reference, operation))}
    ${webhooksPart(reference, tag)}
    ${
      objects.length > 0 &&
      html`<h3 class="objects">${reference.words.objects}</h3>
        ${objects.map((name) => schemaSection(reference, name, 4))}`
    }
  </section>`;
};

/** The types of what is sent under a tag, each with what it says and has in `data`. */
const webhooksPart = (reference: Reference, tag: ApiTag): Html | null => {
  const { document, words } = reference;
  const webhooks = webhooksOf(document).filter((one) => tagOf(one) === tag.name);
  if (webhooks.length === 0) return null;
  return html`<h3 class="objects">${words.types}</h3>
    <dl class="members">
      ${webhooks.map((webhook) => {
        const { schema } = mediaOf(webhook.requestBody && resolved(document, webhook.requestBody).content)?.[1] ?? {};
        const data = schema?.allOf?.map(({ properties }) => properties?.['data']).find((one) => one !== undefined);
        return html`<div>
          <dt>
            <code>${webhook.type}</code>
            ${data !== undefined && html`<span class="type">${typeText(reference, data)}</span>`}
          </dt>
          <dd>${summaryOf(reference, webhook)}</dd>
        </div>`;
      })}
    </dl>`;
};

const headersPart = (reference: Reference): Html | null => {
  const headers = Object.entries(reference.document.components?.headers ?? {});
  if (headers.length === 0) return null;
  return html`<section class="part" id="cabecalhos" aria-labelledby="cabecalhos-title">
    <h2 id="cabecalhos-title">${reference.words.headers}</h2>
    <dl class="members">
      ${headers.map(([name, { schema = {}, ...header }]) => member(reference, { name, schema, description: header }))}
    </dl>
  </section>`;
};

const sharedPart = (reference: Reference): Html | null => {
  const shared = schemasOf(reference, null);
  if (shared.length === 0) return null;
  const { words } = reference;
  return html`<section class="part" id="objetos" aria-labelledby="objetos-title">
    <h2 id="objetos-title">${words.shared}</h2>
    <p>${words.sharedTold}</p>
    ${shared.map((name) => schemaSection(reference, name, 3))}
  </section>`;
};
