import { Injectable } from '@nestjs/common';
import {
  capOf,
  type Delegation,
  type DelegationCommand,
  delegationDecider,
  delegations,
  heldBy,
  MandateSettings,
  mustAsk,
  pauses,
  playedUnder,
  spendingOf,
} from '#mandate';
import { FlightDocuments } from '#catalog';
import { Aggregates } from '#event-store';
import type { BaseUrls } from '#http';
import { hiddenFields, logoutForm, type Parameters, type Session, type Traveller } from '#identity';
import { Clock, DomainError, isStrangerId, type Money, money, plus } from '#kernel';
import { html, type Html, type Page } from '#site';
import { Clients } from '../clients/clients.js';
import { Grants } from '../grants/grants.js';
import { OAuthSettings } from '../oauth-settings.js';
import type { MandateDetail } from './authorization-details.js';
import { asksUnless, hiddenMode, modeEntered, presentText } from './approval-mode.js';
import { FIRST_AMOUNT } from './amount-number.js';
import { isAsShown } from './at-most.js';
import { type AuthorizationRequest, AuthorizationRequests } from './authorization-requests.js';
import { capEntered, capEntry, type CapField, capIn, problemOf, capSaid } from './cap-field.js';
import { airportsOnSale } from './city-choice.js';
import type { Granted } from './consent-decision.js';
import { endingPage } from './consent-ending.page.js';
import { consentPage, type ConsentPageContent, isAboutCap } from './consent.page.js';
import {
  amountOf,
  ENTRY_PROBLEMS,
  entriesIn,
  entryOf,
  grantedBy,
  AGENTS_PAUSED,
  NO_ROOM_IN_CAP,
  TOO_MANY_MANDATES,
} from './mandate-fields.js';

/** A form as a traveller sent it, which is not granted; `problem`: why not, where its cap is not the reason. */
export interface RefusedForm {
  readonly fields: Parameters;
  readonly problem: Html | null;
  /** Whether nothing is wrong with it but that its button said something else. */
  readonly isChanged?: true;
}

/** What lets an agent open mandates. */
const OPENS = 'mandate:create';

@Injectable()
export class ConsentPages {
  constructor(
    private readonly clients: Clients,
    private readonly requests: AuthorizationRequests,
    private readonly grants: Grants,
    private readonly aggregates: Aggregates,
    private readonly flights: FlightDocuments,
    private readonly mandates: MandateSettings,
    private readonly settings: OAuthSettings,
    private readonly clock: Clock,
  ) {}

  /** The page of a stored request. `refused`: the form it comes back for. @throws OAuthError `authorization_request_gone` */
  async page(
    requestId: string,
    session: Session & { readonly traveller: Traveller },
    urls: BaseUrls,
    refused?: RefusedForm,
  ): Promise<Page> {
    const to = { kind: 'request', id: requestId } as const;
    const { id, traveller } = session;
    const request = await this.requests.find(requestId);
    const { clientId, redirectUri, scopes, details, signedBy = null } = request;
    const { state } = await this.aggregates.load(delegations, { holder: traveller.holder, clientId });
    return consentPage({
      hidden: hiddenFields(id, to),
      logout: logoutForm(session, to),
      client: await this.clients.get(clientId),
      redirectUri,
      signedBy,
      scopes,
      ...(await this.formOn(state, request, traveller.holder, refused?.fields)),
      present: presentText(state),
      details,
      onSale: await airportsOnSale(this.flights, details),
      problem: refused?.problem ?? null,
      isChanged: refused?.isChanged === true,
      now: this.clock.now(),
      urls,
    });
  }

  /** Whether a form grants what the button said that was pressed, as things stand. @throws OAuthError `authorization_request_gone` */
  async isAsShown(requestId: string, holder: string, fields: Parameters): Promise<boolean> {
    const request = await this.requests.find(requestId);
    const { state } = await this.aggregates.load(delegations, { holder, clientId: request.clientId });
    const { atMost } = await this.formOn(state, request, holder, fields);
    return isAsShown(atMost, fields.entered('shown'));
  }

  /** What a form grants, within the cap in force or `cap`; or what is wrong. @throws OAuthError `authorization_request_gone` */
  async grantedIn(
    requestId: string,
    holder: string,
    fields: Parameters,
    cap: Money | null | undefined,
  ): Promise<{ readonly details: readonly MandateDetail[] } | RefusedForm> {
    const request = await this.requests.find(requestId);
    const { clientId, details: asked } = request;
    const details = grantedBy(entriesIn(fields, asked), asked, await airportsOnSale(this.flights, asked));
    if (typeof details === 'string') return { fields, problem: ENTRY_PROBLEMS[details] };
    const { state } = await this.aggregates.load(delegations, { holder, clientId });
    const delegation = cap === undefined ? state : (await playedUnder(this.aggregates, state, cap)).after;
    const { state: pause } = await this.aggregates.load(pauses, holder);
    const problem = this.refusal(delegation, request, details, heldBy(pause));
    return problem ? { fields, problem } : { details };
  }

  /** The page to confirm a cap that ends open mandates; null: it ends none. @throws OAuthError `authorization_request_gone` */
  async ending(
    requestId: string,
    session: Session & { readonly traveller: Traveller },
    urls: BaseUrls,
    cap: Money | null,
    fields: Parameters,
  ): Promise<Page | null> {
    const request = await this.requests.find(requestId);
    const { clientId, redirectUri } = request;
    const { holder } = session.traveller;
    const { state } = await this.aggregates.load(delegations, { holder, clientId });
    const { after, ended } = await playedUnder(this.aggregates, state, cap);
    if (cap === null || ended.length === 0) return null;
    const { atMost, entries } = await this.formOn(after, request, holder, fields, state);
    return endingPage({
      requestId,
      hidden: html`${hiddenFields(session.id, { kind: 'request', id: requestId })} ${hiddenMode(fields)}`,
      client: await this.clients.get(clientId),
      redirectUri,
      consequences: { cap, ended },
      atMost,
      entries,
      urls,
    });
  }

