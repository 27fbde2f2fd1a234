import { Injectable } from '@nestjs/common';
import type { Links } from '#http';
import { html, type Html, type Page } from '#site';
import { AuthorizationRequests } from '../authorize/authorization-requests.js';
import { Clients } from '../clients/clients.js';
import type { Visitor } from '../sessions/visitors.js';
import { type Destination, hostOf } from './destination.js';
import { hiddenFields } from './forms.js';
import { loginPage, type RefusedLogin } from './login.page.js';

/** What a traveller logs in for. */
interface Reason {
  readonly lead: Html;
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
   * For a visitor on the way to `to`; whoever is logged in is asked for the password once more before a challenge.
   * `refused`: what was tried in vain.
   *
   * @throws OAuthError `authorization_request_gone`, `client_unknown`
   */
  async page(
    to: Destination,
    { sessionId, traveller }: Visitor,
    links: Links,
    refused: RefusedLogin | null = null,
  ): Promise<Page> {
    const isAgain = to.kind === 'challenge' && traveller !== null;
    return loginPage({
      ...(await this.reason(to, isAgain)),
      hidden: hiddenFields(sessionId, to),
      host: hostOf(to, links),
      email: refused?.email ?? traveller?.email ?? '',
      refused,
      isAgain,
    });
  }

  private async reason({ kind, id }: Destination, isAgain: boolean): Promise<Reason> {
    if (kind === 'challenge') return { lead: isAgain ? AGAIN : CHALLENGE };
    const { clientId, redirectUri } = await this.requests.find(id);
    const { name } = await this.clients.get(clientId);
    return {
      lead: html`<strong>${name}</strong> quer agir em seu nome. Depois de entrar, você vê o que ele pede.`,
      redirectUri,
    };
  }
}

const CHALLENGE = html`Um agente pediu a sua confirmação para um pagamento. Depois de entrar, você vê qual é.`;
const AGAIN = html`Faz mais de cinco minutos que você entrou. Para decidir sobre um pagamento, informe sua senha de
novo; nada foi decidido ainda.`;
