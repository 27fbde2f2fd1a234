import { Injectable } from '@nestjs/common';
import type { BaseUrls } from '#http';
import { html, type Html, type Page } from '#site';
import { AuthorizationRequests } from '../authorize/authorization-requests.js';
import { Clients } from '../clients/clients.js';
import type { Visitor } from '../sessions/visitors.js';
import { hostOf, type ReturnTarget } from './return-target.js';
import { hiddenFields } from './forms.js';
import { loginPage, type RefusedLogin } from './login.page.js';
import { LOGIN_WORDS } from './login-words.js';

/** What a traveller logs in for. */
interface Reason {
  readonly heading: string;
  readonly lead: Html;
  /** Whether somebody is logged in and has to show their password once more. */
  readonly isAgain: boolean;
  readonly redirectUri?: string;
}

/** The login page, whatever somebody logs in for. */
@Injectable()
export class LoginPages {
  constructor(
    private readonly requests: AuthorizationRequests,
    private readonly clients: Clients,
  ) {}

  /**
   * For a visitor on the way to `to`; whoever is logged in is asked for the password once more before what moves money.
   * `refused`: what was tried in vain.
   *
   * @throws OAuthError `authorization_request_gone`, `client_unknown`
   */
  async page(
    to: ReturnTarget,
    { sessionId, traveller }: Visitor,
    urls: BaseUrls,
    refused: RefusedLogin | null = null,
  ): Promise<Page> {
    return loginPage({
      ...(await this.reason(to, traveller !== null)),
      hidden: hiddenFields(sessionId, to),
      host: hostOf(to, urls),
      email: refused?.email ?? traveller?.email ?? '',
      refused,
    });
  }

  private async reason({ kind, id }: ReturnTarget, isLoggedIn: boolean): Promise<Reason> {
    if (kind !== 'request') {
      const { heading, lead, again } = LOGIN_WORDS[kind];
      return again && isLoggedIn ? { heading: AGAIN, lead: again, isAgain: true } : { heading, lead, isAgain: false };
    }
    const { clientId, redirectUri } = await this.requests.find(id);
    const { name } = await this.clients.get(clientId);
    const next = isLoggedIn
      ? 'Para decidir, informe sua senha de novo; nada foi decidido ainda.'
      : 'Depois de entrar, você vê o que ele pede.';
    return {
      heading: isLoggedIn ? AGAIN : 'Entre para decidir',
      lead: html`<strong>${name}</strong> quer agir em seu nome. ${next}`,
      isAgain: false,
      redirectUri,
    };
  }
}

const AGAIN = 'Confirme que é você';
