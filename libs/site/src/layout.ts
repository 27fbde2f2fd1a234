import { ICON_LINK, PREVIEW_LINK, STYLESHEET_LINK } from './assets.js';
import { html, Html } from './html.js';

export const BRAND = html`<svg
    class="mark"
    viewBox="0 0 32 32"
    width="28"
    height="28"
    aria-hidden="true"
    focusable="false"
  >
    <path d="M4 6h24" />
    <path d="M8 26v-7M16 26V15M24 26V11" /></svg
  >Alçada`;

/** What pages are written in; where nothing else is said, Portuguese. */
export type Language = 'pt-BR' | 'en';

export const OTHER_LANGUAGE: Readonly<Record<Language, Language>> = { 'pt-BR': 'en', en: 'pt-BR' };

/** A text in Portuguese and, beside it, in English. */
export type InBoth = readonly [portuguese: string, english: string];

/** Reads the texts of one language out of those that are in both. */
export const inLanguage =
  (language: Language) =>
  ([portuguese, english]: InBoth): string =>
    language === 'en' ? english : portuguese;

/** Where the guide for agents is in each language. */
export const GUIDE_PATHS: Readonly<Record<Language, string>> = { 'pt-BR': '/docs/agents', en: '/docs/en/agents' };

/** The words of a page in each language, from a table that has both beside each other. */
export const inBoth = <Word extends string>(table: Readonly<Record<Word, InBoth>>) => {
  const entries = Object.entries<InBoth>(table);
  const words = (place: 0 | 1) => Object.fromEntries(entries.map(([word, texts]) => [word, texts[place]]));
  return { 'pt-BR': words(0), en: words(1) } as Readonly<Record<Language, Readonly<Record<Word, string>>>>;
};

interface Document {
  readonly language?: Language;
  readonly title: string;
  readonly head: Html;
  readonly layout?: string;
  readonly body: Html;
}

