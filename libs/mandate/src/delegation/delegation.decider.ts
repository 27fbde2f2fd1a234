import { type DelegationEvent, delegationEvents, streamType } from '#events';
import {
  type Decider,
  DomainError,
  earliest,
  type Instant,
  isStrangerId,
  money,
  type Money,
  ofOrder,
  type Party,
  plus,
  sameMoney,
  type Scope,
  secondsUntil,
  standing,
  type Stamped,
  TooLate,
} from '#kernel';
import { type Delegation, type KnownDelegation, mustAsk, type OpenMandate } from './delegation.state.js';
import { ends, holds } from '../pause/pause.state.js';
import { rememberedUntil } from '../mandate.state.js';
import { capRefusal, endedBy } from './spending-cap.rule.js';

/** Mandates an agent may have open at once (docs/decisions.md, Limits). */
export const OPEN_MANDATES = 100;

export type DelegationCommand =
  | {
      readonly type: 'AuthorizeAgent';
      readonly holder: string;
      readonly clientId: string;
      readonly grantId: string;
      readonly scopes: readonly Scope[];
      /** Sets the cap in the same append, so that nobody is authorized without it; null: no cap, absent: as it was. */
      readonly cap?: Money | null;
      /** The host to which its code goes. */
      readonly redirectHost?: string;
      /** Whether the agent asks for each mandate from now on; absent: as it was. */
      readonly asksFirst?: boolean;
      /** Where `asksFirst` is absent, it asks, unless its traveller let it in once (`known`), or it is let in now (`authorized`). */
      readonly asksFirstUnless?: 'known' | 'authorized';
      /** By a consent from before, which the traveller was not asked for again: it ends with the authorization. */
      readonly isRemembered?: boolean;
      /** It is let in without a consent: one that its traveller knows stays as it stands. */
      readonly isFirst?: boolean;
      /** Mandates that its traveller decided with it: all of them are opened in the same append, or nothing is written. */
      readonly opening?: readonly (OpenMandate & { readonly mandateId: string })[];
      readonly atMost?: number;
      /** Its traveller has paused everything: so is this agent, in the same append. */
      readonly pause?: number | undefined;
    }
  | {
      readonly type: 'OpenMandate';
      readonly mandateId: string;
      readonly limit: Money;
      readonly expiresAt: Instant;
      /** Mandates the agent may have open at once; 0: any number, absent: 100. */
      readonly atMost?: number;
      /** Decided by the traveller: it opens also where the agent has to ask, on these terms. */
      readonly isDecided?: boolean;
    }
  /** What of an open mandate counts from now on, after its own stream narrowed it. */
  | {
      readonly type: 'NarrowMandate';
      readonly mandateId: string;
      readonly limit: Money;
      readonly expiresAt: Instant;
    }
  /** `consumed` null: nothing, since it was never created. */
  | { readonly type: 'CloseMandate'; readonly mandateId: string; readonly consumed: Money | null }
  /** What came back of an order, once. `wasCounted`: whether its mandate, if it is closed, counts as spent; null: nobody looked. */
  | {
      readonly type: 'CountRefund';
      readonly mandateId: string;
      readonly orderId: string;
      readonly amount: Money;
      readonly departsAt: Instant | null;
      readonly wasCounted: boolean | null;
      readonly countBefore: Instant;
    }
  | { readonly type: 'SetSpendingCap'; readonly cap: Money | null }
  | { readonly type: 'SetApprovalMode'; readonly asksFirst: boolean }
  /** With all agents of its traveller (rule 41). */
  | { readonly type: 'PauseAgent' | 'ResumeAgent'; readonly pause: number }
  | { readonly type: 'RevokeAgent' };

type CommandOf<Type extends DelegationCommand['type']> = Stamped<Extract<DelegationCommand, { type: Type }>>;

