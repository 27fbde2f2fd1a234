import { type DelegationEvent, delegationEvents, streamType } from '#events';
import {
  type Decider,
  DomainError,
  earliest,
  type Instant,
  money,
  type Money,
  ofOrder,
  type Party,
  sameMoney,
  secondsUntil,
  type Stamped,
  TooLate,
} from '#kernel';
import type { CommandOf, DelegationCommand } from './delegation.commands.js';
import { closed, type Delegation, evolveDelegation, type KnownDelegation, mustAsk } from './delegation.state.js';
import { ends, holds } from '../pause/pause.state.js';
import { capRefusal, endedBy } from './spending-cap.rule.js';

/** Mandates an agent may have open at once (docs/decisions.md, Limits). */
export const OPEN_MANDATES = 100;

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

  evolve: evolveDelegation,
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
  let state = events.reduce(evolveDelegation, delegation);
  for (const mandate of opening) {
    const opened = open(
      { type: 'OpenMandate', ...mandate, ...(atMost !== undefined && { atMost }), isDecided: true, now },
      state,
    );
    events.push(...opened);
    state = opened.reduce(evolveDelegation, state);
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
const open = (command: CommandOf<'OpenMandate'>, delegation: Delegation): readonly DelegationEvent[] => {
  const { mandateId, limit, expiresAt, atMost = OPEN_MANDATES, isDecided = false, isFirst = false, now } = command;
  requireAuthorized(delegation);
  const { [mandateId]: present, ...openMandates } = delegation.openMandates;
  const isSame = present && sameMoney(present.limit, limit) && present.expiresAt === expiresAt;
  if (present && (!isDecided || isFirst || isSame)) return [];
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
