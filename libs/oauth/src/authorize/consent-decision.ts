import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { delegations } from '#delegation';
import { Aggregates } from '#event-store';
import type { BaseUrls } from '#http';
import { type Cause, Ids, type Money } from '#kernel';
import { EndMandates } from '#order';
import { Clients } from '../clients/clients.js';
import { AuthorizationCodes } from '../grants/authorization-codes.js';
import { Grants } from '../grants/grants.js';
import { OAUTH_ERRORS, OAuthError } from '../oauth-error.js';
import { type AuthorizationRequest, AuthorizationRequests } from './authorization-requests.js';
import { Consents } from './consents.js';
import { codeResponse, errorResponse } from './authorization-response.js';

/** The traveller who decides, and the HTTP request of the decision. */
export interface Decider {
  readonly holder: string;
  readonly cause: Cause;
  readonly urls: BaseUrls;
}

/** Carries out a traveller's decision. Every method answers where the browser goes. Each request is decided once. */
@Injectable()
export class ConsentDecision {
  constructor(
    private readonly requests: AuthorizationRequests,
    private readonly clients: Clients,
    private readonly consents: Consents,
    private readonly grants: Grants,
    private readonly aggregates: Aggregates,
    private readonly codes: AuthorizationCodes,
    private readonly ids: Ids,
    private readonly commands: CommandBus,
  ) {}

  /**
   * Authorizes the agent, opens a grant, and issues the code that leads to it. `cap`: the total that the agent may spend;
   * null for no limit, undefined for the present one. What it leaves no room for is at its end before the code is issued.
   */
  async approve(requestId: string, decider: Decider, cap: Money | null | undefined): Promise<string> {
    const request = await this.requests.take(requestId);
    const client = await this.clients.get(request.clientId);
    await this.consents.forget(decider.holder, client.clientId);
    const location = await this.authorize(request, decider, cap === undefined ? {} : { cap });
    await this.consents.remember(request, client, decider.holder);
    return location;
  }

  /** Approves without a page what the traveller granted before. The cap stays as it is. */
  async approveAsBefore(requestId: string, decider: Decider): Promise<string> {
    return this.authorize(await this.requests.take(requestId), decider, { isRemembered: true });
  }

  /** Refuses, forgets what was granted before, and informs the client. */
  async deny(requestId: string, { holder, urls }: Decider): Promise<string> {
    const request = await this.requests.take(requestId);
    await this.consents.forget(holder, request.clientId);
    return errorResponse(request, urls, OAUTH_ERRORS.access_denied);
  }

  private async authorize(
    request: AuthorizationRequest,
    { holder, cause, urls }: Decider,
    how: { readonly cap?: Money | null; readonly isRemembered?: true },
  ): Promise<string> {
    const { clientId, scopes, resources } = request;
    const delegation = { holder, clientId };
    const { state } = await this.aggregates.load(delegations, delegation);
    // A grant that an interrupted revocation left active must not become valid again with the new consent.
    if (state.status === 'revoked') await this.grants.revokeAll(holder, clientId, 'agent_revoked');
    const grantId = this.ids.next();
    // Before the agent is authorized, so that whoever revokes it afterwards finds the grant.
    await this.grants.open(grantId, { holder, clientId, scopes, resources });
    // A single command, so that no agent is ever authorized without its cap.
    const command = { type: 'AuthorizeAgent', holder, clientId, grantId, scopes, ...how } as const;
    const context = { actor: { holder, clientId }, ...cause };
    const { events, state: authorized } = await this.aggregates.handle(delegations, delegation, command, context);
    // The agent was revoked in the meantime, so a remembered consent no longer counts.
    if (events.length === 0) throw new OAuthError('authorization_request_gone');
    const isEnding = authorized.status === 'authorized' && authorized.ending.length > 0;
    if (how.cap !== undefined && isEnding) await this.commands.execute(new EndMandates(delegation, context));
    const { redirectUri, codeChallenge } = request;
    const code = await this.codes.issue({ grantId, clientId, redirectUri, codeChallenge });
    return codeResponse(request, urls, code);
  }
}
