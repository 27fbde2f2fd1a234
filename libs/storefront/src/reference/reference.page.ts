import { readFileSync } from 'node:fs';
import {
  type Asset,
  asset,
  assetLink,
  COPY_SCRIPT,
  html,
  type Html,
  OTHER_LANGUAGE,
  type Page,
  publicPage,
} from '#site';
import { firstPart } from './first.js';
import { navigation, sharedPart, tagPart, tagsOf, tagTitle } from './parts.js';
import { partPath, type Reference, type ReferenceLinks, SHARED_PART, textIn } from './reference.js';
import { LONGEST_QUERY, resultsPart } from './search.js';

export const REFERENCE_STYLES: { readonly name: string; readonly file: Asset } = {
  name: 'reference.css',
  file: asset('text/css; charset=utf-8', readFileSync(new URL('./styles/reference.css', import.meta.url), 'utf8')),
};

/** Where what is looked for is shown, below the first page. */
export const SEARCH_PART = 'search';

/** A part of the description of the API as a page: '' is the first; null: there is none of this name. None needs a script, but for copying. */
export const referencePage = (whole: Reference, links: ReferenceLinks, part = ''): Page | null => {
  const reference = { ...whole, part };
  const { words, document } = reference;
  const tag = tagsOf(reference).find(({ name }) => name === part);
  const title = `${words.title} · ${document.info.title}`;
  if (part === '')
    return pageOf(reference, links, { title, summary: words.summary, content: firstPart(reference, links) });
  if (part === SHARED_PART)
    return pageOf(reference, links, {
      title: `${words.shared} · ${title}`,
      summary: words.sharedTold,
      content: sharedPart(reference),
    });
  if (!tag) return null;
  const { text } = textIn(reference, tag.description ?? words.summary, tag['x-description-en']);
  return pageOf(reference, links, {
    title: `${tagTitle(reference, tag)} · ${title}`,
    summary: text,
    content: tagPart(reference, tag),
  });
};

/** What of the description somebody looks for. `query`: as they wrote it. */
export const searchPage = (whole: Reference, links: ReferenceLinks, query: string): Page => {
  const reference = { ...whole, part: SEARCH_PART };
  const { words, document } = reference;
  const content = resultsPart(reference, query);
  return pageOf(
    reference,
    links,
    { title: `${words.search} · ${document.info.title}`, summary: words.summary, content },
    query,
  );
};

interface Content {
  readonly title: string;
  readonly summary: string;
  readonly content: Html;
}

const pageOf = (
  reference: Reference,
  { urls }: ReferenceLinks,
  { title, summary, content }: Content,
  query?: string,
): Page => {
  const { words, language, part } = reference;
  return {
    status: 200,
    isPublic: true,
    scriptTargets: 'none',
    html: publicPage({
      title,
      description: summary,
      siteUrl: urls.site,
      path: query === undefined ? partPath(language, part) : null,
      language,
      translation:
        partPath(OTHER_LANGUAGE[language], part) + (query ? `?${new URLSearchParams({ q: query }).toString()}` : ''),
      stylesheet: assetLink(REFERENCE_STYLES.name, REFERENCE_STYLES.file),
      module: COPY_SCRIPT,
      content: html`<div class="within reference">
        <div class="index" id="indice">
          ${searchForm(reference, query)}
          <nav class="on-desktop" aria-label="${words.index}">${navigation(reference)}</nav>
          <details class="on-phone">
            <summary>${words.index}</summary>
            <nav aria-label="${words.index}">${navigation(reference)}</nav>
          </details>
        </div>
        <div>${content}</div>
      </div>`,
    }),
  };
};

const searchForm = ({ words, language }: Reference, query = ''): Html =>
  html`<form class="finder" role="search" method="get" action="${partPath(language, SEARCH_PART)}">
    <label for="q">${words.search}</label>
    <div>
      <input
        id="q"
        name="q"
        type="search"
        value="${query}"
        maxlength="${LONGEST_QUERY}"
        placeholder="${words.searchFor}"
        autocomplete="off"
        spellcheck="false"
      />
      <button class="quiet">${words.find}</button>
    </div>
  </form>`;
