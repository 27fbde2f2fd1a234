import { PREVIEW_LINK } from './assets.js';
import { html, Html } from './html.js';
import { BRAND, documentOf } from './layout.js';

/** A page that is for everybody. */
export interface PublicPageContent {
  /** All of its title. */
  readonly title: string;
  /** What search engines and link previews say of it, a sentence or two. */
  readonly description: string;
  readonly content: Html;
  /** `{site_url}`. */
  readonly siteUrl: string;
  /** The one path it is to be known by; null: search engines are to leave it out. */
  readonly path: string | null;
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
export const publicPage = (content: PublicPageContent): string =>
  documentOf({ title: content.title, head: headOf(content), layout: 'open', body: bodyOf(content) });

const headOf = ({
  title,
  description,
  siteUrl,
  path,
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
    <meta property="og:type" content="website" />
    <meta property="og:site_name" content="Alçada" />
    <meta property="og:locale" content="pt_BR" />
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

const bodyOf = ({ content, siteUrl }: PublicPageContent): Html =>
  html`<a class="skip" href="#conteudo">Pular para o conteúdo</a>
    <header class="topbar">
      <div class="within">
        <a class="brand" href="/">${BRAND}</a>
        <nav aria-label="Principal">
          <ul role="list">
            <li><a href="/voos">Voos</a></li>
            <li><a href="/docs/agents">Para agentes</a></li>
            <li><a href="/conta">Sua conta</a></li>
          </ul>
        </nav>
      </div>
    </header>
    <main id="conteudo" tabindex="-1">${content}</main>
    <footer class="bottom">
      <div class="within">
        <p>Você está em <strong>${new URL(siteUrl).host}</strong>. Pagamentos em processador de testes.</p>
        <ul role="list">
          <li><a href="/docs">API</a></li>
          <li><a href="/docs/agents">Guia para agentes</a></li>
          <li><a href="/oauth/playground">Playground</a></li>
          <li><a href="/observability">Tráfego de agentes</a></li>
          <li><a href="/verificar">Verificar um histórico</a></li>
          <li><a href="/llms.txt">llms.txt</a></li>
        </ul>
      </div>
    </footer>`;
