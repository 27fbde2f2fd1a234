import type { BaseUrls } from '#http';
import { type Scope, SCOPES } from '#kernel';
import { html, type Html, type Page } from '#site';
import { SCOPE_WORDS } from '#oauth';
import { authorizationUrl, type ExplainedParameter, playgroundAddress } from './authorization-parameters.js';
import { fact, message, stepsPage } from './steps.page.js';

const choice = (scope: Scope): Html =>
  html`<label class="choice">
    <input type="checkbox" name="scope" value="${scope}" checked />
    <span><code>${scope}</code> ${SCOPE_WORDS[scope].text}</span>
  </label>`;

/** Step 1: which scopes to ask for. A form by GET, so that it works without a script and changes nothing that is anybody's. */
export const choosePage = (urls: BaseUrls): Page =>
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
        <button type="submit">Montar o pedido</button>
      </form>`,
    ],
  });

/** Step 1, once the request is made up: what it says and why. */
export const requestPage = (parameters: readonly ExplainedParameter[], urls: BaseUrls): Page => {
  const url = authorizationUrl(parameters, urls);
  return stepsPage({
    title: 'Passo 1: pedir autorização',
    now: 1,
    urls,
    contents: [
      html`<p>
          O servidor do agente sorteou um <code>state</code> e um segredo, o <code>code_verifier</code>. O segredo fica
          com ele; o pedido leva só o resumo, <code>code_challenge</code>. Quem interceptar o código não consegue
          trocá-lo sem o segredo: é o que se chama PKCE.
        </p>
        ${message('O endereço do pedido', `GET ${url.replace('?', '\n?').replaceAll('&', '\n&')}`)}
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
        <p class="actions">
          <a class="button" href="${url}">Ir para a autorização</a>
          <a class="button quiet" href="/oauth/playground">Escolher outros escopos</a>
        </p>`,
    ],
  });
};
