import { Injectable } from '@nestjs/common';
import { capOf, delegations, usedOf } from '#delegation';
import { Aggregates } from '#event-store';
import type { BaseUrls } from '#http';
import type { Money } from '#kernel';
import type { Page } from '#site';
import { Clients } from '../clients/clients.js';
import { hiddenFields, logoutForm, type Traveller, type Visitor } from '#identity';
import type { CapField } from '../pages/cap-field.js';
import { consentPage } from '../pages/consent.page.js';
import { AuthorizationRequests } from './authorization-requests.js';
import { capEntry } from './cap-entry.js';

/** The consent page, with the cap that is in force. */
@Injectable()
export class ConsentPages {
  constructor(
    private readonly clients: Clients,
    private readonly requests: AuthorizationRequests,
    private readonly aggregates: Aggregates,
  ) {}

  /** Of a kept request. `unreadable`: what was written as a cap and is none. @throws OAuthError `authorization_request_gone` */
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
    const forms = { hidden: hiddenFields(sessionId, to), leave: logoutForm(visitor, to) };
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
