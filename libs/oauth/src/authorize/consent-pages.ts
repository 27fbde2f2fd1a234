import { Injectable } from '@nestjs/common';
import { capOf, type Delegation, delegationDecider, delegations } from '#delegation';
import { Aggregates } from '#event-store';
import type { BaseUrls } from '#http';
import {
  CONFIRM_IDENTITY,
  hiddenFields,
  logoutForm,
  type Parameters,
  type ReturnTargetKind,
  type Session,
  type Traveller,
} from '#identity';
import { Clock, DomainError, type Money, plus } from '#kernel';
import { endedUnder, MandateSettings, playedUnder, spendingOf } from '#mandate';
import { html, type Html, type Page } from '#site';
import { shownName } from '../clients/client-name.js';
import { Clients } from '../clients/clients.js';
import { OAuthSettings } from '../oauth-settings.js';
import type { MandateDetail } from './authorization-details.js';
import { asksFirstIn, hiddenMode, modeEntered } from './approval-mode.js';
import { AuthorizationRequests } from './authorization-requests.js';
import { capEntered, capEntry, type CapField } from './cap-field.js';
import type { Granted } from './consent-decision.js';
import { consentPath, endingPage } from './consent-ending.page.js';
import { consentPage } from './consent.page.js';
import { entriesIn, grantedBy, NO_ROOM_IN_CAP, TOO_MANY_MANDATES, UNREADABLE_MANDATE } from './mandate-fields.js';

