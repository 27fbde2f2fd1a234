import type { BaseUrls } from '#http';
import { type Scope, SCOPES } from '#kernel';
import { fact, type Html, html, type Page } from '#site';
import { type AccountRegistration, publicLoginText } from '#identity';
import { SCOPE_WORDS } from '#oauth';
import { message, stepsPage } from './steps.page.js';
import type { BegunAttempt } from './attempts.js';

export interface ExplainedParameter {
  readonly name: string;
  readonly value: string;
  readonly text: string;
}

export interface RequestedAuthorization extends BegunAttempt {
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  readonly urls: BaseUrls;
}

/** The redirect URI of the playground, character for character as it is registered. */
export const playgroundAddress = ({ auth }: BaseUrls): string => `${auth}/oauth/playground`;

/** The scopes chosen in the form, in the interface's order. An empty choice is sent too, so that the server refuses it. */
export const chosenScopes = (query: URLSearchParams): readonly Scope[] => {
  const chosen = query.getAll('scope');
  return SCOPES.filter((scope) => chosen.includes(scope));
};

/** The parameters of an authorization request (OAuth 2.1 §4.1.1; RFC 8707 §2). */
export const authorizationParameters = (requested: RequestedAuthorization): readonly ExplainedParameter[] => {
  const { clientId, scopes, state, challenge, urls } = requested;
  const parameter = (name: string, value: string, text: string): ExplainedParameter => ({ name, value, text });
  return [
    parameter('response_type', 'code', 'O que volta pelo navegador é um código, nunca um token.'),
    parameter('client_id', clientId, 'Quem pede: o cliente piloto.'),
    parameter('redirect_uri', playgroundAddress(urls), 'Para onde voltar: um endereço registrado, letra por letra.'),
    parameter('scope', scopes.join(' '), 'O que o agente poderá fazer.'),
    parameter('resource', urls.base, 'Para que serviço o token vale: só para esta API.'),
    parameter('state', state, 'Liga a volta a este navegador; quem trouxer outro é recusado.'),
    parameter('code_challenge', challenge, 'Resumo SHA-256 de um segredo que fica no servidor (PKCE).'),
    parameter('code_challenge_method', 'S256', 'Como o resumo foi feito; outro método é recusado.'),
  ];
};

export const authorizationUrl = (parameters: readonly ExplainedParameter[], { auth }: BaseUrls): string => {
  const query = new URLSearchParams(parameters.map(({ name, value }): [string, string] => [name, value]));
  return `${auth}/oauth/authorize?${query.toString()}`;
};

const choice = (scope: Scope): Html =>
  html`<label class="choice">
    <input type="checkbox" name="scope" value="${scope}" checked />
    <span><code>${scope}</code> ${SCOPE_WORDS[scope].text}</span>
  </label>`;

/** How to log in as the traveller who is asked; nothing where no account is everybody's. */
const travellerHint = (shown: AccountRegistration | null): Html | null =>
  shown && html`<p class="small">Neste ambiente de testes, o viajante entra com ${publicLoginText(shown)}.</p>`;

/** Step 1: the choice of scopes. The form is sent by GET, so that it works without a script and changes nothing. */
export const choosePage = (urls: BaseUrls, shown: AccountRegistration | null): Page =>
  stepsPage({
    title: 'Playground OAuth',
    now: 1,
    urls,
    contents: [
      html`<form method="get" action="${playgroundAddress(urls)}/pedido">
        <fieldset>
          <legend>Escopos que o agente vai pedir</legend>
          ${SCOPES.map(choice)}
        </fieldset>
        <p class="small">Deixe algum de fora para ver, no passo 4, o que a API responde sem ele.</p>
        ${travellerHint(shown)}
        <button type="submit">Montar o pedido</button>
      </form>`,
    ],
  });

/** Instead of step 1 where every token must be bound to a key: this page would get none. */
export const boundOnlyPage = (urls: BaseUrls): Page =>
  stepsPage({
    title: 'Playground OAuth',
    now: 1,
    urls,
    contents: [
      html`<div class="alert" role="alert">
          <p>Este serviço só aceita tokens vinculados a uma chave do agente (DPoP), e o playground não os usa.</p>
        </div>
        <p>
          Um agente que assina provas DPoP compra normalmente: veja o
          <a href="${urls.site}/docs/agents">guia para agentes</a>.
        </p>`,
    ],
  });

/** Step 1 with the finished request: its parameters and their purpose. */
export const requestPage = (
  parameters: readonly ExplainedParameter[],
  urls: BaseUrls,
  shown: AccountRegistration | null,
): Page => {
  const url = authorizationUrl(parameters, urls);
  // No character of a query's encoding ends a quoted text but the apostrophe, which URLSearchParams encodes.
  const curl = `curl -i '${url}'`;
  return stepsPage({
    title: 'Passo 1: pedir autorização',
    now: 1,
    isCopied: true,
    urls,
    contents: [
      html`<p>
          O servidor do agente sorteou um <code>state</code> e um segredo, o <code>code_verifier</code>. O segredo fica
          com ele; o pedido leva só o resumo, <code>code_challenge</code>. Quem interceptar o código não consegue
          trocá-lo sem o segredo: é o que se chama PKCE.
        </p>
        ${message('O endereço do pedido', `GET ${url.replace('?', '\n?').replaceAll('&', '\n&')}`)}
        <p>
          <button class="link" type="button" data-copy="${curl}" aria-live="polite" hidden>Copiar como curl</button>
        </p>
        <dl class="facts">
          ${parameters.map(({ name, value, text }) =>
            fact(
              html`<code>${name}</code>`,
              html`<code>${value || '(vazio)'}</code><br /><span class="small">${text}</span>`,
            ),
          )}
        </dl>
        <p class="note">
          O link leva ao servidor de autorização: lá o viajante entra, vê o que se pede e autoriza ou recusa. Recuse uma
          vez, para ver o que volta.
        </p>
        ${travellerHint(shown)}
        <p class="actions">
          <a class="button" href="${url}">Ir para a autorização</a>
          <a class="button quiet" href="/oauth/playground">Escolher outros escopos</a>
        </p>`,
    ],
  });
};
