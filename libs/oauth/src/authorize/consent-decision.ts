import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  AlignAgent,
  CreateMandate,
  type Delegation,
  delegations,
  endedBy,
  EndMandates,
  heldBy,
  MandatePurposes,
  mandates,
  MandateSettings,
  mustAsk,
  pauses,
  RevokeMandate,
} from '#mandate';
import { Aggregates } from '#event-store';
import type { BaseUrls } from '#http';
import {
  type Cause,
  Clock,
  type Context,
  DomainError,
  type ErrorCode,
  Ids,
  type Instant,
  type Money,
  type Party,
  plus,
  TooLate,
} from '#kernel';
import { Clients } from '../clients/clients.js';
import { AuthorizationCodes } from '../grants/authorization-codes.js';
import { Grants } from '../grants/grants.js';
import { OAUTH_ERRORS, OAuthError } from '../oauth-error.js';
import { OAuthSettings } from '../oauth-settings.js';
import type { MandateDetail } from './authorization-details.js';
import { type Approval, type AuthorizationRequest, AuthorizationRequests } from './authorization-requests.js';
import { asksUnless } from './approval-mode.js';
import { Consents } from './remembered-consents.js';
import { codeResponse, errorResponse } from './authorization-response.js';

export interface Decider {
  readonly holder: string;
  readonly cause: Cause;
  readonly urls: BaseUrls;
}

export interface Granted {
  /** The total that the agent may spend; null: no limit, undefined: as it is. */
  readonly cap: Money | null | undefined;
  /** Whether the agent asks for each further mandate; undefined: as it is, or as agents do that are new. */
  readonly asksFirst: boolean | undefined;
  readonly details: readonly MandateDetail[];
}

/** Why the delegation does not open what a traveller granted: for good, so that another try would not either. */
const REFUSED: readonly ErrorCode[] = ['mandate_cap_exceeded', 'rate_limited', 'invalid_token', 'agents_paused'];

