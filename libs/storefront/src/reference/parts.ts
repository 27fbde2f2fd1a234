import { html, type Html } from '#site';
import { type ApiTag, mediaOf, operationsOf, type PlacedOperation, resolved } from './api-document.js';
import { methodBadge, operationSection, summaryOf } from './operation.js';
import { linkTo, paragraphs, partPath, type Reference, SHARED_PART, tagOf, webhooksOf } from './reference.js';
import { member, schemaSection, schemasOf, typeText } from './schemas.js';

/** The tags that operations have, in the order of the description. */
export const tagsOf = ({ document }: Reference): readonly ApiTag[] => {
  const known = document.tags ?? [];
  const used = [...new Set(operationsOf(document).map(tagOf))];
  const named = known.filter(({ name }) => used.includes(name));
  return [...named, ...used.filter((name) => !known.some((tag) => tag.name === name)).map((name) => ({ name }))];
};

export const tagTitle = ({ language }: Reference, { name, ...titles }: ApiTag): string =>
  (language === 'en' ? titles['x-title-en'] : titles['x-title']) ?? name.charAt(0).toUpperCase() + name.slice(1);

export const tagId = ({ name }: ApiTag): string => `tag-${name}`;

export const operationsUnder = ({ document }: Reference, { name }: ApiTag): readonly PlacedOperation[] =>
  operationsOf(document).filter((operation) => tagOf(operation) === name);

/** The named schemas that several parts speak of. */
export const sharedNames = (reference: Reference): readonly string[] => schemasOf(reference, null);

/** Every part, with what is in the one that is open. */
export const navigation = (reference: Reference): Html => {
  const { words, part, language } = reference;
  const here = (name: string): Html | false => name === part && html`aria-current="page"`;
  return html`<ul role="list">
    <li><a href="${partPath(language, '')}" ${here('')}>${words.start}</a></li>
    <li><a href="${linkTo(reference, 'token')}">${words.token}</a></li>
    <li><a href="${linkTo(reference, 'erros')}">${words.errors}</a></li>
    ${tagsOf(reference).map(
      (tag) =>
        html`<li>
          <a href="${partPath(language, tag.name)}" ${here(tag.name)}>${tagTitle(reference, tag)}</a>
          ${
            tag.name === part &&
            html`<ul role="list">
              ${operationsUnder(reference, tag).map(
                (operation) =>
                  html`<li>
                    <a href="#${operation.operationId}"
                      >${methodBadge(operation.method)} ${summaryOf(reference, operation)}</a
                    >
                  </li>`,
              )}
            </ul>`
          }
        </li>`,
    )}
    <li><a href="${partPath(language, SHARED_PART)}" ${here(SHARED_PART)}>${words.shared}</a></li>
  </ul>`;
};

export const tagPart = (reference: Reference, tag: ApiTag): Html => {
  const objects = schemasOf(reference, tag.name);
  return html`<section class="part intro" id="${tagId(tag)}">
    <h1>${tagTitle(reference, tag)}</h1>
    <div class="lead">${paragraphs(reference, tag.description, tag['x-description-en'])}</div>
    ${operationsUnder(reference, tag).map((operation) => operationSection(reference, operation))}
    ${webhooksPart(reference, tag)}
    ${
      objects.length > 0 &&
      html`<h2 class="objects">${reference.words.objects}</h2>
        ${objects.map((name) => schemaSection(reference, name, 3))}`
    }
  </section>`;
};

/** The types of what is sent under a tag, each with what it says and has in `data`. */
const webhooksPart = (reference: Reference, tag: ApiTag): Html | null => {
  const { document, words } = reference;
  const webhooks = webhooksOf(document).filter((one) => tagOf(one) === tag.name);
  if (webhooks.length === 0) return null;
  return html`<h2 class="objects">${words.types}</h2>
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

/** What occurs in several parts: objects, and the headers of answers. */
export const sharedPart = (reference: Reference): Html => {
  const { words, document } = reference;
  const headers = Object.entries(document.components?.headers ?? {});
  return html`<section class="part intro" id="objetos">
    <h1>${words.shared}</h1>
    <p class="lead">${words.sharedTold}</p>
    ${sharedNames(reference).map((name) => schemaSection(reference, name, 2))}
    ${
      headers.length > 0 &&
      html`<h2 class="objects" id="cabecalhos">${words.headers}</h2>
        <dl class="members">
          ${headers.map(([name, { schema = {}, ...header }]) =>
            member(reference, { name, schema, description: header }),
          )}
        </dl>`
    }
  </section>`;
};
