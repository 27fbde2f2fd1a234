import { GUIDE_PATHS, html, type Html } from '#site';
import type { ApiDocument, ApiTag } from './api-document.js';
import { errorPath } from './errors.js';
import { methodBadge, summaryOf } from './operation.js';
import { operationsUnder, sharedNames, tagId, tagsOf, tagTitle } from './parts.js';
import {
  linkTo,
  paragraphs,
  partPath,
  type Reference,
  type ReferenceLinks,
  schemaId,
  SHARED_PART,
  textIn,
} from './reference.js';
import { sample } from './samples.js';
import { schemasOf } from './schemas.js';

/** What all parts have in common, and where each is: also each place that was once on this page, under the name that it had. */
export const firstPart = (reference: Reference, links: ReferenceLinks): Html => {
  const { words, language } = reference;
  return html`${intro(reference)}
    <section class="part resources" aria-labelledby="recursos">
      <h2 id="recursos">${words.resources}</h2>
      ${tagsOf(reference).map((tag) => resource(reference, tag))} ${sharedResource(reference)}
    </section>
    ${tokenPart(reference, links)}
    <section class="part" id="erros" aria-labelledby="erros-title">
      <h2 id="erros-title">${words.errors}</h2>
      <p>${words.errorsTold}</p>
      <p><a href="${errorPath(language)}">${words.allErrors}</a></p>
    </section>`;
};

const resource = (reference: Reference, tag: ApiTag): Html => {
  const { language, inPlace, tagsOf: tagsBySchema } = reference;
  const inside = [...inPlace].filter((name) => [...(tagsBySchema.get(name) ?? [])].join() === tag.name);
  return html`<section class="resource" id="${tagId(tag)}">
    <h3><a href="${partPath(language, tag.name)}">${tagTitle(reference, tag)}</a></h3>
    ${paragraphs(reference, tag.description, tag['x-description-en'])}
    <ul role="list">
      ${operationsUnder(reference, tag).map(
        (operation) =>
          html`<li id="${operation.operationId}">
            <a href="${linkTo(reference, operation.operationId)}"
              >${methodBadge(operation.method)} ${summaryOf(reference, operation)}</a
            >
          </li>`,
      )}
    </ul>
    ${objectLinks(reference, [...schemasOf(reference, tag.name), ...inside])}
  </section>`;
};

const sharedResource = (reference: Reference): Html | null => {
  const { words, language, inPlace, tagsOf: tagsBySchema, document } = reference;
  const inside = [...inPlace].filter((name) => (tagsBySchema.get(name)?.size ?? 0) > 1);
  const names = [...sharedNames(reference), ...inside];
  const hasHeaders = document.components?.headers !== undefined;
  if (names.length === 0 && !hasHeaders) return null;
  return html`<section class="resource" id="objetos">
    <h3><a href="${partPath(language, SHARED_PART)}">${words.shared}</a></h3>
    <p>${words.sharedTold}</p>
    ${objectLinks(reference, names)}
    ${hasHeaders && html`<p id="cabecalhos"><a href="${linkTo(reference, 'cabecalhos')}">${words.headers}</a></p>`}
  </section>`;
};

const objectLinks = (reference: Reference, names: readonly string[]): Html | false =>
  names.length > 0 &&
  html`<p class="alike">
    ${names.map(
      (name) => html`<span id="${schemaId(name)}"><a href="${linkTo(reference, schemaId(name))}">${name}</a></span> `,
    )}
  </p>`;

const intro = (reference: Reference): Html => {
  const { document, words, language, base } = reference;
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
        <dd><a href="${GUIDE_PATHS[language]}">${words.guide}</a></dd>
      </div>
    </dl>
  </header>`;
};

/** How to get a token: from the playground, or as a registered client does. */
const tokenPart = (reference: Reference, { playground, urls }: ReferenceLinks): Html => {
  const { document, words, language } = reference;
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
    <p class="note">${words.tokenMore} <a href="${GUIDE_PATHS[language]}">${words.guide}</a></p>
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