/** The rules of `delegation-<holder>.<clientId>`. A mandate is opened here before it is created in its own stream. */
export const delegationDecider: Decider<Delegation, DelegationCommand, DelegationEvent> = {
  initialState: () => ({ status: 'unknown' }),

  decide: (command, delegation) => {
    switch (command.type) {
      case 'AuthorizeAgent':
        return authorize(command, delegation);
      case 'SetApprovalMode':
        return delegation.status === 'unknown' ? [] : setMode(command.asksFirst, delegation, command.now);
      case 'SetSpendingCap':
        return delegation.status === 'unknown' ? [] : setCap(command, delegation);
      case 'RevokeAgent': {
        if (delegation.status !== 'authorized') return [];
        const openMandates = Object.keys(delegation.openMandates);
        return [{ type: 'AgentRevoked', data: { openMandates, revokedAt: command.now } }];
      }
      case 'PauseAgent':
        return delegation.status === 'unknown' ? [] : pauseAgent(command.pause, delegation, command.now);
      case 'ResumeAgent': {
        const { pause, now: resumedAt } = command;
        const isEnded = delegation.status !== 'unknown' && ends(pause, delegation.pauseOfAll);
        return isEnded ? [{ type: 'AgentResumed', data: { pause, resumedAt } }] : [];
      }
      case 'OpenMandate':
        return open(command, delegation);
      case 'NarrowMandate': {
        const { type: _, now: narrowedAt, ...terms } = command;
        const known = delegation.status === 'unknown' ? undefined : delegation.openMandates[terms.mandateId];
        const isNarrower = known && (terms.limit.amount < known.limit.amount || terms.expiresAt < known.expiresAt);
        return isNarrower ? [{ type: 'OpenMandateNarrowed', data: { ...terms, narrowedAt } }] : [];
      }
      case 'CloseMandate': {
        const { mandateId, now } = command;
        const known = delegation.status === 'unknown' ? undefined : delegation.openMandates[mandateId];
        if (delegation.status === 'unknown' || !known) return [];
        const consumed = command.consumed ?? money(0, known.limit.currency);
        // What one that the cap ended had spent is known only now: whatever no longer fits beside it ends as well (rule 28).
        const data = { mandateId, consumed, closedAt: now };
        const after = closed(delegation, data);
        return [{ type: 'MandateClosed', data }, ...setCap({ cap: after.cap, now }, after)];
      }
      case 'CountRefund':
        return countRefund(command, delegation);
    }
  },

  evolve: (delegation, event) => {
    const known = delegation.status === 'unknown' ? NEWLY_AUTHORIZED : delegation;
    switch (event.type) {
      case 'AgentAuthorized':
        return { ...known, status: 'authorized', ...describedBy(event.data, delegation) };
      case 'AgentRevoked':
        return { ...known, status: 'revoked', ending: added(known.ending, event.data.openMandates) };
      case 'SpendingCapSet': {
        const { cap, ending } = event.data;
        return { ...known, cap, ending: added(known.ending, ending), spent: known.spent ?? (cap && {}) };
      }
      case 'ApprovalModeSet':
        return { ...known, asksFirst: event.data.asksFirst };
      case 'OpenMandateNarrowed':
      case 'MandateOpened': {
        const { mandateId, limit, expiresAt } = event.data;
        const { refunded } = known.openMandates[mandateId] ?? {};
        const open = { limit, expiresAt, ...(refunded !== undefined && { refunded }) };
        return { ...known, openMandates: { ...known.openMandates, [mandateId]: open } };
      }
      case 'MandateClosed':
        return closed(known, event.data);
      case 'MandateRefundCounted':
        return refundCounted(known, event.data);
      case 'AgentPaused':
      case 'AgentResumed':
        return { ...known, pauseOfAll: { pause: event.data.pause, isOn: event.type === 'AgentPaused' } };
    }
  },
};

const NEWLY_AUTHORIZED: KnownDelegation = {
  status: 'authorized',
  openMandates: {},
  ending: [],
  closed: [],
  refunds: [],
  asksFirst: false,
  cap: null,
  spent: null,
};

/** Hosts that are remembered of an agent: as many as one that registers itself may name. */
const HOSTS = 10;

/** Who the agent is, as far as its consents say: whoever got a code of an earlier one still acts by it. */
const describedBy = (
  { clientId, redirectHost }: Extract<DelegationEvent, { type: 'AgentAuthorized' }>['data'],
  before: Delegation,
): Pick<KnownDelegation, 'isStranger' | 'redirectHosts'> => {
  const earlier = before.status === 'authorized' ? (before.redirectHosts ?? []) : [];
  const hosts = redirectHost !== undefined && [...new Set([redirectHost, ...earlier])].slice(0, HOSTS);
  return { ...(isStrangerId(clientId) && { isStranger: true }), ...(hosts && { redirectHosts: hosts }) };
};

