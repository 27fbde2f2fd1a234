import type { DelegationEvent } from '#events';
import { type Currency, earliest, type Fence, type Instant, isStrangerId, type Money, plus, standing } from '#kernel';
import { rememberedUntil } from '../mandate.state.js';
import type { HeldByAll } from '../pause/pause.state.js';

/** A mandate of this agent that still counts: not closed. */
export interface OpenMandate {
  readonly limit: Money;
  readonly expiresAt: Instant;
  /** Cents that came back to it; absent: nothing did. */
  readonly refunded?: number;
}

export interface ClosedMandate {
  readonly mandateId: string;
  readonly until: Instant;
}

/** An agent that its traveller let in once. Totals and what is open, never every mandate (docs/consistency.md, rule 15). */
export interface KnownDelegation {
  /** `revoked`: until a new consent. */
  readonly status: 'authorized' | 'revoked';
  /** By id, in the order in which they were opened: ids are UUIDs, so an object keeps it. */
  readonly openMandates: Readonly<Record<string, OpenMandate>>;
  /** Of those, the ones to be ended since the agent was revoked or a cap left no room for them, whatever comes later. */
  readonly ending: readonly string[];
  /** Those that were closed of late, and until when they are remembered: nothing opens them again. */
  readonly closed: readonly ClosedMandate[];
  /** Orders whose refunds were counted, until some minutes after their flights have left. */
  readonly refunds: readonly Fence[];
  /** Whether its traveller wants to be asked for each mandate; `mustAsk` says whether it has to ask. */
  readonly asksFirst: boolean;
  /** The last pause of everything that reached it; absent: none did. */
  readonly pauseOfAll?: HeldByAll;
  /** Nobody registered it: it is what it says of itself. */
  readonly isStranger?: true;
  /** The hosts to which its codes went since it was let in, the newest first; absent: events from before do not say. */
  readonly redirectHosts?: readonly string[];
  /** What this agent may spend in all; null: no cap. */
  readonly cap: Money | null;
  /** Cents charged to the mandates closed since the first cap, less what came back, by currency; null: there was never a cap. */
  readonly spent: Readonly<Partial<Record<Currency, number>>> | null;
}

/** What a traveller lets one agent do (docs/consistency.md, rule 19). */
export type Delegation = { readonly status: 'unknown' } | KnownDelegation;

/** Whether the agent asks for each mandate: where its traveller said so, or nobody registered it and it has no cap (rule 31). */
export const mustAsk = (delegation: Delegation): boolean =>
  delegation.status !== 'unknown' &&
  (delegation.asksFirst || (delegation.isStranger === true && delegation.cap === null));

/** What an event makes of a delegation. */
export const evolveDelegation = (delegation: Delegation, event: DelegationEvent): Delegation => {
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

/** Who the agent is, by all of its consents: the receiver of a code of an earlier one still acts by it. */
const describedBy = (
  { clientId, redirectHost }: Extract<DelegationEvent, { type: 'AgentAuthorized' }>['data'],
  before: Delegation,
): Pick<KnownDelegation, 'isStranger' | 'redirectHosts'> => {
  const earlier = before.status === 'authorized' ? (before.redirectHosts ?? []) : [];
  const hosts = redirectHost !== undefined && [...new Set([redirectHost, ...earlier])].slice(0, HOSTS);
  return { ...(isStrangerId(clientId) && { isStranger: true }), ...(hosts && { redirectHosts: hosts }) };
};

const added = (ending: readonly string[], more: readonly string[]): readonly string[] => [
  ...new Set([...ending, ...more]),
];

/** How long (ms) a closed mandate is remembered, and how many of them: more than are closed while a try to open one sleeps. */
const [REMEMBERED, AT_MOST] = [3_600_000, 100];

/** Without a mandate that was closed; what it consumed stays counted, once a cap has started the count. */
export const closed = (
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
