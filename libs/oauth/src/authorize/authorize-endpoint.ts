import { Injectable } from '@nestjs/common';
import type { Links } from '#http';
import type { Page } from '#site';
import { Accounts } from '../accounts/accounts.js';
import type { Client } from '../clients/client.js';
import { Clients } from '../clients/clients.js';
import { OAuthError } from '../oauth-error.js';
import { parametersOf } from '../parameters.js';
import { consentPage } from '../pages/consent.page.js';
import { loginPage } from '../pages/login.page.js';
import { csrfToken } from '../sessions/form-guard.js';
import type { Visitor } from '../sessions/visitors.js';
import type { AuthorizationRequest } from './authorization-request.js';
import { AuthorizationRequests } from './authorization-requests.js';
import { judgeAuthorizationRequest } from './judge-authorization-request.js';

/** What a visitor is shown for an authorization request: first who they are, then what is asked. */
@Injectable()
export class AuthorizeEndpoint {
  constructor(
    private readonly clients: Clients,
    private readonly accounts: Accounts,
    private readonly requests: AuthorizationRequests,
  ) {}

  /** Judges a request and keeps it; answers its id. @throws OAuthError, RefusedByRedirect */
  async take(query: URLSearchParams, links: Links): Promise<string> {
    return this.requests.keep(await judgeAuthorizationRequest(parametersOf(query), this.clients, links));
  }

  /** The next page of a kept request; `refused` is an e-mail whose login failed. @throws OAuthError `authorization_request_gone` */
  async page(requestId: string, visitor: Visitor, links: Links, refused?: string): Promise<Page> {
    const request = await this.requests.find(requestId);
    const client = await this.clientOf(request);
    const email = visitor.holder === null ? null : await this.accounts.emailOf(visitor.holder);
    const form = { requestId, csrf: csrfToken(visitor.sessionId, requestId), redirectUri: request.redirectUri, links };
    return email === null || refused !== undefined
      ? loginPage({ ...form, clientName: client.name, ...(refused !== undefined && { refused }) })
      : consentPage({ ...form, client, scopes: request.scopes, email });
  }

  private async clientOf({ clientId }: AuthorizationRequest): Promise<Client> {
    const client = await this.clients.find(clientId);
    if (!client) throw new OAuthError('client_unknown');
    return client;
  }
}
