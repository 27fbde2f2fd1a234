import { PREVIEW_LINK } from './assets.js';
import { html, Html } from './html.js';
import { BRAND, documentOf, type Language } from './layout.js';

/** A page that is for everybody. */
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

/** What frames a page, in its language. */
const FRAMES = {
  'pt-BR': {
    locale: 'pt_BR',
    skip: 'Pular para o conteúdo',
    around: 'Principal',
    flights: 'Voos',
    agents: 'Para agentes',
    account: 'Sua conta',
    host: 'Você está em',
    payments: 'Pagamentos em processador de testes.',
    reference: 'API',
    guide: 'Guia para agentes',
    traffic: 'Tráfego de agentes',
    verify: 'Verificar um histórico',
    other: { language: 'en', name: 'English' },
  },
  en: {
    locale: 'en_US',
    skip: 'Skip to content',
    around: 'Main',
    flights: 'Flights',
    agents: 'For agents',
    account: 'Your account',
    host: 'You are at',
    payments: 'Payments go to a test processor.',
    reference: 'API',
    guide: 'Guide for agents',
    traffic: 'Agent traffic',
    verify: 'Verify a history',
    other: { language: 'pt-BR', name: 'Português' },
  },
} as const satisfies Record<Language, object>;

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
      html`${alternate(language, siteUrl + path)} ${alternate(FRAMES[language].other.language, siteUrl + translation)}`
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
  const { other, ...frame } = FRAMES[language];
  return html`<a class="skip" href="#conteudo">${frame.skip}</a>
    <header class="topbar">
      <div class="within">
        <a class="brand" href="/">${BRAND}</a>
        ${
          translation !== undefined &&
          html`<a class="language" href="${translation}" lang="${other.language}" hreflang="${other.language}"
            >${other.name}</a
          >`
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
