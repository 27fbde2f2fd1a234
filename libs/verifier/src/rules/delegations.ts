import type { Amount, AuditedEvent, AuditedMetadata, Json } from '../audited-event.js';
import type { Version } from '../version.js';
import { type MandateState, statusAt, type ReportBreach } from './mandate-state.js';
import { amount, isSame, shown, text, texts } from './members.js';

/** What a traveller lets one agent do, as far as rules ask. */
interface Delegation {
  isAuthorized: boolean;
  /** When its traveller last consented to it. */
  consentedAt: string | null;
  asksFirst: boolean;
  /** With all agents of its traveller. */
  isPaused: boolean;
  cap: Amount | null;
  /** Whether there was ever a cap: from then on what closed mandates had consumed stays counted. */
  isCounted: boolean;
  readonly spent: Map<string, number>;
  /** By id, in the order in which they were opened. */
  readonly open: Map<string, { readonly limit: Amount; readonly isAsked: boolean }>;
  readonly ending: Set<string>;
  /** Of each mandate whose refunds were counted, their sum; the orders; and the closed mandates that count as spent. */
  readonly back: Map<string, number>;
  readonly refunds: Set<string>;
  readonly counted: Set<string>;
}

/** Every mandate opens in its delegation first, within the cap, and counts there until it is over (rules 19, 28, 29). */
export class Delegations {
  private readonly delegations = new Map<string, Delegation>();

  constructor(
    private readonly mandateOf: (id: string) => MandateState | null,
    private readonly version: Version,
    private readonly isHere: (stream: string) => boolean,
    /** Whether an order gives back to a mandate what a refund says, as far as it is known here. */
    private readonly isComingBack: (refund: Json) => boolean,
  ) {}

  next({ stream, type, data, metadata }: AuditedEvent, report: ReportBreach): void {
    const delegation = this.delegations.get(stream) ?? newDelegation();
    this.delegations.set(stream, delegation);
    // What closes a mandate may end others that its spending leaves no room for, under the cap as it was.
    const keepsCap = type === 'SpendingCapSet' && isSameCap(delegation.cap, data);
    if (this.version >= 3 && !keepsCap && !isGiven(stream, type, metadata.actor))
      report('actor', `${type} by another than its traveller`);
    switch (type) {
      case 'AgentAuthorized':
        delegation.isAuthorized = true;
        delegation.consentedAt = metadata.occurredAt;
        return;
      case 'AgentRevoked': {
        if (!delegation.isAuthorized) report('authorization', 'revoked, and not authorized');
        const listed = texts(data, 'openMandates');
        if (new Set(listed).size !== delegation.open.size || !listed.every((id) => delegation.open.has(id)))
          report('authorization', 'revoked with other mandates than are open');
        for (const id of listed) delegation.ending.add(id);
        delegation.isAuthorized = false;
        return;
      }
      case 'ApprovalModeSet':
        // A consent that lets an agent act unasked is one append.
        if (this.version >= 3 && data['asksFirst'] === false && metadata.actor.clientId !== null)
          if (metadata.occurredAt !== delegation.consentedAt) report('actor', 'an agent lets itself act unasked');
        delegation.asksFirst = data['asksFirst'] === true;
        return;
      case 'SpendingCapSet':
        setCap(delegation, data, report);
        return;
      case 'AgentPaused':
      case 'AgentResumed':
        delegation.isPaused = type === 'AgentPaused';
        return;
      case 'MandateOpened':
        open(delegation, data, report);
        return;
      case 'OpenMandateNarrowed':
        this.narrow(delegation, data, report);
        return;
      case 'MandateClosed':
        this.close(delegation, data, metadata.occurredAt, report);
        return;
      case 'MandateRefundCounted':
        this.countRefund(delegation, data, report);
    }
  }

  /** How a refund stands in its delegation: counted, or owed, since its mandate is open or counts as spent; null: neither. */
  refundOf(stream: string, mandateId: string, orderId: string): 'counted' | 'owed' | null {
    const delegation = this.delegations.get(stream);
    if (delegation?.refunds.has(orderId)) return 'counted';
    return delegation?.open.has(mandateId) || delegation?.counted.has(mandateId) ? 'owed' : null;
  }

  /** A mandate was created: its delegation has opened it, with this ceiling, and lets the agent open it itself if it did. */
  created({ data }: AuditedEvent, report: ReportBreach): void {
    const id = text(data, 'mandateId');
    const limit = amount(data, 'limit');
    const stream = `delegation-${text(data, 'holder')}.${text(data, 'clientId')}`;
    if (!this.isHere(stream)) return;
    const delegation = this.delegations.get(stream);
    const opened = delegation?.open.get(id);
    if (!opened || !isSame(opened.limit, limit))
      report('opening', `created with ${shown(limit)}, and its delegation has not opened that`);
    else if (opened.isAsked && data['grantedBy'] === 'agent')
      report('opening', 'opened by an agent that has to ask for it');
  }

  /** What an open mandate counts: no more than before, no less than it can spend, and in the same currency. */
  private narrow(delegation: Delegation, data: Json, report: ReportBreach): void {
    const id = text(data, 'mandateId');
    const limit = amount(data, 'limit');
    const known = delegation.open.get(id);
    if (!known) {
      report('narrowing', `mandate ${id} was narrowed, and it is not open`);
      return;
    }
    const own = this.isHere(`mandate-${id}`) ? this.mandateOf(id)?.limit : undefined;
    if (limit.currency !== known.limit.currency || limit.amount > known.limit.amount)
      report('narrowing', `mandate ${id} goes from ${shown(known.limit)} to ${shown(limit)}: that is no less`);
    if (own && limit.amount < own.amount) report('narrowing', `mandate ${id} counts less than can be spent`);
    delegation.open.set(id, { ...known, limit });
  }