/** @throws DomainError `agents_paused`, `rate_limited`, `mandate_cap_exceeded`, TooLate: those of opening its mandates */
const authorize = (command: CommandOf<'AuthorizeAgent'>, delegation: Delegation): readonly DelegationEvent[] => {
  const {
    holder,
    clientId,
    grantId,
    scopes,
    redirectHost,
    isRemembered = false,
    isFirst = false,
    opening = [],
    atMost,
    pause,
    now,
  } = command;
  if (isRemembered && delegation.status !== 'authorized') return [];
  if (isFirst && delegation.status !== 'unknown') return [];
  const to = redirectHost === undefined ? {} : { redirectHost };
  const authorized = { holder, clientId, grantId, scopes, authorizedAt: now, ...to };
  const asksFirst = command.asksFirst ?? (isNewTo(delegation, command.asksFirstUnless) ? true : undefined);
  const mode = asksFirst === undefined ? [] : setMode(asksFirst, delegation, now);
  const events: DelegationEvent[] = [
    { type: 'AgentAuthorized', data: authorized },
    ...setCap(command, delegation),
    ...mode,
    ...(pause === undefined ? [] : pauseAgent(pause, delegation, now)),
  ];
  let state = events.reduce(delegationDecider.evolve, delegation);
  for (const mandate of opening) {
    const opened = open(
      { type: 'OpenMandate', ...mandate, ...(atMost !== undefined && { atMost }), isDecided: true, now },
      state,
    );
    events.push(...opened);
    state = opened.reduce(delegationDecider.evolve, state);
  }
  return events;
};

const pauseAgent = (pause: number, delegation: Delegation, pausedAt: Instant): readonly DelegationEvent[] =>
  holds(pause, delegation.status === 'unknown' ? undefined : delegation.pauseOfAll)
    ? [{ type: 'AgentPaused', data: { pause, pausedAt } }]
    : [];

const isNewTo = ({ status }: Delegation, unless: 'known' | 'authorized' | undefined): boolean =>
  unless === 'known' ? status === 'unknown' : unless === 'authorized' && status !== 'authorized';

const setMode = (asksFirst: boolean, delegation: Delegation, setAt: Instant): readonly DelegationEvent[] => {
  const present = delegation.status !== 'unknown' && delegation.asksFirst;
  return asksFirst === present ? [] : [{ type: 'ApprovalModeSet', data: { asksFirst, setAt } }];
};

const added = (ending: readonly string[], more: readonly string[]): readonly string[] => [
  ...new Set([...ending, ...more]),
];

/** Sets a cap that is another one, or leaves no room for what is open; the same append says which mandates end with it. */
const setCap = (
  { cap, now }: Stamped<{ readonly cap?: Money | null }>,
  delegation: Delegation,
): readonly DelegationEvent[] => {
  if (cap === undefined) return [];
  const present = delegation.status === 'unknown' ? null : delegation.cap;
  const isSame = cap && present ? sameMoney(cap, present) : cap === present;
  const ending = endedBy(delegation, cap);
  return isSame && ending.length === 0 ? [] : [{ type: 'SpendingCapSet', data: { cap, ending, setAt: now } }];
};

/** A token outlives no authorization, whatever the grant's document says. @throws DomainError `invalid_token` */
export const requireAuthorized: (delegation: Delegation) => asserts delegation is KnownDelegation = (delegation) => {
  if (delegation.status !== 'authorized') throw new DomainError('invalid_token');
};

/** Opens nothing where the agent has to ask (rule 31) or all are paused, nor again what was closed (rule 19). @throws DomainError; TooLate past its end */
const open = (
  { mandateId, limit, expiresAt, atMost = OPEN_MANDATES, isDecided = false, now }: CommandOf<'OpenMandate'>,
  delegation: Delegation,
): readonly DelegationEvent[] => {
  requireAuthorized(delegation);
  const { [mandateId]: present, ...openMandates } = delegation.openMandates;
  if (present && (!isDecided || (sameMoney(present.limit, limit) && present.expiresAt === expiresAt))) return [];
  if (delegation.pauseOfAll?.isOn) throw new DomainError('agents_paused');
  if (mustAsk(delegation) && !isDecided) return [];
  if (delegation.closed.some((one) => one.mandateId === mandateId)) return [];

  const ends = Object.values(openMandates).map((mandate) => mandate.expiresAt);
  if (atMost > 0 && ends.length >= atMost) {
    const endsAt = ends.reduce(earliest);
    const details = { limit: 'open-mandates', endsAt, openMandates: ends.length };
    throw new DomainError('rate_limited', details, { retryAfter: secondsUntil(endsAt, now) });
  }
  const refused = capRefusal({ ...delegation, openMandates }, limit);
  if (refused) throw refused;
  if (now >= expiresAt) throw new TooLate();
  return [{ type: 'MandateOpened', data: { mandateId, limit, expiresAt, openedAt: now } }];
};