/** Why no try can carry out a consent any more; null: another try may. */
const endOf = (error: unknown): 'consent_late' | 'consent_overtaken' | null => {
  if (error instanceof TooLate) return 'consent_late';
  return error instanceof DomainError && REFUSED.includes(error.code) ? 'consent_overtaken' : null;
};

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
    private readonly purposes: MandatePurposes,
    private readonly mandates: MandateSettings,
    private readonly settings: OAuthSettings,
    private readonly clock: Clock,
  ) {}

  /** Grants what was approved, the same at each retry (rule 30). @throws OAuthError `…_gone`, `consent_overtaken`, `…_late` */
  async approve(requestId: string, decider: Decider, { cap, asksFirst, details }: Granted): Promise<string> {
    const { holder } = decider;
    const request = await this.requests.approve(requestId, {
      holder,
      at: this.clock.now(),
      grantId: this.ids.next(),
      ...(cap !== undefined && { cap }),
      ...(asksFirst !== undefined && { asksFirst }),
      details,
    });
    const client = await this.clients.get(request.clientId);
    await this.clients.letIn(client, this.clock.now());
    await this.consents.forget(holder, client.clientId);
    const code = await this.authorize(request, request.approval, decider, {}).catch(async (error: unknown) => {
      const end = endOf(error);
      if (end === null) throw error;
      await this.takeBack(requestId, request, decider);
      throw new OAuthError(end, { cause: error });
    });
    if (!(await this.requests.finish(requestId))) {
      await this.codes.drop(code); // somebody else has carried out the same, and has a code for it
      throw new OAuthError('authorization_request_gone');
    }
    await this.consents.remember(request, client, holder);
    return codeResponse(request, decider.urls, code);
  }

  /** Leaves no grant, mandate or request of a refused consent: without a grant the agent can do nothing. */
  private async takeBack(
    requestId: string,
    { clientId, approval }: AuthorizationRequest & { readonly approval: Approval },
    { holder, cause }: Decider,
  ): Promise<void> {
    await this.requests.finish(requestId);
    await this.grants.revoke(approval.grantId, 'agent_revoked');
    const context = { actor: { holder, clientId }, ...cause };
    for (const { mandateId } of approval.details) {
      await this.commands.execute(new RevokeMandate(mandateId, holder, context)).catch((error: unknown) => {
        if (!(error instanceof DomainError && error.code === 'mandate_not_found')) throw error;
      });
    }
  }

  /** Approves without a page what the traveller granted before. Cap and mode stay as they are. */
  async approveAsBefore(requestId: string, decider: Decider): Promise<string> {
    const request = await this.requests.take(requestId);
    const approval = { holder: decider.holder, at: this.clock.now(), grantId: this.ids.next(), details: [] };
    return codeResponse(
      request,
      decider.urls,
      await this.authorize(request, approval, decider, { isRemembered: true }),
    );
  }

  /** Refuses, forgets what was granted before, and informs the client. */
  async deny(requestId: string, { holder, urls }: Decider): Promise<string> {
    const request = await this.requests.take(requestId);
    await this.consents.forget(holder, request.clientId);
    return errorResponse(request, urls, OAUTH_ERRORS.access_denied);
  }

  /** Carries out an approval, as often as it is asked to; returns a code that leads to its grant. */
  private async authorize(
    request: AuthorizationRequest,
    { grantId, cap, details, at, ...approval }: Approval,
    { holder, cause }: Decider,
    how: { readonly isRemembered?: true },
  ): Promise<string> {
    const { clientId, scopes, ucpNames, resources, redirectUri, codeChallenge, dpopJkt } = request;
    const delegation = { holder, clientId };
    const { state } = await this.aggregates.load(delegations, delegation);
    // A grant that an interrupted revocation left active must not become valid again with the new consent.
    if (state.status === 'revoked') await this.grants.revokeAll(holder, clientId, 'agent_revoked');
    // Before the agent is authorized, so that a later revocation finds the grant; one revoked since is not opened again.
    await this.grants.open(grantId, { holder, clientId, scopes, ...(ucpNames && { ucpNames }), resources, details });
    if (!(await this.grants.active(grantId))) throw new OAuthError('authorization_request_gone');
    const context = { actor: { holder, clientId }, ...cause };
    if (cap !== undefined) await this.makeRoom(delegation, cap, context);
    // A single command, so that no agent is ever authorized without its cap, without asking first, or without its mandates.
    const { asksFirst } = approval;
    const asksFirstUnless = asksUnless(details, this.settings.newAgentsAsk === true);
    const command = {
      type: 'AuthorizeAgent',
      ...{ holder, clientId, grantId, scopes, redirectHost: new URL(redirectUri).host },
      ...(asksFirst !== undefined && { asksFirst }),
      ...(asksFirstUnless !== undefined && { asksFirstUnless }),
      ...(cap !== undefined && { cap }),
      opening: await this.notCreated(details, at),
      atMost: this.mandates.openMandates,
      pause: heldBy((await this.aggregates.load(pauses, holder)).state),
      ...how,
    } as const;
    const { events, state: authorized } = await this.aggregates.handle(delegations, delegation, command, context);
    // The agent was revoked in the meantime, so a remembered consent no longer counts.
    if (events.length === 0) throw new OAuthError('authorization_request_gone');
    // A pause of everything that was not seen before the append has not seen it either (rule 41).
    const isHeld = heldBy((await this.aggregates.load(pauses, holder)).state) !== undefined;
    const isPaused = authorized.status !== 'unknown' && authorized.pauseOfAll?.isOn === true;
    if (isHeld || isPaused) await this.commands.execute(new AlignAgent(delegation, context));
    if (cap !== undefined && isEnding(authorized)) await this.commands.execute(new EndMandates(delegation, context));
    for (const { mandateId, purpose, ...terms } of details) {
      if (purpose !== undefined) await this.purposes.keep(mandateId, purpose);
      const granted = { by: 'traveller', at } as const;
      await this.commands.execute(new CreateMandate(mandateId, delegation, terms, context, granted));
    }
    return this.codes.issue({
      grantId,
      clientId,
      redirectUri,
      codeChallenge,
      ...(dpopJkt !== undefined && { dpopJkt }),
    });
  }

  /** Ends what the cap leaves no room for before anything is granted: until then it takes the place of what this consent opens. */
  private async makeRoom(delegation: Party, cap: Money | null, context: Context): Promise<void> {
    let { state } = await this.aggregates.load(delegations, delegation);
    if (endedBy(state, cap).length > 0) {
      const ask = { type: 'SetApprovalMode', asksFirst: true } as const;
      if (mustAsk(state)) await this.aggregates.handle(delegations, delegation, ask, context);
      ({ state } = await this.aggregates.handle(delegations, delegation, { type: 'SetSpendingCap', cap }, context));
    }
    if (isEnding(state)) await this.commands.execute(new EndMandates(delegation, context));
  }

  /** Of what was granted, what no earlier try has created: that is not opened again, whatever became of it since. */
  private async notCreated(details: readonly MandateDetail[], at: Instant) {
    const opening = [];
    for (const { mandateId, limit, minutes } of details) {
      const { state } = await this.aggregates.load(mandates, mandateId);
      if (state.kind === 'none') opening.push({ mandateId, limit, expiresAt: plus(at, minutes * 60_000) });
    }
    return opening;
  }
}

const isEnding = (delegation: Delegation): boolean => delegation.status !== 'unknown' && delegation.ending.length > 0;
