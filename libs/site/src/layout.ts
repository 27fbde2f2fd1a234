import { html, type Html } from './html.js';
import { ICON_PATH, STYLESHEET_LINK } from './assets.js';

/** A page: its title, its content, and the name of the host that a traveller should see in the address bar. */
export interface PageContent {
  readonly title: string;
  readonly content: Html;
  readonly host: string;
  /** Address of its script; its policy must let it run. */
  readonly script?: string;
  /** Whether it shows what needs more room than a form. */
  readonly isBroad?: boolean;
}

const MARK = html`<svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false">
  <path d="M4 6h24" />
  <path d="M8 26v-7M16 26V15M24 26V11" />
</svg>`;

/** The one layout of all pages. */
export const page = ({ title, content, host, script, isBroad = false }: PageContent): string =>
  html`<!doctype html>
    <html lang="pt-BR">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${title} · Alçada</title>
        <link rel="icon" href="${ICON_PATH}" type="image/svg+xml" />
        <link rel="stylesheet" href="${STYLESHEET_LINK}" />
        ${script !== undefined && html`<script type="module" src="${script}"></script>`}
      </head>
      <body ${isBroad && html`class="broad"`}>
        <header class="masthead"><span class="brand">${MARK}Alçada</span></header>
        <main class="sheet">${content}</main>
        <footer class="colophon">
          <p>Você está em <strong>${host}</strong></p>
        </footer>
      </body>
    </html> `.text;
