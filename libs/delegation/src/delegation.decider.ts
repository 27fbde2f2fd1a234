import { type DelegationEvent, delegationEvents, streamType } from '#events';
import {
  type Decider,
  DomainError,
  earliest,
  type Instant,
  millisecondsOf,
  type Money,
  sameMoney,
  type Scope,
  type Stamped,
} from '#kernel';
import { capOf, type Delegation, type KnownDelegation } from './delegation.state.js';

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
      /** By a consent from before, which the traveller was not asked for again: it ends with the authorization. */
      readonly isRemembered?: boolean;
    }
  | {
      readonly type: 'OpenMandate';
      readonly mandateId: string;
      readonly limit: Money;
      readonly expiresAt: Instant;
      /** Mandates the agent may have open at once; 0: any number, absent: 100. */
      readonly atMost?: number;
    }
  | { readonly type: 'CloseMandate'; readonly mandateId: string; readonly consumed: Money }
  /** Sets the cap, or (null) takes it away. */
  | { readonly type: 'SetSpendingCap'; readonly cap: Money | null }
  | { readonly type: 'RevokeAgent' };

type CommandOf<Type extends DelegationCommand['type']> = Stamped<Extract<DelegationCommand, { type: Type }>>;

/** The rules of `delegation-<holder>.<clientId>`. A mandate is opened here before it is created in its own stream. */
export const delegationDecider: Decider<Delegation, DelegationCommand, DelegationEvent> = {
  initialState: () => ({ status: 'unknown' }),

  decide: (command, delegation) => {
    switch (command.type) {
      case 'AuthorizeAgent': {
        const { holder, clientId, grantId, scopes, isRemembered = false, now } = command;
        if (isRemembered && delegation.status !== 'authorized') return [];
        const authorized = { holder, clientId, grantId, scopes, authorizedAt: now };
        return [{ type: 'AgentAuthorized', data: authorized }, ...setCap(command, delegation)];
      }
      case 'SetSpendingCap':
        return delegation.status === 'unknown' ? [] : setCap(command, delegation);
      case 'RevokeAgent': {
        if (delegation.status !== 'authorized') return [];
        const openMandates = Object.keys(delegation.openMandates);
        return [{ type: 'AgentRevoked', data: { openMandates, revokedAt: command.now } }];
      }
      case 'OpenMandate':
        return open(command, delegation);
      case 'CloseMandate': {
        const { mandateId, consumed, now } = command;
        if (delegation.status === 'unknown' || !Object.hasOwn(delegation.openMandates, mandateId)) return [];
        return [{ type: 'MandateClosed', data: { mandateId, consumed, closedAt: now } }];
      }
    }
  },

  evolve: (delegation, event) => {
    const known = delegation.status === 'unknown' ? NEWLY_AUTHORIZED : delegation;
    switch (event.type) {
      case 'AgentAuthorized':
        return { ...known, status: 'authorized' };
      case 'AgentRevoked':
        return { ...known, status: 'revoked', ending: [...known.ending, ...event.data.openMandates] };
      case 'SpendingCapSet': {
        const { cap } = event.data;
        return { ...known, cap, spent: known.spent ?? (cap && {}) };
      }
      case 'MandateOpened': {
        const { mandateId, limit, expiresAt } = event.data;
        return { ...known, openMandates: { ...known.openMandates, [mandateId]: { limit, expiresAt } } };
      }
      case 'MandateClosed':
        return closed(known, event.data.mandateId, event.data.consumed);
    }
  },
};

const NEWLY_AUTHORIZED: KnownDelegation = {
  status: 'authorized',
  openMandates: {},
  ending: [],
  cap: null,
  spent: null,
};

const setCap = (
  { cap, now }: Stamped<{ readonly cap?: Money | null }>,
  delegation: Delegation,
): readonly DelegationEvent[] => {
  if (cap === undefined) return [];
  const present = delegation.status === 'unknown' ? null : delegation.cap;
  const isSame = cap && present ? sameMoney(cap, present) : cap === present;
  return isSame ? [] : [{ type: 'SpendingCapSet', data: { cap, ending: [], setAt: now } }];
};

/**
 * A token outlives no authorization: without one it is worth nothing, whatever the grant's document still says.
 *
 * @throws DomainError `invalid_token`
 */
export const requireAuthorized: (delegation: Delegation) => asserts delegation is KnownDelegation = (delegation) => {
  if (delegation.status !== 'authorized') throw new DomainError('invalid_token');
};

const open = (
  { mandateId, limit, expiresAt, atMost = OPEN_MANDATES, now }: CommandOf<'OpenMandate'>,
  delegation: Delegation,
): readonly DelegationEvent[] => {
  requireAuthorized(delegation);
  if (Object.hasOwn(delegation.openMandates, mandateId)) return [];

  const ends = Object.values(delegation.openMandates).map((mandate) => mandate.expiresAt);
  if (atMost > 0 && ends.length >= atMost) {
    const retryAfter = Math.ceil((millisecondsOf(ends.reduce(earliest)) - millisecondsOf(now)) / 1000);
    throw new DomainError('rate_limited', { openMandates: ends.length }, { retryAfter: Math.max(1, retryAfter) });
  }
  const use = capOf(delegation);
  // Another currency is never within a cap: nothing here converts.
  if (use && (limit.currency !== use.limit.currency || limit.amount > use.available.amount)) {
    const { limit: cap, used, available } = use;
    throw new DomainError('mandate_cap_exceeded', { cap, used, available });
  }
  return [{ type: 'MandateOpened', data: { mandateId, limit, expiresAt, openedAt: now } }];
};

/** Without a mandate that was closed; what it consumed stays counted, once a cap has started the count. */
const closed = (delegation: KnownDelegation, mandateId: string, { amount, currency }: Money): KnownDelegation => {
  const { [mandateId]: mandate, ...openMandates } = delegation.openMandates;
  if (mandate === undefined) return delegation;
  const spent = delegation.spent && { ...delegation.spent, [currency]: (delegation.spent[currency] ?? 0) + amount };
  return { ...delegation, openMandates, ending: delegation.ending.filter((id) => id !== mandateId), spent };
};

/** `delegation-<holder>.<clientId>`: what a traveller lets one agent do. A holder's id has no dot. */
export const delegations = streamType({
  category: 'delegation',
  id: ({ holder, clientId }: { readonly holder: string; readonly clientId: string }) => `${holder}.${clientId}`,
  events: delegationEvents,
  decider: delegationDecider,
});
