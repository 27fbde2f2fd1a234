import { asDomainError, type BaseUrls, ERROR_CATALOGUE, type ErrorFormat, jsonErrors, prefersHtml } from '#http';
import { type AccountRegistration, nameOf } from '#identity';
import type { ErrorCode } from '#kernel';
import { html, type Html, type Page, publicPage, type PublicPageContent, sendPage } from '#site';
import { VERSIONED_WEBMCP_SCRIPT } from '#agent-tools';

interface StorefrontPage extends Omit<PublicPageContent, 'siteUrl' | 'script' | 'above'> {
  readonly status?: number;
  readonly urls: BaseUrls;
  /** The traveller whom anybody may be; null: there is none. */
  readonly shown: AccountRegistration | null;
}

export const storefrontPage = ({ status = 200, urls, shown, ...content }: StorefrontPage): Page => ({
  status,
  html: publicPage({
    ...content,
    siteUrl: urls.site,
    script: VERSIONED_WEBMCP_SCRIPT,
    above: shown && testBar(shown),
  }),
  isPublic: true,
  scriptTargets: [...new Set([urls.base, urls.auth].map((address) => new URL(address).origin))],
});

/** Where somebody may go on who followed an address of an error that there is not. */
const ERROR_LISTS = [
  ['/docs/erros', 'Todos os erros'],
  ['/docs/errors', 'All errors'],
] as const;

export const notFoundPage = ({ site }: BaseUrls, address = '/'): Page => {
  const [list] = ERROR_LISTS.filter(([path]) => address.startsWith(`${path}/`));
  return list ? lostPage(site, ERROR_LOST, list) : lostPage(site, FLIGHT_LOST, ['/voos', 'Ver todos os voos']);
};

const FLIGHT_LOST = 'Não há nada neste endereço. Se você procurava um voo, ele pode ter saído de venda.';
const ERROR_LOST = 'Não há nenhum erro com este código.';

const lostPage = (site: string, text: string, [path, name]: readonly [string, string]): Page => ({
  status: 404,
  isPublic: true,
  html: publicPage({
    title: 'Página não encontrada · Alçada',
    description: 'Não há nada neste endereço.',
    path: null,
    siteUrl: site,
    content: html`<div class="within band lost">
      <h1>Página não encontrada</h1>
      <p class="lead">${text}</p>
      <p class="actions">
        <a class="button" href="${path}">${name}</a>
        <a class="button quiet" href="/conta">Ir para a sua conta</a>
      </p>
    </div>`,
  }),
});

const failedPage = (code: ErrorCode, { site }: BaseUrls, requestId: string): Page => {
  const { status, message } = ERROR_CATALOGUE[code];
  return {
    status,
    html: publicPage({
      title: 'Algo deu errado · Alçada',
      description: message,
      path: null,
      siteUrl: site,
      content: html`<div class="within band lost">
        <h1>Não foi possível mostrar esta página</h1>
        <p class="lead" role="alert">${message}</p>
        <p class="small">Código <strong>${code}</strong> · requisição <strong>${requestId}</strong></p>
        <p class="actions"><a class="button" href="/">Voltar ao início</a></p>
      </div>`,
    }),
  };
};

/** Errors of the storefront: a page for browsers, JSON for programs. */
export const storefrontErrors: ErrorFormat = (error, request) => {
  const answer = jsonErrors(error, request);
  const { code } = asDomainError(error);
  // A cursor that leads nowhere is an address that leads nowhere.
  const isNowhere = code === 'route_not_found' || code === 'invalid_cursor';
  const page = isNowhere ? notFoundPage(request.urls, request.url) : failedPage(code, request.urls, request.id);
  return {
    ...answer,
    send: (reply) => {
      void reply.header('vary', 'Accept');
      if (prefersHtml(request)) sendPage(reply, page);
      else answer.send(reply);
    },
  };
};

/** What each card of the test processor does (docs/decisions.md, Test processor). */
const CARDS = [
  ['4242 4242 4242 4242', 'aprovado'],
  ['4000 0000 0000 3220', 'pede a confirmação do viajante'],
  ['4000 0000 0000 0002', 'recusado'],
  ['4000 0000 0000 9995', 'sem saldo'],
] as const;

/** The thin bar of an environment where anybody may be a traveller. It is the same for everybody, so pages are kept with it. */
export const testBar = ({ email }: AccountRegistration): Html =>
  html`<aside class="testbar" aria-label="Ambiente de testes">
    <div class="within">
      <p><strong>Ambiente de testes</strong></p>
      <a href="/conta">Entrar como ${nameOf(email)}</a>
      <details>
        <summary>Cartões de teste</summary>
        <ul role="list">
          ${CARDS.map(([number, what]) => html`<li><code>${number}</code> ${what}</li>`)}
        </ul>
        <p class="small">Com qualquer validade no futuro e qualquer código. Nada é cobrado de verdade.</p>
      </details>
    </div>
  </aside>`;
