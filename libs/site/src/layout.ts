import { ICON_LINK, STYLESHEET_LINK } from './assets.js';
import { html, type Html } from './html.js';

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
type InBoth = readonly [portuguese: string, english: string];

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
}

/** How often (s) a browser looks again at what is about to change. */
const LOOK_AGAIN = 10;

/** The layout of the pages that are for one traveller: a sheet, and the sign leads home. */
export const page = ({ title, content, host, script, ...kind }: PageContent): string => {
  const { isBroad = false, isDecision = false, isFollowed = false } = kind;
  return documentOf({
    title: `${title} · Alçada`,
    head: html`<meta name="robots" content="noindex" />
      ${isFollowed && html`<meta http-equiv="refresh" content="${LOOK_AGAIN}" />`}
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
