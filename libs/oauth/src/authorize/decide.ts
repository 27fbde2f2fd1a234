import { Injectable } from '@nestjs/common';
import { delegations } from '#delegation';
import { Aggregates } from '#event-store';
import type { BaseUrls } from '#http';
import { type Cause, Ids, type Money } from '#kernel';
import { Clients } from '../clients/clients.js';
import { Grants } from '../grants/grants.js';
import { OAUTH_ERRORS, OAuthError } from '../oauth-error.js';
import type { AuthorizationRequest } from './authorization-request.js';
import { AuthorizationRequests } from './authorization-requests.js';
import { Consents } from './consents.js';
import { IssueCode } from './issue-code.js';
import { codeResponse, errorResponse } from './redirect.js';

/** Whose decision it is, in which request. */
export interface DecidedBy {
  readonly holder: string;
  readonly cause: Cause;
  readonly urls: BaseUrls;
}

/** What follows from a traveller's decision; all answer where the browser goes. Each request is decided once. */
@Injectable()
export class Decide {
  constructor(
    private readonly requests: AuthorizationRequests,
    private readonly clients: Clients,
    private readonly consents: Consents,
    private readonly grants: Grants,
    private readonly aggregates: Aggregates,
    private readonly issueCode: IssueCode,
    private readonly ids: Ids,
  ) {}

  /**
   * The traveller lets the agent: it is authorized, a grant is open, and a code leads to it. `cap`: what it may spend in
   * all, null for no limit, undefined for what it was before.
   */
  async approve(requestId: string, by: DecidedBy, cap: Money | null | undefined): Promise<string> {
    const request = await this.requests.take(requestId);
    const client = await this.clients.get(request.clientId);
    await this.consents.forget(by.holder, client.clientId);
    const location = await this.letIn(request, by, cap === undefined ? {} : { cap });
    await this.consents.remember(request, client, by.holder);
    return location;
  }

  /** The traveller let the agent do all of this before, and is not asked again; the cap stays as it is. */
  async approveAsBefore(requestId: string, by: DecidedBy): Promise<string> {
    return this.letIn(await this.requests.take(requestId), by, { isRemembered: true });
  }

  /** The traveller does not, also not as before; the client learns it. */
  async deny(requestId: string, { holder, urls }: DecidedBy): Promise<string> {
    const request = await this.requests.take(requestId);
    await this.consents.forget(holder, request.clientId);
    return errorResponse(request, urls, OAUTH_ERRORS.access_denied);
  }

  private async letIn(
    request: AuthorizationRequest,
    { holder, cause, urls }: DecidedBy,
    how: { readonly cap?: Money | null; readonly isRemembered?: true },
  ): Promise<string> {
    const { clientId, scopes, resources } = request;
    const { state } = await this.aggregates.load(delegations, { holder, clientId });
    // What a revocation that broke off left alive must not live again with the new consent.
    if (state.status === 'revoked') await this.grants.killAll(holder, clientId, 'agent_revoked');
    const grantId = this.ids.next();
    // Before the agent is authorized, so that whoever revokes it afterwards finds the grant.
    await this.grants.open(grantId, { holder, clientId, scopes, resources });
    // One command for both, so that no agent is ever authorized without the cap it was authorized with.
    const command = { type: 'AuthorizeAgent', holder, clientId, grantId, scopes, ...how } as const;
    const context = { actor: { holder, clientId }, ...cause };
    const { events } = await this.aggregates.handle(delegations, { holder, clientId }, command, context);
    // Revoked in this moment: what was remembered no longer counts.
    if (events.length === 0) throw new OAuthError('authorization_request_gone');
    return codeResponse(request, urls, await this.issueCode.issue(request, grantId));
  }
}
