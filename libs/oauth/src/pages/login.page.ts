import type { Links } from '#http';
import { html, type Page } from '#site';
import { hiddenFields, oauthPage } from './oauth-page.js';

/** What the login page needs to know. */
export interface LoginPageContent {
  readonly requestId: string;
  readonly csrf: string;
  readonly clientName: string;
  readonly redirectUri: string;
  readonly links: Links;
  /** The e-mail that was tried and refused. */
  readonly refused?: string;
}

/** "Entrar": e-mail and password, and for whom. */
export const loginPage = ({ requestId, csrf, clientName, redirectUri, links, refused }: LoginPageContent): Page => {
  const isRefused = refused !== undefined;
  const mark = isRefused && html`aria-invalid="true" aria-describedby="problema"`;
  return oauthPage({
    status: isRefused ? 403 : 200,
    title: isRefused ? 'Erro ao entrar' : 'Entrar',
    links,
    redirectUri,
    content: html`<h1>Entre para decidir</h1>
      <p class="lead">
        <strong>${clientName}</strong> quer agir em seu nome. Depois de entrar, você vê o que ele pede.
      </p>
      ${
        isRefused &&
        html`<div class="alert" role="alert" id="problema">
          <p>E-mail ou senha incorretos. <a href="#username">Confira e tente de novo.</a></p>
        </div>`
      }
      <form method="post" action="/oauth/login">
        ${hiddenFields(requestId, csrf)}
        <div class="field">
          <label for="username">E-mail</label>
          <input
            id="username"
            name="username"
            type="email"
            value="${refused ?? ''}"
            autocomplete="username"
            autocapitalize="none"
            spellcheck="false"
            required
            ${mark}
          />
        </div>
        <div class="field">
          <label for="password">Senha</label>
          <input id="password" name="password" type="password" autocomplete="current-password" required ${mark} />
        </div>
        <button class="wide" type="submit">Entrar</button>
      </form>`,
  });
};
