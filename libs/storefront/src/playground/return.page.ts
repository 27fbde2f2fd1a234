import type { BaseUrls } from '#http';
import { EVENT_WORDS } from '#outbox';
import { fact, type Html, html, type Page } from '#site';
import { OAUTH_ERRORS } from '#oauth';
import { callForms, type DaysToCome } from './call-forms.js';
import { RESTART, stepsPage } from './steps.page.js';

const WORDS = Object.fromEntries(Object.entries(EVENT_WORDS).map(([type, { text }]) => [type, text]));

export interface ReturnedWithCode {
  readonly code: string;
  readonly state: string;
  readonly csrf: string;
  readonly days: DaysToCome;
  readonly urls: BaseUrls;
}

const parameter = (name: string, value: string, text: string): Html =>
  fact(html`<code>${name}</code>`, html`<code>${value}</code><br /><span class="small">${text}</span>`);

/** A button of the script, with a place for its result. The steps after the third are hidden until there are tokens. */
const action = (name: string, button: string, look: 'filled' | 'quiet' = 'quiet'): Html =>
  html`<form data-step="${name}">
    <button ${look === 'quiet' && html`class="quiet"`} type="submit">${button}</button>
    <div data-shown></div>
  </form>`;

/** What happens to the purchases of this agent, as events (docs/interface.md, Events). The script fills it in. */
const liveEvents: Html = html`<section aria-labelledby="events-title">
  <h3 id="events-title">O que aconteceu, ao vivo</h3>
  <p class="small"><code>GET /events</code> · um fluxo que fica aberto enquanto o token vale</p>
  <p class="small" id="events-state">Esperando o primeiro acontecimento: faça uma compra acima.</p>
  <ol id="events" role="list" data-words="${JSON.stringify(WORDS)}"></ol>
</section>`;

/** Steps 2 to 6: the code has come back, and the script takes the next steps. */
export const returnedPage = ({ code, state, csrf, days, urls }: ReturnedWithCode): Page =>
  stepsPage({
    title: 'Passo 3: trocar o código',
    now: 3,
    isScripted: true,
    urls,
    contents: [
      html`<p>Feito: o viajante autorizou.</p>`,
      html`<details>
        <summary>O que voltou</summary>
        <dl class="facts">
          ${parameter('code', code, 'Vale 60 segundos, uma única vez.')}
          ${parameter('state', state, 'Confere: o pedido saiu deste navegador e ainda não tinha voltado.')}
          ${parameter('iss', urls.auth, 'Confere: quem responde é o servidor a que se perguntou.')}
        </dl>
      </details>`,
      html`<noscript>
          <p class="alert">
            Daqui em diante é preciso JavaScript: os tokens ficam só na memória desta página, e é ela que chama a API.
          </p>
        </noscript>
        <div
          id="playground"
          hidden
          data-api="${urls.base}"
          data-csrf="${csrf}"
          data-code="${code}"
          data-state="${state}"
        >
          <p>
            Troque logo: o código vence em 60 segundos, e já saiu da barra de endereços. A troca vai do servidor do
            agente ao servidor de autorização: o segredo do cliente e o <code>code_verifier</code> não passam pelo
            navegador. Os tokens ficam só na memória desta página; ao recarregá-la, somem.
          </p>
          ${action('token', 'Trocar o código por tokens', 'filled')}
        </div>`,
      html`<div data-after-exchange hidden>
        <p class="actions"><button class="quiet" type="button" id="copy-token">Copiar token</button></p>
        <p class="small">
          Para chamar a API do terminal, guarde o token de acesso em <code>TOKEN</code>: as chamadas que se copiam aqui
          e as da <a href="/docs">referência da API</a> o leem de lá.
        </p>
        ${callForms(days)} ${liveEvents}
      </div>`,
      html`<div data-after-exchange hidden>
        <p>
          Os dois tokens são trocados por novos. Reapresentar o refresh token antigo seria sinal de roubo e encerraria a
          autorização inteira.
        </p>
        ${action('refresh', 'Renovar os tokens')}
      </div>`,
      html`<div data-after-exchange hidden>
        <p>
          Depois de revogar, chame de novo uma operação do passo 4 que precise de escopo: a resposta passa a ser 401.
        </p>
        ${action('revoke', 'Revogar o token de acesso')}
      </div>`,
    ],
    end: html`<p data-after-exchange hidden>
        Peça de novo com o mesmo mandato, e ele recusa: já não cabe no teto.
        <a href="${urls.site}/conta">Ver na sua conta</a>
      </p>
      ${RESTART}
      <p class="visually-hidden" role="status" id="said"></p>`,
  });

/** The message for an error of the authorization; a general text where the error is not ours. */
const messageFor = (error: string, description: string): string =>
  Object.values(OAUTH_ERRORS).find((known) => known.error === error && known.description === description)?.message ??
  'O servidor de autorização recusou o pedido.';

/** Step 2 without a code. */
export const refusedPage = (error: string, description: string, urls: BaseUrls): Page =>
  stepsPage({
    title: 'A autorização foi recusada',
    now: 2,
    urls,
    contents: [
      null,
      html`<div class="alert" role="alert"><p>${messageFor(error, description)}</p></div>
        <dl class="facts">
          ${parameter('error', error, 'O que houve, para o programa do agente.')}
          ${parameter('error_description', description, 'O mesmo, para quem o desenvolve.')}
        </dl>
        <p class="note">Nenhum código foi emitido e nada mudou. O agente pode pedir de novo, ou pedir menos.</p>
        ${RESTART}`,
    ],
  });

/** Step 2, where the return belongs to another browser or has been used. */
export const rejectedReturnPage = (urls: BaseUrls): Page =>
  stepsPage({
    status: 400,
    title: 'Volta recusada',
    now: 2,
    isScripted: true,
    urls,
    contents: [
      null,
      html`<div class="alert" role="alert">
          <p>Esta volta não é de um pedido deste navegador, ou já foi usada.</p>
        </div>
        <p>
          O <code>state</code> ou o <code>iss</code> não confere, ou este código já veio uma vez: ele não foi trocado.
          Assim ninguém consegue fazer você usar, sem notar, uma autorização alheia.
        </p>
        ${RESTART}`,
    ],
  });