/** The frame of all pages: language, title, icon, stylesheet. */
export const documentOf = ({ language = 'pt-BR', title, head, layout, body }: Document): string =>
  html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="${ICON_LINK}" type="image/svg+xml" />
        <link rel="stylesheet" href="${STYLESHEET_LINK}" />
        ${head}
      </head>
      <body ${layout !== undefined && html`class="${layout}"`}>
        ${body}
      </body>
    </html> `.text;

/** A page for one traveller: its title, its content, and the name of the host that a traveller should see in the address bar. */
export interface PageContent {
  readonly title: string;
  readonly content: Html;
  readonly host: string;
  /** Address of its script; its policy must let it run. */
  readonly script?: string;
  readonly isBroad?: boolean;
  /** Whether something is to be decided on it that must not be left by mistake: its sign leads nowhere. */
  readonly isDecision?: boolean;
  /** Whether what it shows is about to change by itself: a browser asks for it again, with or without scripts. */
  readonly isFollowed?: boolean;
  /** Whether its script hears of what is new on it: then a browser asks for it again only where no scripts run. */
  readonly isLive?: boolean;
}

/** How often (s) a browser looks again at what is about to change. */
const LOOK_AGAIN = 10;

/** The layout of the pages that are for one traveller: a sheet, and the sign leads home. */
export const page = ({ title, content, host, script, ...kind }: PageContent): string => {
  const { isBroad = false, isDecision = false, isFollowed = false, isLive = false } = kind;
  const refresh = html`<meta http-equiv="refresh" content="${LOOK_AGAIN}" />`;
  return documentOf({
    title: `${title} · Alçada`,
    head: html`<meta name="robots" content="noindex" />
      ${isFollowed && (isLive ? html`<noscript>${refresh}</noscript>` : refresh)}
      ${script !== undefined && html`<script type="module" src="${script}"></script>`}`,
    ...(isBroad && { layout: 'broad' }),
    body: html`<header class="masthead">
        ${isDecision ? html`<span class="brand">${BRAND}</span>` : html`<a class="brand" href="/">${BRAND}</a>`}
      </header>
      <main class="sheet">${content}</main>
      <footer class="colophon">
        <p>Você está em <strong>${host}</strong></p>
      </footer>`,
  });
};

export interface PublicPageContent {
  readonly title: string;
  /** What search engines and link previews say of it, a sentence or two. */
  readonly description: string;
  readonly content: Html;
  /** `{site_url}`. */
  readonly siteUrl: string;
  /** The one path it is to be known by; null: search engines are to leave it out. */
  readonly path: string | null;
  /** What it is written in; left out: Portuguese. */
  readonly language?: Language;
  /** The path of the same page in the other language, where there is one. */
  readonly translation?: string;
  /** What it is about, for machines (schema.org). */
  readonly structuredData?: object;
  /** A script of ours, and the digest it is held to (Subresource Integrity). */
  readonly script?: { readonly src: string; readonly integrity: string };
  /** Address of a script of ours that is a module, with what it imports below its folder. */
  readonly module?: string;
  /** Address of a stylesheet beside that of all pages. */
  readonly stylesheet?: string;
  /** What stands over the page. */
  readonly above?: Html | null;
}

/** Data for machines inside a page: never run, so no policy need allow it; and nothing in it can end its element. */
const dataScript = (data: object): Html =>
  new Html(`<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`);

/** The layout of the public pages: a way around, landmarks, a link past them, and what previews of a link show. */
export const publicPage = (content: PublicPageContent): string => {
  const { language = 'pt-BR', title } = content;
  return documentOf({ language, title, head: headOf(content), layout: 'open', body: bodyOf(content) });
};

const FRAMES = inBoth({
  locale: ['pt_BR', 'en_US'],
  skip: ['Pular para o conteúdo', 'Skip to content'],
  around: ['Principal', 'Main'],
  flights: ['Voos', 'Flights'],
  agents: ['Para agentes', 'For agents'],
  account: ['Sua conta', 'Your account'],
  host: ['Você está em', 'You are at'],
  payments: ['Pagamentos em processador de testes.', 'Payments go to a test processor.'],
  reference: ['API', 'API'],
  guide: ['Guia para agentes', 'Guide for agents'],
  traffic: ['Tráfego de agentes', 'Agent traffic'],
  verify: ['Verificar um histórico', 'Verify a history'],
  otherName: ['English', 'Português'],
});

const alternate = (language: Language, address: string): Html =>
  html`<link rel="alternate" hreflang="${language}" href="${address}" />`;

const headOf = ({
  title,
  description,
  siteUrl,
  path,
  language = 'pt-BR',
  translation,
  structuredData,
  script,
  module,
  stylesheet,
}: PublicPageContent): Html =>
  html`<meta name="description" content="${description}" />
    ${
      path === null
        ? html`<meta name="robots" content="noindex, follow" />`
        : html`<link rel="canonical" href="${siteUrl}${path}" /> <meta property="og:url" content="${siteUrl}${path}" />`
    }
    ${
      path !== null &&
      translation !== undefined &&
      html`${alternate(language, siteUrl + path)} ${alternate(OTHER_LANGUAGE[language], siteUrl + translation)}`
    }
    <meta property="og:type" content="website" />
    <meta property="og:site_name" content="Alçada" />
    <meta property="og:locale" content="${FRAMES[language].locale}" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${description}" />
    <meta property="og:image" content="${siteUrl}${PREVIEW_LINK}" />
    <meta property="og:image:width" content="1200" />
    <meta property="og:image:height" content="630" />
    <meta property="og:image:alt" content="Alçada: voos que o seu agente compra, até o limite que você definiu" />
    <meta name="twitter:card" content="summary_large_image" />
    ${stylesheet !== undefined && html`<link rel="stylesheet" href="${stylesheet}" />`}
    ${structuredData !== undefined && dataScript(structuredData)}
    ${module !== undefined && html`<script type="module" src="${module}"></script>`}
    ${script !== undefined && html`<script defer src="${script.src}" integrity="${script.integrity}"></script>`}`;

const bodyOf = ({ content, siteUrl, language = 'pt-BR', translation, above = null }: PublicPageContent): Html => {
  const frame = FRAMES[language];
  const other = OTHER_LANGUAGE[language];
  return html`<a class="skip" href="#conteudo">${frame.skip}</a>
    ${above}
    <header class="topbar">
      <div class="within">
        <a class="brand" href="/">${BRAND}</a>
        ${
          translation !== undefined &&
          html`<a class="language" href="${translation}" lang="${other}" hreflang="${other}">${frame.otherName}</a>`
        }
        <nav aria-label="${frame.around}">
          <ul role="list">
            <li><a href="/voos">${frame.flights}</a></li>
            <li><a href="${GUIDE_PATHS[language]}">${frame.agents}</a></li>
            <li><a href="/conta">${frame.account}</a></li>
          </ul>
        </nav>
      </div>
    </header>
    <main id="conteudo" tabindex="-1">${content}</main>
    <footer class="bottom">
      <div class="within">
        <p>${frame.host} <strong>${new URL(siteUrl).host}</strong>. ${frame.payments}</p>
        <ul role="list">
          <li><a href="${language === 'en' ? '/docs/en' : '/docs'}">${frame.reference}</a></li>
          <li><a href="${GUIDE_PATHS[language]}">${frame.guide}</a></li>
          <li><a href="/observability">${frame.traffic}</a></li>
          <li><a href="/verificar">${frame.verify}</a></li>
          <li><a href="/llms.txt">llms.txt</a></li>
        </ul>
      </div>
    </footer>`;
};
