import { Injectable } from '@nestjs/common';
import { capOf, delegations, usedOf } from '#delegation';
import { Aggregates } from '#event-store';
import type { BaseUrls } from '#http';
import {
  CONFIRM_IDENTITY,
  hiddenFields,
  logoutForm,
  type ReturnTargetKind,
  type Traveller,
  type Visitor,
} from '#identity';
import type { Money } from '#kernel';
import { html, type Page } from '#site';
import { Clients } from '../clients/clients.js';
import { AuthorizationRequests } from './authorization-requests.js';
import { capEntry, type CapField } from './cap-field.js';
import { consentPage } from './consent.page.js';

/** The consent page of a kept authorization request, where a login may lead. */
export const consentPath = (requestId: string): string => `/oauth/consent/${encodeURIComponent(requestId)}`;

/** Its login page names the client. @throws OAuthError `authorization_request_gone`, `client_unknown` */
export const consentTarget = (requests: AuthorizationRequests, clients: Clients): ReturnTargetKind => ({
  path: consentPath,
  at: 'auth',
  loginText: async (requestId, isLoggedIn) => {
    const { clientId, redirectUri } = await requests.find(requestId);
    const { name } = await clients.get(clientId);
    const next = isLoggedIn
      ? 'Para decidir, informe sua senha de novo; nada foi decidido ainda.'
      : 'Depois de entrar, você vê o que ele pede.';
    return {
      heading: isLoggedIn ? CONFIRM_IDENTITY : 'Entre para decidir',
      lead: html`<strong>${name}</strong> quer agir em seu nome. ${next}`,
      isAgain: false,
      redirectUri,
    };
  },
});

/** The consent page, with the cap that is in force. */
@Injectable()
export class ConsentPages {
  constructor(
    private readonly clients: Clients,
    private readonly requests: AuthorizationRequests,
    private readonly aggregates: Aggregates,
  ) {}

  /** The page of a kept request. `unreadable`: the entry for the cap, where it is no amount. @throws OAuthError `authorization_request_gone` */
  async page(
    requestId: string,
    visitor: Visitor & { readonly traveller: Traveller },
    urls: BaseUrls,
    unreadable?: string,
  ): Promise<Page> {
    const to = { kind: 'request', id: requestId } as const;
    const { sessionId, traveller } = visitor;
    const { clientId, redirectUri, scopes } = await this.requests.find(requestId);
    const client = await this.clients.get(clientId);
    const cap = await this.capField(traveller.holder, clientId, unreadable);
    const forms = { hidden: hiddenFields(sessionId, to), logout: logoutForm(visitor, to) };
    return consentPage({ ...forms, client, redirectUri, scopes, cap, urls });
  }

  /** Whether `cap` lets the agent of a kept request spend more than the one in force. @throws OAuthError `authorization_request_gone` */
  async isLooser(requestId: string, holder: string, cap: Money | null): Promise<boolean> {
    const { clientId } = await this.requests.find(requestId);
    const { state } = await this.aggregates.load(delegations, { holder, clientId });
    const inForce = capOf(state);
    return inForce !== null && (cap === null || cap.amount > inForce.limit.amount);
  }

  /** The cap that this traveller gave this agent, or what they wrote instead, and what is used of it. */
  private async capField(holder: string, clientId: string, unreadable: string | undefined): Promise<CapField> {
    const { state } = await this.aggregates.load(delegations, { holder, clientId });
    const entry = unreadable ?? capEntry(capOf(state)?.limit ?? null);
    return { id: 'cap', entry, isUnreadable: unreadable !== undefined, used: usedOf(state, 'BRL') };
  }
}
