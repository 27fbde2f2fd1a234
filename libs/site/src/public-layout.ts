import { PREVIEW_LINK } from './assets.js';
import { html, Html } from './html.js';
import { BRAND, documentOf, inBoth, type Language, OTHER_LANGUAGE } from './layout.js';

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

const bodyOf = ({ content, siteUrl, language = 'pt-BR', translation }: PublicPageContent): Html => {
  const frame = FRAMES[language];
  const other = OTHER_LANGUAGE[language];
  return html`<a class="skip" href="#conteudo">${frame.skip}</a>
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
            <li><a href="/docs/agents">${frame.agents}</a></li>
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
          <li><a href="/docs/agents">${frame.guide}</a></li>
          <li><a href="/oauth/playground">Playground</a></li>
          <li><a href="/observability">${frame.traffic}</a></li>
          <li><a href="/verificar">${frame.verify}</a></li>
          <li><a href="/llms.txt">llms.txt</a></li>
        </ul>
      </div>
    </footer>`;
};
