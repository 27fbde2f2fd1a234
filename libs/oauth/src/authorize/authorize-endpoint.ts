import { delegations } from '#mandate';
import { Injectable } from '@nestjs/common';
import { Aggregates } from '#event-store';
import type { BaseUrls } from '#http';
import { Clock, Ids } from '#kernel';
import type { Page, SeeOther } from '#site';
import type { FastifyRequest } from 'fastify';
import { ClientLookup } from '../clients/client-lookup.js';
import { type Client, Clients } from '../clients/clients.js';
import { LoginPages, parametersOf, type Traveller, type Session } from '#identity';
import { OAuthError } from '../oauth-error.js';
import { type AuthorizationRequest, AuthorizationRequests } from './authorization-requests.js';
import { ConsentPages } from './consent-pages.js';
import { Consents } from './remembered-consents.js';
import { ConsentDecision } from './consent-decision.js';
import { checkAuthorizationRequest, clientOf } from './check-authorization-request.js';
import { pushedIdIn } from './push-authorization-request.js';
import { type RefusedByRedirect, refusedTo } from './authorization-response.js';

/** The answer to a browser: a page, or a redirect, finally back to the client. */
export type NextStep = Page | SeeOther;

/** Leads a browser through an authorization request: the login, then the consent, each only where it is needed. */
@Injectable()
export class AuthorizeEndpoint {
  constructor(
    private readonly clients: Clients,
    private readonly lookup: ClientLookup,
    private readonly requests: AuthorizationRequests,
    private readonly logins: LoginPages,
    private readonly consents: Consents,
    private readonly consentPages: ConsentPages,
    private readonly decision: ConsentDecision,
    private readonly aggregates: Aggregates,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** Checks and stores a request, or finds the one that was pushed; returns its id. @throws OAuthError, RefusedByRedirect */
  async take(query: URLSearchParams, { urls, address }: FastifyRequest): Promise<string> {
    const { lookup, clock, ids } = this;
    const parameters = parametersOf(query);
    const pushedId = pushedIdIn(parameters);
    if (pushedId !== null) {
      await this.requests.begin(pushedId, (await clientOf(parameters, lookup)).clientId);
      return pushedId;
    }
    const against = { urls, now: clock.now(), newId: () => ids.next() };
    return this.requests.keep(await checkAuthorizationRequest(parameters, lookup, against), address);
  }

  /** What follows a stored request. @throws OAuthError `authorization_request_gone`; RefusedByRedirect: `prompt=none` */
  async next(requestId: string, session: Session, { urls, cause }: FastifyRequest): Promise<NextStep> {
    const request = await this.requests.find(requestId);
    const isSilent = request.prompt.includes('none');
    const traveller = travellerFor(request, session);
    const client = await this.clients.get(request.clientId);
    if (!traveller) {
      if (isSilent) throw missing('login_required', client, request, urls);
      return this.logins.page({ kind: 'request', id: requestId }, session, urls);
    }
    const { holder } = traveller;
    const isForMoney = request.details.length > 0; // which is granted each time again, on the page
    const mustAsk =
      isForMoney || request.prompt.includes('consent') || !(await this.consents.cover(request, client, holder));
    if (!mustAsk && (await this.isAuthorized(holder, client.clientId))) {
      return { location: await this.decision.approveAsBefore(requestId, { holder, cause, urls }) };
    }
    if (isSilent) throw missing('consent_required', client, request, urls);
    return this.consentPages.page(requestId, { ...session, traveller }, urls);
  }

  /** The traveller whose login counts for a stored request, or null. @throws OAuthError `authorization_request_gone` */
  async travellerOf(requestId: string, session: Session): Promise<Traveller | null> {
    return travellerFor(await this.requests.find(requestId), session);
  }

  /** Whether the agent is still authorized, since a remembered consent must not outlive its authorization. */
  private async isAuthorized(holder: string, clientId: string): Promise<boolean> {
    const { state } = await this.aggregates.load(delegations, { holder, clientId });
    return state.status === 'authorized';
  }
}

/** A page is needed, and the client allows none. */
const missing = (
  reason: 'login_required' | 'consent_required',
  client: Client,
  request: AuthorizationRequest,
  urls: BaseUrls,
): RefusedByRedirect => refusedTo(client, request, urls, new OAuthError(reason));

const travellerFor = ({ loginSince }: AuthorizationRequest, { traveller }: Session): Traveller | null =>
  traveller && (loginSince === null || traveller.loggedInAt >= loginSince) ? traveller : null;