  /** What came back is counted once an order, and lowers what is spent where it is (rule 36). */
  private countRefund(delegation: Delegation, data: Json, report: ReportBreach): void {
    const [id, orderId] = [text(data, 'mandateId'), text(data, 'orderId')];
    const back = amount(data, 'amount');
    if (delegation.refunds.has(orderId)) report('refund', `what came back of order ${orderId} is counted twice`);
    delegation.refunds.add(orderId);
    delegation.back.set(id, (delegation.back.get(id) ?? 0) + back.amount);
    if (!delegation.open.has(id)) {
      if (!delegation.counted.has(id)) report('refund', `mandate ${id} is neither open nor counted as spent`);
      else add(delegation.spent, { ...back, amount: -back.amount });
    }
    if (!this.isComingBack(data))
      report('refund', `${shown(back)} of order ${orderId} is counted as back, and that was not to come back`);
  }

  /** What is over is closed with what it consumed, and has nothing set aside any more. */
  private close(delegation: Delegation, data: Json, at: string, report: ReportBreach): void {
    const id = text(data, 'mandateId');
    const consumed = amount(data, 'consumed');
    const known = delegation.open.get(id);
    if (!known) {
      report('closing', `mandate ${id} was closed, and it is not open`);
      return;
    }
    delegation.open.delete(id);
    delegation.ending.delete(id);
    if (delegation.isCounted) {
      add(delegation.spent, { ...consumed, amount: consumed.amount - (delegation.back.get(id) ?? 0) });
      delegation.counted.add(id);
    }
    // Nothing is nothing in any currency: earlier releases closed what was never created with 0 of their own.
    if (consumed.amount !== 0 && consumed.currency !== known.limit.currency)
      report('closing', `mandate ${id} was closed with ${shown(consumed)}, and opened with ${shown(known.limit)}`);
    if (!this.isHere(`mandate-${id}`)) return;
    const mandate = this.mandateOf(id);
    if (!mandate || !['revoked', 'expired', 'abandoned'].includes(statusAt(mandate, at)) || mandate.reserved > 0)
      report('closing', `mandate ${id} was closed before it was over`);
    if ((mandate?.consumed ?? 0) + (mandate?.refunded ?? 0) !== consumed.amount)
      report('closing', `mandate ${id} was closed with ${shown(consumed)}, and not with what it consumed`);
  }
}

/** Whether it is of a traveller's pages, or, of some types, of a consent, where the agent is named beside them. */
const isGiven = (stream: string, type: string, { holder, clientId }: AuditedMetadata['actor']): boolean => {
  if (!GIVEN.includes(type)) return true;
  const [, own, agent] = /^delegation-([^.]*)\.(.*)$/s.exec(stream) ?? [];
  return holder === own && (clientId === null || (clientId === agent && type !== 'OpenMandateNarrowed'));
};

/** What a traveller alone gives an agent, or takes from it. */
const GIVEN = [
  'AgentAuthorized',
  'SpendingCapSet',
  'ApprovalModeSet',
  'OpenMandateNarrowed',
  'AgentPaused',
  'AgentResumed',
];

const newDelegation = (): Delegation => ({
  isAuthorized: false,
  consentedAt: null,
  asksFirst: false,
  isPaused: false,
  cap: null,
  isCounted: false,
  spent: new Map(),
  open: new Map(),
  ending: new Set(),
  back: new Map(),
  refunds: new Set(),
  counted: new Set(),
});

const add = (sums: Map<string, number>, { amount: cents, currency }: Amount): void => {
  sums.set(currency, (sums.get(currency) ?? 0) + cents);
};

const open = (delegation: Delegation, data: Json, report: ReportBreach): void => {
  const id = text(data, 'mandateId');
  const limit = amount(data, 'limit');
  const { cap, spent } = delegation;
  if (!delegation.isAuthorized) report('authorization', `mandate ${id} was opened for an agent that is not authorized`);
  if (delegation.isPaused) report('authorization', `mandate ${id} was opened while all agents were paused`);
  const used = new Map(spent);
  for (const [other, one] of delegation.open) if (other !== id) add(used, one.limit);
  const total = limit.amount + (used.get(limit.currency) ?? 0);
  if (cap && (cap.currency !== limit.currency || total > cap.amount))
    report('cap', `mandate ${id} brings the agent to ${shown({ ...limit, amount: total })} under ${shown(cap)}`);
  // What is opened again, on the traveller's terms, keeps its place among the others.
  delegation.open.set(id, { limit, isAsked: delegation.asksFirst });
};

const isSameCap = (cap: Amount | null, data: Json): boolean =>
  cap !== null && data['cap'] !== null && isSame(cap, amount(data, 'cap'));

/** The cap is asked again for every open mandate, the oldest first; what it would not admit ends with it. */
const setCap = (delegation: Delegation, data: Json, report: ReportBreach): void => {
  const cap = data['cap'] === null ? null : amount(data, 'cap');
  const listed = texts(data, 'ending');
  let used = cap ? (delegation.spent.get(cap.currency) ?? 0) : 0;
  const expected: string[] = [];
  for (const [id, { limit }] of cap ? delegation.open : []) {
    if (delegation.ending.has(id) || !cap) continue;
    if (limit.currency !== cap.currency || used + limit.amount > cap.amount) expected.push(id);
    else used += limit.amount;
  }
  if (listed.length !== expected.length || listed.some((id, at) => id !== expected[at]))
    report('cap', `set to ${cap ? shown(cap) : 'none'}, and it ends other mandates than have no room under it`);
  for (const id of listed) delegation.ending.add(id);
  delegation.cap = cap;
  delegation.isCounted ||= cap !== null;
};
