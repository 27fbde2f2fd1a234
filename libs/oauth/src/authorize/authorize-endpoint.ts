import { Injectable } from '@nestjs/common';
import { agencyDecider, capOf, usedOf } from '#agency';
import { Aggregates } from '#event-store';
import { agencyStream } from '#events';
import type { Links } from '#http';
import type { Page } from '#site';
import { Accounts } from '../accounts/accounts.js';
import type { Client } from '../clients/client.js';
import { Clients } from '../clients/clients.js';
import { OAuthError } from '../oauth-error.js';
import { parametersOf } from '../parameters.js';
import type { CapField } from '../pages/cap-field.js';
import { consentPage } from '../pages/consent.page.js';
import { loginPage } from '../pages/login.page.js';
import { csrfToken } from '../sessions/form-guard.js';
import type { Visitor } from '../sessions/visitors.js';
import type { AuthorizationRequest } from './authorization-request.js';
import { AuthorizationRequests } from './authorization-requests.js';
import { capEntry } from './cap-entry.js';
import { judgeAuthorizationRequest } from './judge-authorization-request.js';

/** What a form held that comes back: the e-mail of a login that failed, a cap that could not be read. */
export interface Refused {
  readonly email?: string;
  readonly cap?: string;
}

/** What a visitor is shown for an authorization request: first who they are, then what is asked. */
@Injectable()
export class AuthorizeEndpoint {
  constructor(
    private readonly clients: Clients,
    private readonly accounts: Accounts,
    private readonly requests: AuthorizationRequests,
    private readonly aggregates: Aggregates,
  ) {}

  /** Judges a request and keeps it; answers its id. @throws OAuthError, RefusedByRedirect */
  async take(query: URLSearchParams, links: Links): Promise<string> {
    return this.requests.keep(await judgeAuthorizationRequest(parametersOf(query), this.clients, links));
  }

  /** The next page of a kept request, with what was `refused` kept in its form. @throws OAuthError `authorization_request_gone` */
  async page(requestId: string, visitor: Visitor, links: Links, refused: Refused = {}): Promise<Page> {
    const request = await this.requests.find(requestId);
    const client = await this.clientOf(request);
    const { holder } = visitor;
    const email = holder === null ? null : await this.accounts.emailOf(holder);
    const form = { requestId, csrf: csrfToken(visitor.sessionId, requestId), redirectUri: request.redirectUri, links };
    if (holder === null || email === null || refused.email !== undefined) {
      return loginPage({
        ...form,
        clientName: client.name,
        ...(refused.email !== undefined && { refused: refused.email }),
      });
    }
    const cap = await this.capField(holder, client.clientId, refused.cap);
    return consentPage({ ...form, client, scopes: request.scopes, email, cap });
  }

  /** The cap that this traveller gave this agent, or what they wrote instead, and what is used of it. */
  private async capField(holder: string, clientId: string, unreadable: string | undefined): Promise<CapField> {
    const { state } = await this.aggregates.load(agencyStream(holder, clientId), agencyDecider);
    const entry = unreadable ?? capEntry(capOf(state)?.limit ?? null);
    return { entry, isUnreadable: unreadable !== undefined, used: usedOf(state, 'BRL') };
  }

  private async clientOf({ clientId }: AuthorizationRequest): Promise<Client> {
    const client = await this.clients.find(clientId);
    if (!client) throw new OAuthError('client_unknown');
    return client;
  }
}
