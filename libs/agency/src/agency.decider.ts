import type { AgencyEvent } from '#events';
import {
  type Decider,
  earliest,
  type Instant,
  millisecondsOf,
  type Money,
  Refusal,
  sameMoney,
  type Scope,
  type Stamped,
} from '#kernel';
import { type Agency, type KnownAgency, capOf } from './agency.state.js';

/** Mandates an agent may have open at once (design.md §5, Limits). */
export const OPEN_MANDATES = 100;

export type AgencyCommand =
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
      /** Mandates the agent may have open at once; 0: any number, absent: the 100 of the design. */
      readonly atMost?: number;
    }
  | { readonly type: 'CloseMandate'; readonly mandateId: string; readonly consumed: Money }
  /** Sets the cap, or (null) takes it away. */
  | { readonly type: 'SetSpendingCap'; readonly cap: Money | null }
  | { readonly type: 'RevokeAgent' };

type CommandOf<Type extends AgencyCommand['type']> = Stamped<Extract<AgencyCommand, { type: Type }>>;

/** The rules of `agency-<holder>.<clientId>`. A mandate is opened here before it is created in its own stream. */
export const agencyDecider: Decider<Agency, AgencyCommand, AgencyEvent> = {
  initialState: () => ({ status: 'unknown' }),

  decide: (command, agency) => {
    switch (command.type) {
      case 'AuthorizeAgent': {
        const { holder, clientId, grantId, scopes, isRemembered = false, now } = command;
        if (isRemembered && agency.status !== 'authorized') return [];
        const authorized = { holder, clientId, grantId, scopes, authorizedAt: now };
        return [{ type: 'AgentAuthorized', data: authorized }, ...setCap(command, agency)];
      }
      case 'SetSpendingCap':
        return agency.status === 'unknown' ? [] : setCap(command, agency);
      case 'RevokeAgent': {
        if (agency.status !== 'authorized') return [];
        const openMandates = Object.keys(agency.openMandates);
        return [{ type: 'AgentRevoked', data: { openMandates, revokedAt: command.now } }];
      }
      case 'OpenMandate':
        return open(command, agency);
      case 'CloseMandate': {
        const { mandateId, consumed, now } = command;
        if (agency.status === 'unknown' || !Object.hasOwn(agency.openMandates, mandateId)) return [];
        return [{ type: 'MandateClosed', data: { mandateId, consumed, closedAt: now } }];
      }
    }
  },

  evolve: (agency, event) => {
    const known = agency.status === 'unknown' ? NEWLY_AUTHORIZED : agency;
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

const NEWLY_AUTHORIZED: KnownAgency = {
  status: 'authorized',
  openMandates: {},
  ending: [],
  cap: null,
  spent: null,
};

const setCap = ({ cap, now }: Stamped<{ readonly cap?: Money | null }>, agency: Agency): readonly AgencyEvent[] => {
  if (cap === undefined) return [];
  const present = agency.status === 'unknown' ? null : agency.cap;
  const isSame = cap && present ? sameMoney(cap, present) : cap === present;
  return isSame ? [] : [{ type: 'SpendingCapSet', data: { cap, setAt: now } }];
};

/**
 * A token outlives no authorization: without one it is worth nothing, whatever the grant's document still says.
 *
 * @throws Refusal `invalid_token`
 */
export const requireAuthorized: (agency: Agency) => asserts agency is KnownAgency = (agency) => {
  if (agency.status !== 'authorized') throw new Refusal('invalid_token');
};

const open = (
  { mandateId, limit, expiresAt, atMost = OPEN_MANDATES, now }: CommandOf<'OpenMandate'>,
  agency: Agency,
): readonly AgencyEvent[] => {
  requireAuthorized(agency);
  if (Object.hasOwn(agency.openMandates, mandateId)) return [];

  const ends = Object.values(agency.openMandates).map((mandate) => mandate.expiresAt);
  if (atMost > 0 && ends.length >= atMost) {
    const retryAfter = Math.ceil((millisecondsOf(ends.reduce(earliest)) - millisecondsOf(now)) / 1000);
    throw new Refusal('rate_limited', { openMandates: ends.length }, { retryAfter: Math.max(1, retryAfter) });
  }
  const use = capOf(agency);
  // Another currency is never within a cap: nothing here converts.
  if (use && (limit.currency !== use.limit.currency || limit.amount > use.available.amount)) {
    const { limit: cap, used, available } = use;
    throw new Refusal('mandate_cap_exceeded', { cap, used, available });
  }
  return [{ type: 'MandateOpened', data: { mandateId, limit, expiresAt, openedAt: now } }];
};

/** Without a mandate that was closed; what it consumed stays counted, once a cap has started the count. */
const closed = (agency: KnownAgency, mandateId: string, { amount, currency }: Money): KnownAgency => {
  const { [mandateId]: mandate, ...openMandates } = agency.openMandates;
  if (mandate === undefined) return agency;
  const spent = agency.spent && { ...agency.spent, [currency]: (agency.spent[currency] ?? 0) + amount };
  return { ...agency, openMandates, ending: agency.ending.filter((id) => id !== mandateId), spent };
};
