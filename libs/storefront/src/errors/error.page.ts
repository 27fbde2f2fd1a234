import { type BaseUrls, ERROR_CATALOGUE, ERROR_GUIDE, errorExample } from '#http';
import { ERROR_CODES, type ErrorCode } from '#kernel';
import { html, type Html, inBoth, type Language, OTHER_LANGUAGE, type Page, publicPage } from '#site';

/** Where the list of errors is in each language; the page of a code is below it. */
const LISTS: Readonly<Record<Language, string>> = { 'pt-BR': '/docs/erros', en: '/docs/errors' };

const WORDS = inBoth({
  title: ['Erros da API', 'Errors of the API'],
  lead: [
    'Todo erro da API tem um código estável em `error`, uma frase em `message` e, em `doc_url`, a página que o explica. Estes são todos os códigos, por status HTTP.',
    'Every error of the API has a stable code in `error`, a sentence in Portuguese in `message` and, in `doc_url`, the page that explains it. These are all codes, by HTTP status.',
  ],
  means: ['O que significa', 'What it means'],
  why: ['Por que acontece', 'Why it happens'],
  doNow: ['O que fazer', 'What to do'],
  example: ['Como chega', 'What it looks like'],
  exampleLead: ['Um exemplo, com o status HTTP', 'An example, with the HTTP status'],
  all: ['Todos os erros', 'All errors'],
  docs: ['Documentação da API', 'API documentation'],
  docsPath: ['/docs', '/docs/en'],
  way: ['Onde você está', 'Where you are'],
  status: ['Status', 'Status'],
});

/** A text whose names of the interface stand between backticks. */
const prose = (text: string): Html => {
  const parts = text.split('`').map((part, place) => (place % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
  return html`${parts}`;
};

const plain = (text: string): string => text.replaceAll('`', '');

interface Content {
  readonly title: string;
  readonly description: string;
  readonly name: string;
  readonly content: Html;
}

const pageIn = (language: Language, { title, description, name, content }: Content, { site }: BaseUrls): Page => {
  const { docs, docsPath, all, way } = WORDS[language];
  return {
    status: 200,
    isPublic: true,
    html: publicPage({
      title: `${title} · Alçada`,
      description,
      siteUrl: site,
      path: LISTS[language] + name,
      language,
      translation: LISTS[OTHER_LANGUAGE[language]] + name,
      content: html`<div class="within band guide errors">
        <nav class="way" aria-label="${way}">
          <a href="${docsPath}">${docs}</a>
          ${name !== '' && html`<a href="${LISTS[language]}">${all}</a>`}
        </nav>
        ${content}
      </div>`,
    }),
  };
};

const helpIn = (language: Language, code: ErrorCode) => (field: 'means' | 'why' | 'doNow') =>
  ERROR_GUIDE[code][language === 'en' ? (`${field}En` as const) : field];

export const errorPage = (code: ErrorCode, language: Language, urls: BaseUrls): Page => {
  const { status, message } = ERROR_CATALOGUE[code];
  const help = helpIn(language, code);
  const words = WORDS[language];
  const content = html`<h1><code>${code}</code></h1>
    <p class="lead" lang="pt-BR">${message}</p>
    <section>
      <h2>${words.means}</h2>
      <p>${prose(help('means'))}</p>
    </section>
    <section>
      <h2>${words.why}</h2>
      <p>${prose(help('why'))}</p>
    </section>
    <section>
      <h2>${words.doNow}</h2>
      <p>${prose(help('doNow'))}</p>
    </section>
    <section>
      <h2>${words.example}</h2>
      <p>${words.exampleLead} <strong>${status}</strong>:</p>
      <pre tabindex="0"><code>${JSON.stringify(errorExample(code, urls), null, 2)}</code></pre>
    </section>`;
  const description = `${plain(help('means'))} ${words.status} ${status}.`;
  return pageIn(language, { title: code, description, name: `/${code}`, content }, urls);
};

const STATUSES = [...new Set(ERROR_CODES.map((code) => ERROR_CATALOGUE[code].status))].toSorted((a, b) => a - b);

export const errorListPage = (language: Language, urls: BaseUrls): Page => {
  const { title, lead, status: word } = WORDS[language];
  const entry = (code: ErrorCode): Html =>
    html`<dt>
        <a href="${LISTS[language]}/${code}"><code>${code}</code></a>
      </dt>
      <dd>${prose(helpIn(language, code)('means'))}</dd>`;
  const content = html`<h1>${title}</h1>
    <p>${prose(lead)}</p>
    ${STATUSES.map(
      (status) =>
        html`<section>
          <h2>${word} ${status}</h2>
          <dl>${ERROR_CODES.filter((code) => ERROR_CATALOGUE[code].status === status).map(entry)}</dl>
        </section>`,
    )}`;
  return pageIn(language, { title, description: plain(lead), name: '', content }, urls);
};