  /** Whether the agent may then do more than now; undefined: unchanged. @throws OAuthError `authorization_request_gone` */
  async isLooser(requestId: string, holder: string, { cap, asksFirst }: Omit<Granted, 'details'>): Promise<boolean> {
    const request = await this.requests.find(requestId);
    const { clientId, scopes } = request;
    const { state } = await this.aggregates.load(delegations, { holder, clientId });
    const inForce = capOf(state);
    const isRaised = inForce !== null && cap !== undefined && (cap === null || cap.amount > inForce.limit.amount);
    const said = { ...(cap !== undefined && { cap }), ...(asksFirst !== undefined && { asksFirst }) };
    const opensItself = !mustAsk(this.authorized(state, request, said));
    const asksNoMore = opensItself && mustAsk(this.authorized(state, request, {}));
    const opensNow = opensItself && scopes.includes(OPENS) && !(await this.mayOpenAlready(state, holder, clientId));
    return isRaised || asksNoMore || opensNow;
  }

  /** The delegation as a consent leaves it that says this, and of all else nothing. @throws DomainError why none can */
  private authorized(
    delegation: Delegation,
    { clientId, scopes, details }: AuthorizationRequest,
    said: Pick<
      Extract<DelegationCommand, { type: 'AuthorizeAgent' }>,
      'cap' | 'asksFirst' | 'opening' | 'atMost' | 'pause'
    >,
  ): Delegation {
    const asksFirstUnless = asksUnless(details, this.settings.newAgentsAsk === true);
    const consent = { holder: '', clientId, grantId: '', scopes, ...said, ...(asksFirstUnless && { asksFirstUnless }) };
    const command = { type: 'AuthorizeAgent', ...consent, now: this.clock.now() } as const;
    return delegationDecider.decide(command, delegation).reduce(delegationDecider.evolve, delegation);
  }

  /** Whether it may open mandates by what it was granted before, which goes on beside what it is granted now. */
  private async mayOpenAlready({ status }: Delegation, holder: string, clientId: string): Promise<boolean> {
    return status === 'authorized' && (await this.grants.have(OPENS, holder, clientId));
  }

  /** The form as it stands, as it was sent or is first shown, beside `state`; `now`: the delegation before anything is decided. */
  private async formOn(
    state: Delegation,
    request: AuthorizationRequest,
    holder: string,
    fields: Parameters | undefined,
    now: Delegation = state,
  ): Promise<Pick<ConsentPageContent, 'cap' | 'entries' | 'atMost'>> {
    const { clientId, scopes, details } = request;
    const mayAlready = await this.mayOpenAlready(now, holder, clientId);
    const mayOpen = scopes.includes(OPENS) || mayAlready;
    const first = state.status !== 'authorized' && isAboutCap({ scopes, details, atMost: { mayOpen } });
    const cap = await this.capField(state, fields, first ? money(FIRST_AMOUNT, 'BRL') : null);
    const entries = fields ? entriesIn(fields, details) : details.map(entryOf);
    const open = state.status === 'authorized' ? Object.values(state.openMandates) : [];
    const currencies = new Set(open.map(({ limit }) => limit.currency));
    const atMost = {
      granted: details.map(({ limit: { currency } }, place) => amountOf(entries[place], currency)),
      open: await Promise.all(
        [...currencies].map(async (one) => (await spendingOf(this.aggregates, state, one)).committed),
      ),
      spent: cap.spending.spent,
      cap: cap.problem ? ('unreadable' as const) : capIn(cap.entry),
      asksFirst:
        (fields && modeEntered(fields)) ?? mustAsk(this.authorized(state, request, fields ? capSaid(fields) : {})),
      mayOpen,
      isStranger: isStrangerId(clientId),
      already: mayAlready && !mustAsk(now) ? (capOf(now)?.limit ?? null) : undefined,
    };
    return { cap, entries, atMost };
  }

  /** Why not all of these mandates can be opened, one beside the other; null: they can, or an interrupted try has. */
  private refusal(
    delegation: Delegation,
    request: AuthorizationRequest,
    details: readonly MandateDetail[],
    pause: number | undefined,
  ): Html | null {
    const now = this.clock.now();
    const opening = details.map(({ mandateId, limit, minutes }) => {
      return { mandateId, limit, expiresAt: plus(now, minutes * 60_000) };
    });
    try {
      this.authorized(delegation, request, { opening, atMost: this.mandates.openMandates, pause });
      return null;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (error.code === 'agents_paused') return AGENTS_PAUSED;
      return error.code === 'rate_limited' ? TOO_MANY_MANDATES : NO_ROOM_IN_CAP;
    }
  }

  /** The cap that this traveller set for this agent, or `first`, or what they entered instead; and the amount used. */
  private async capField(state: Delegation, fields: Parameters | undefined, first: Money | null): Promise<CapField> {
    const entered = fields && capEntered(fields);
    const inForce = capOf(state)?.limit ?? null;
    return {
      id: 'cap',
      entry: entered?.entry ?? capEntry(inForce ?? (fields ? null : first)),
      problem: problemOf(entered?.cap),
      spending: await spendingOf(this.aggregates, state, 'BRL'),
    };
  }
}
