import { formTarget, html, type Html, page, type Page } from '#site';

/** A login that was tried in vain. */
export interface RefusedLogin {
  readonly email: string;
  /** Seconds to wait, where the password was not even compared; null: e-mail or password are wrong. */
  readonly retryAfter: number | null;
}

/** What the login page needs to know. */
export interface LoginPageContent {
  readonly hidden: Html;
  readonly heading: string;
  /** What for. */
  readonly lead: Html;
  readonly host: string;
  /** The validated redirect URI of an authorization request: a redirect after the form's POST counts as its target too. */
  readonly redirectUri?: string;
  /** What stands in the field of the e-mail. */
  readonly email: string;
  readonly refused: RefusedLogin | null;
  /** Whether somebody is logged in and has to show their password once more. */
  readonly isAgain: boolean;
}

const titleOf = ({ refused, isAgain, heading }: LoginPageContent): string =>
  refused ? 'Erro ao entrar' : isAgain ? heading : 'Entrar';

const statusOf = ({ refused, isAgain }: LoginPageContent): number => {
  if (refused && refused.retryAfter !== null) return 429;
  return refused || isAgain ? 403 : 200;
};

const problem = ({ retryAfter }: RefusedLogin): Html => {
  if (retryAfter === null) {
    return html`E-mail ou senha incorretos. <a href="#username">Confira e tente de novo.</a>`;
  }
  const seconds = retryAfter === 1 ? '1 segundo' : `${retryAfter} segundos`;
  return html`Muitas tentativas de entrar. Espere <strong>${seconds}</strong> e <a href="#password">tente de novo.</a>`;
};

/** "Entrar": e-mail and password, and what for. */
export const loginPage = (content: LoginPageContent): Page => {
  const { hidden, heading, lead, host, redirectUri, email, refused } = content;
  const mark = refused && html`${refused.retryAfter === null && html`aria-invalid="true"`} aria-describedby="problema"`;
  return {
    status: statusOf(content),
    formTargets: redirectUri === undefined ? [] : [formTarget(redirectUri)],
    html: page({
      title: titleOf(content),
      host,
      content: html`<h1>${heading}</h1>
        <p class="lead">${lead}</p>
        ${
          refused &&
          html`<div class="alert" role="alert" id="problema">
            <p>${problem(refused)}</p>
          </div>`
        }
        <form method="post" action="/oauth/login">
          ${hidden}
          <div class="field">
            <label for="username">E-mail</label>
            <input
              id="username"
              name="username"
              type="email"
              value="${email}"
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
    }),
  };
};
