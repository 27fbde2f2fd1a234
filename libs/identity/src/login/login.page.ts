import { Injectable } from '@nestjs/common';
import type { BaseUrls } from '#http';
import { formTarget, type Html, html, page, PAGE_SCRIPT, type Page } from '#site';
import { type AccountRegistration, IdentitySettings, nameOf } from '../identity-settings.js';
import type { Session } from '../sessions.js';
import { hidden as hiddenField, hiddenFields } from './forms.js';
import { type LoginText, type ReturnTarget, ReturnTargets } from './return-targets.js';

export interface RefusedLogin {
  readonly email: string;
  /** Seconds to wait, where the password was not even compared; null: e-mail or password are wrong. */
  readonly retryAfter: number | null;
}

export interface LoginPageContent extends LoginText {
  readonly action: string;
  readonly hidden: Html;
  readonly host: string;
  readonly email: string;
  readonly refused: RefusedLogin | null;
  /** An account that everybody may try; null or absent: there is none. */
  readonly shown?: AccountRegistration | null;
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

/** What to log in with, where everybody may know it. */
export const publicLoginText = ({ email, password }: AccountRegistration): Html =>
  html`<strong>${email}</strong> e a senha <strong>${password}</strong>`;

export const loginPage = (content: LoginPageContent): Page => {
  const { action, hidden, heading, lead, host, redirectUri, email, refused, shown = null } = content;
  const mark = refused && html`${refused.retryAfter === null && html`aria-invalid="true"`} aria-describedby="problema"`;
  return {
    status: statusOf(content),
    formTargets: redirectUri === undefined ? [] : [formTarget(redirectUri)],
    scriptTargets: 'none',
    html: page({
      title: titleOf(content),
      host,
      script: PAGE_SCRIPT,
      content: html`<h1>${heading}</h1>
        <p class="lead">${lead}</p>
        ${
          refused &&
          html`<div class="alert" role="alert" id="problema">
            <p>${problem(refused)}</p>
          </div>`
        }
        <form method="post" action="${action}">
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
            <div class="with-button">
              <input id="password" name="password" type="password" autocomplete="current-password" required ${mark} />
              <button class="quiet" type="button" data-shows="password" hidden>
                Mostrar<span class="visually-hidden"> a senha</span>
              </button>
            </div>
          </div>
          <button class="wide" type="submit">Entrar</button>
        </form>
        ${shown && shownLogin(shown, action, hidden)}`,
    }),
  };
};

/** The way in that everybody has: what to type, and a button that does. */
const shownLogin = (shown: AccountRegistration, action: string, hidden: Html): Html =>
  html`<form class="note" method="post" action="${action}">
    <p class="small">Este é um ambiente de testes: entre com ${publicLoginText(shown)}.</p>
    ${hidden} ${hiddenField('username', shown.email)} ${hiddenField('password', shown.password)}
    <button class="quiet wide" type="submit">Continuar como ${nameOf(shown.email)}</button>
  </form>`;

export const loggedOutPage = (urls: BaseUrls): Page => ({
  status: 200,
  html: page({
    title: 'Você saiu',
    host: new URL(urls.site).host,
    content: html`<h1>Você saiu</h1>
      <p class="lead">Para entrar de novo, com esta ou outra conta, abra outra vez o endereço que você recebeu.</p>
      <p><a href="${urls.site}/conta">Ir para a sua conta</a></p>`,
  }),
});

@Injectable()
export class LoginPages {
  constructor(
    private readonly targets: ReturnTargets,
    private readonly settings: IdentitySettings,
  ) {}

  /** The login page on the way to `to`. `refused`: the attempt that failed. Throws what the return target throws. */
  async page(
    to: ReturnTarget,
    { id, traveller }: Session,
    urls: BaseUrls,
    refused: RefusedLogin | null = null,
  ): Promise<Page> {
    return loginPage({
      ...(await this.targets.loginText(to, traveller !== null)),
      action: '/oauth/login',
      hidden: hiddenFields(id, to),
      host: this.targets.hostOf(to, urls),
      email: refused?.email ?? traveller?.email ?? '',
      refused,
      shown: this.settings.shownAccount ?? null,
    });
  }
}