/** The return target of the consent page. Its login page names the client. @throws OAuthError `authorization_request_gone`, `client_unknown` */
export const consentTarget = (requests: AuthorizationRequests, clients: Clients): ReturnTargetKind => ({
  path: consentPath,
  at: 'auth',
  loginText: async (requestId, isLoggedIn) => {
    const { clientId, redirectUri } = await requests.find(requestId);
    const name = shownName(await clients.get(clientId));
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

/** A form as a traveller sent it, which cannot be granted; `problem`: why not, where its cap is not the reason. */
export interface RefusedForm {
  readonly fields: Parameters;
  readonly problem: Html | null;
}

/** The consent page, with the cap and the mode that are in force. */
@Injectable()
export class ConsentPages {
  constructor(
    private readonly clients: Clients,
    private readonly requests: AuthorizationRequests,
    private readonly aggregates: Aggregates,
    private readonly mandates: MandateSettings,
    private readonly settings: OAuthSettings,
    private readonly clock: Clock,
  ) {}

  /**
   * The page of a stored request. `refused`: the form that it answers, which keeps what the traveller wrote.
   *
   * @throws OAuthError `authorization_request_gone`
   */
  async page(
    requestId: string,
    session: Session & { readonly traveller: Traveller },
    urls: BaseUrls,
    refused?: RefusedForm,
  ): Promise<Page> {
    const to = { kind: 'request', id: requestId } as const;
    const { id, traveller } = session;
    const { clientId, redirectUri, scopes, details, signedBy = null } = await this.requests.find(requestId);
    const client = await this.clients.get(clientId);
    const { state } = await this.aggregates.load(delegations, { holder: traveller.holder, clientId });
    const cap = await this.capField(state, refused?.fields);
    const asksFirst = (refused && modeEntered(refused.fields)) ?? this.asksFirst(state);
    const forms = { hidden: hiddenFields(id, to), logout: logoutForm(session, to) };
    const entries = refused ? entriesIn(refused.fields, details) : null;
    const problem = refused?.problem ?? null;
    return consentPage({
      ...forms,
      client,
      redirectUri,
      signedBy,
      scopes,
      cap,
      asksFirst,
      details,
      entries,
      problem,
      urls,
    });
  }

  /**
   * What the fields of a form grant of the mandates that a request asks for; or what is wrong with them, for the page. There
   * must be room for all of them, also under the cap: the one in force, or `cap`, which is set with the same consent.
   *
   * @throws OAuthError `authorization_request_gone`
   */
  async grantedIn(
    requestId: string,
    holder: string,
    fields: Parameters,
    cap: Money | null | undefined,
  ): Promise<{ readonly details: readonly MandateDetail[] } | RefusedForm> {
    const { clientId, details: asked } = await this.requests.find(requestId);
    const details = grantedBy(entriesIn(fields, asked), asked);
    if (details === 'unreadable') return { fields, problem: UNREADABLE_MANDATE };
    const { state } = await this.aggregates.load(delegations, { holder, clientId });
    const delegation = cap === undefined ? state : (await playedUnder(this.aggregates, state, cap)).after;
    const problem = this.refusal(delegation, details);
    return problem ? { fields, problem } : { details };
  }

  /**
   * The page to confirm a cap that ends open mandates of the agent; null where it ends none.
   *
   * @throws OAuthError `authorization_request_gone`
   */
  async ending(
    requestId: string,
    session: Session & { readonly traveller: Traveller },
    urls: BaseUrls,
    cap: Money | null,
    fields: Parameters,
  ): Promise<Page | null> {
    const { clientId, redirectUri, details } = await this.requests.find(requestId);
    const { state } = await this.aggregates.load(delegations, { holder: session.traveller.holder, clientId });
    const ended = await endedUnder(this.aggregates, state, cap);
    if (cap === null || ended.length === 0) return null;
    const consequences = { cap, ended };
    const hidden = html`${hiddenFields(session.id, { kind: 'request', id: requestId })} ${hiddenMode(fields)}`;
    const client = await this.clients.get(clientId);
    const entries = entriesIn(fields, details);
    return endingPage({ requestId, hidden, client, redirectUri, consequences, entries, urls });
  }

  /**
   * Whether the agent of a stored request may spend more than now under this cap, or need not ask any more where it does;
   * undefined: that stays as it is.
   *
   * @throws OAuthError `authorization_request_gone`
   */
  async isLooser(requestId: string, holder: string, { cap, asksFirst }: Omit<Granted, 'details'>): Promise<boolean> {
    const { clientId } = await this.requests.find(requestId);
    const { state } = await this.aggregates.load(delegations, { holder, clientId });
    const inForce = capOf(state);
    const isRaised = inForce !== null && cap !== undefined && (cap === null || cap.amount > inForce.limit.amount);
    return isRaised || (asksFirst === false && this.asksFirst(state));
  }

  private asksFirst(state: Delegation): boolean {
    return asksFirstIn(state, this.settings.newAgentsAsk === true);
  }

  /** Why not all of these mandates can be opened, one beside the other; null: they can, or an interrupted try has. */
  private refusal(delegation: Delegation, details: readonly MandateDetail[]): Html | null {
    const now = this.clock.now();
    const authorized = { holder: '', clientId: '', grantId: '', scopes: [], authorizedAt: now };
    let state = delegationDecider.evolve(delegation, { type: 'AgentAuthorized', data: authorized });
    try {
      for (const { mandateId, limit, minutes } of details) {
        const terms = { mandateId, limit, expiresAt: plus(now, minutes * 60_000), isDecided: true };
        const open = { type: 'OpenMandate', ...terms, atMost: this.mandates.openMandates, now } as const;
        const events = delegationDecider.decide(open, state);
        state = events.reduce((before, event) => delegationDecider.evolve(before, event), state);
      }
      return null;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return error.code === 'rate_limited' ? TOO_MANY_MANDATES : NO_ROOM_IN_CAP;
    }
  }

  /** The cap that this traveller set for this agent, or what they entered instead; and the amount used. */
  private async capField(state: Delegation, fields: Parameters | undefined): Promise<CapField> {
    const entered = fields && capEntered(fields);
    return {
      id: 'cap',
      entry: entered?.entry ?? capEntry(capOf(state)?.limit ?? null),
      isUnreadable: entered?.cap === 'unreadable',
      spending: await spendingOf(this.aggregates, state, 'BRL'),
    };
  }
}
