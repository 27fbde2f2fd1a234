import { documentOf } from './document.js';
import { html, type Html } from './html.js';
import { BRAND } from './mark.js';

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

/** The layout of the pages that are for one traveller: a sheet, and no way to lose it. */
export const page = ({ title, content, host, script, isBroad = false }: PageContent): string =>
  documentOf({
    title: `${title} · Alçada`,
    head: html`<meta name="robots" content="noindex" />
      ${script !== undefined && html`<script type="module" src="${script}"></script>`}`,
    ...(isBroad && { layout: 'broad' }),
    body: html`<header class="masthead"><span class="brand">${BRAND}</span></header>
      <main class="sheet">${content}</main>
      <footer class="colophon">
        <p>Você está em <strong>${host}</strong></p>
      </footer>`,
  });