/** How long (ms) a closed mandate is remembered, and how many of them: more than are closed while a try to open one sleeps. */
const [REMEMBERED, AT_MOST] = [3_600_000, 100];

/** Without a mandate that was closed; what it consumed stays counted, once a cap has started the count. */
const closed = (
  delegation: KnownDelegation,
  { mandateId, consumed: { amount, currency }, closedAt }: Extract<DelegationEvent, { type: 'MandateClosed' }>['data'],
): KnownDelegation => {
  const { [mandateId]: mandate, ...openMandates } = delegation.openMandates;
  if (mandate === undefined) return delegation;
  const cents = amount - (mandate.refunded ?? 0);
  const spent = delegation.spent && { ...delegation.spent, [currency]: (delegation.spent[currency] ?? 0) + cents };
  const remembered = delegation.closed.filter(({ until }) => until > closedAt);
  // Once its end is past it is refused for that.
  const isOver = mandate.expiresAt <= closedAt;
  const until = earliest(mandate.expiresAt, plus(closedAt, REMEMBERED));
  return {
    ...delegation,
    openMandates,
    ending: delegation.ending.filter((id) => id !== mandateId),
    closed: isOver ? remembered : [...remembered, { mandateId, until }].slice(-AT_MOST),
    spent,
  };
};

/** Written where it makes a difference: of a mandate that is open, or closed and counted. @throws TooLate where nobody looked */
const countRefund = (
  { mandateId, orderId, amount, departsAt, wasCounted, countBefore, now }: CommandOf<'CountRefund'>,
  delegation: Delegation,
): readonly DelegationEvent[] => {
  if (delegation.status === 'unknown' || ofOrder(delegation.refunds, orderId)) return [];
  if (!delegation.openMandates[mandateId]) {
    if (wasCounted === null) throw new TooLate();
    if (!wasCounted) return [];
  }
  if (now > countBefore) throw new TooLate();
  return [{ type: 'MandateRefundCounted', data: { mandateId, orderId, amount, departsAt, countedAt: now } }];
};

const refundCounted = (
  delegation: KnownDelegation,
  {
    mandateId,
    orderId,
    amount: { amount, currency },
    departsAt,
    countedAt,
  }: Extract<DelegationEvent, { type: 'MandateRefundCounted' }>['data'],
): KnownDelegation => {
  const refund = { orderId, holdBefore: rememberedUntil(departsAt, countedAt) };
  const refunds = [...standing(delegation.refunds, countedAt), refund];
  const open = delegation.openMandates[mandateId];
  if (open) {
    const counted = { ...open, refunded: (open.refunded ?? 0) + amount };
    return { ...delegation, refunds, openMandates: { ...delegation.openMandates, [mandateId]: counted } };
  }
  const spent = delegation.spent && { ...delegation.spent, [currency]: (delegation.spent[currency] ?? 0) - amount };
  return { ...delegation, refunds, spent };
};

/** Holder and client of the id `<holder>.<clientId>`; a holder's id has no dot. */
export const agentOf = (id: string): Party => {
  const [holder = '', ...rest] = id.split('.');
  return { holder, clientId: rest.join('.') };
};

/** `delegation-<holder>.<clientId>`: what a traveller lets one agent do. A holder's id has no dot. */
export const delegations = streamType({
  category: 'delegation',
  id: ({ holder, clientId }: { readonly holder: string; readonly clientId: string }) => `${holder}.${clientId}`,
  events: delegationEvents,
  decider: delegationDecider,
  party: (_, id) => agentOf(id),
  snapshotVersion: 7,
});
