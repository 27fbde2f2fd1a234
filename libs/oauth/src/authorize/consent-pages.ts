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
import { Clock, type Currency, DomainError, isStrangerId, type Money, money, plus } from '#kernel';
import { amountIn, html, moneyText, type Html, type Page } from '#site';
import { travellersName } from '../clients/client-name.js';
import { Clients } from '../clients/clients.js';
import { Grants } from '../grants/grants.js';
import { OAuthSettings } from '../oauth-settings.js';
import type { MandateDetail } from './authorization-details.js';
import { asksUnless, hiddenMode, modeEntered, modeText } from './approval-mode.js';
import type { AtMost } from './at-most.js';
import { type AuthorizationRequest, AuthorizationRequests } from './authorization-requests.js';
import { capEntered, capEntry, type CapField, capIn, problemOf } from './cap-field.js';
import type { Granted } from './consent-decision.js';
import { consentPath, endingPage } from './consent-ending.page.js';
import { consentPage } from './consent.page.js';
import {
  ENTRY_PROBLEMS,
  entriesIn,
  entryOf,
  grantedBy,
  type MandateEntry,
  AGENTS_PAUSED,
  NO_ROOM_IN_CAP,
  TOO_MANY_MANDATES,
} from './mandate-fields.js';

/** The return target of the consent page. Its login page names the client. @throws OAuthError `authorization_request_gone`, `client_unknown` */
export const consentTarget = (requests: AuthorizationRequests, clients: Clients): ReturnTargetKind => ({
  path: consentPath,
  at: 'auth',
  loginText: async (requestId, isLoggedIn) => {
    const { clientId, redirectUri } = await requests.find(requestId);
    const name = travellersName(await clients.get(clientId), new URL(redirectUri).host);
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

/** What lets an agent open mandates. */
const OPENS = 'mandate:create';

@Injectable()
export class ConsentPages {
  constructor(
    private readonly clients: Clients,
    private readonly requests: AuthorizationRequests,
    private readonly grants: Grants,
    private readonly aggregates: Aggregates,
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
    const client = await this.clients.get(clientId);
    const { state } = await this.aggregates.load(delegations, { holder: traveller.holder, clientId });
    const cap = await this.capField(state, refused?.fields);
    const asksFirst = (refused && modeEntered(refused.fields)) ?? mustAsk(this.authorized(state, request, {}));
    const entries = refused ? entriesIn(refused.fields, details) : null;
    return consentPage({
      hidden: hiddenFields(id, to),
      logout: logoutForm(session, to),
      client,
      redirectUri,
      signedBy,
      scopes,
      cap,
      atMost: await this.atMost(state, request, {
        ...{ asksFirst, cap, entries: entries ?? details.map(entryOf) },
        mayOpen: scopes.includes(OPENS) || (await this.mayOpenAlready(state, traveller.holder, clientId)),
      }),
      present: presentText(state),
      details,
      entries,
      problem: refused?.problem ?? null,
      urls,
    });
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
    const details = grantedBy(entriesIn(fields, asked), asked);
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
    const { clientId, redirectUri, scopes, details } = request;
    const { holder } = session.traveller;
    const { state } = await this.aggregates.load(delegations, { holder, clientId });
    const { after, ended } = await playedUnder(this.aggregates, state, cap);
    if (cap === null || ended.length === 0) return null;
    const entries = entriesIn(fields, details);
    return endingPage({
      requestId,
      hidden: html`${hiddenFields(session.id, { kind: 'request', id: requestId })} ${hiddenMode(fields)}`,
      client: await this.clients.get(clientId),
      redirectUri,
      consequences: { cap, ended },
      atMost: await this.atMost(after, request, {
        asksFirst: modeEntered(fields) ?? mustAsk(this.authorized(after, request, {})),
        cap: await this.capField(after, fields),
        entries,
        mayOpen: scopes.includes(OPENS) || (await this.mayOpenAlready(state, holder, clientId)),
      }),
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

  /** What decides how much the agent could spend, as the form stands. */
  private async atMost(
    state: Delegation,
    { clientId, details }: AuthorizationRequest,
    form: {
      readonly asksFirst: boolean;
      readonly cap: CapField;
      readonly entries: readonly MandateEntry[];
      readonly mayOpen: boolean;
    },
  ): Promise<AtMost> {
    const open = state.status === 'authorized' ? Object.values(state.openMandates) : [];
    const currencies = new Set(open.map(({ limit }) => limit.currency));
    const cap = form.cap.problem ? 'unreadable' : capIn(form.cap.entry);
    return {
      granted: details.map(({ limit: { currency } }, place) => amountOf(form.entries[place], currency)),
      open: await Promise.all(
        [...currencies].map(async (one) => (await spendingOf(this.aggregates, state, one)).committed),
      ),
      spent: form.cap.spending.spent,
      cap,
      asksFirst: form.asksFirst,
      mayOpen: form.mayOpen,
      isStranger: isStrangerId(clientId),
    };
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

  /** The cap that this traveller set for this agent, or what they entered instead; and the amount used. */
  private async capField(state: Delegation, fields: Parameters | undefined): Promise<CapField> {
    const entered = fields && capEntered(fields);
    return {
      id: 'cap',
      entry: entered?.entry ?? capEntry(capOf(state)?.limit ?? null),
      problem: problemOf(entered?.cap),
      spending: await spendingOf(this.aggregates, state, 'BRL'),
    };
  }
}

const amountOf = (entry: MandateEntry | undefined, currency: Currency): Money | null => {
  const amount = entry?.isTorn ? null : amountIn(entry?.limit ?? '');
  return typeof amount === 'number' ? money(amount, currency) : null;
};

const presentText = (delegation: Delegation): string | null => {
  if (delegation.status !== 'authorized') return null;
  const cap = capOf(delegation);
  return `Hoje: ${modeText(mustAsk(delegation))}, ${cap ? `com limite total de ${moneyText(cap.limit)}` : 'sem limite total'}.`;
};
