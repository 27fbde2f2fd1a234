import { idOf } from '#events';
import { plus } from '#kernel';
import type { BookedEvent } from '../../support/books.js';

/** How long (ms) a closed mandate is remembered at most, and how many of them. */
const [REMEMBERED, AT_MOST] = [3_600_000, 100];

/** How long (ms) a refund is remembered after its flight has left. */
const REFUND = 600_000;
const HOSTS = 10;

interface Agent {
  readonly holder: string;
  readonly clientId: string;
  scopes: readonly string[];
  authorizedAt: string;
  revokedAt: string | null;
  delegation: Delegation;
}

interface Delegation {
  status: 'authorized' | 'revoked';
  openMandates: Record<string, { readonly limit: unknown; readonly expiresAt: string; readonly refunded?: number }>;
  ending: string[];
  /** Closed before their end, and until when nothing opens them again. */
  closed: readonly { readonly mandateId: string; readonly until: string }[];
  /** Orders whose refunds were counted, and until when that is remembered. */
  refunds: readonly { readonly orderId: string; readonly holdBefore: string }[];
  asksFirst: boolean;
  isStranger?: true;
  pauseOfAll?: { readonly pause: number; readonly isOn: boolean };
  redirectHosts?: readonly string[];
  cap: unknown;
  /** Cents by currency since the first cap; null: there was none. */
  spent: Record<string, number> | null;
}

/** The agents that each traveller let in, by the id of their delegation. */
export const agentsOf = (events: readonly BookedEvent[]): ReadonlyMap<string, Readonly<Record<string, unknown>>> => {
  const agents = new Map<string, Agent>();
  for (const { type, data, stored } of events) {
    const id = idOf(stored.stream);
    const agent = agents.get(id);
    if (type === 'AgentAuthorized') {
      const { holder, clientId, scopes, authorizedAt, redirectHost } = data;
      const delegation = agent?.delegation ?? newDelegation();
      const earlier = delegation.status === 'authorized' ? (delegation.redirectHosts ?? []) : [];
      if (redirectHost !== undefined)
        delegation.redirectHosts = [redirectHost, ...earlier.filter((one) => one !== redirectHost)].slice(0, HOSTS);
      if (/^(cimd|dcr)-/.test(clientId)) delegation.isStranger = true;
      delegation.status = 'authorized';
      agents.set(id, { holder, clientId, scopes, authorizedAt, revokedAt: null, delegation });
    }
    if (!agent) continue;
    const { delegation } = agent;
    switch (type) {
      case 'AgentRevoked':
        [agent.revokedAt, delegation.status] = [data.revokedAt, 'revoked'];
        end(delegation, data.openMandates);
        break;
      case 'SpendingCapSet':
        delegation.cap = data.cap;
        if (data.cap !== null) delegation.spent ??= {};
        end(delegation, data.ending);
        break;
      case 'AgentPaused':
      case 'AgentResumed':
        delegation.pauseOfAll = { pause: data.pause, isOn: type === 'AgentPaused' };
        break;
      case 'ApprovalModeSet':
        delegation.asksFirst = data.asksFirst;
        break;
      case 'MandateOpened':
      case 'OpenMandateNarrowed':
        delegation.openMandates[data.mandateId] = {
          ...delegation.openMandates[data.mandateId],
          limit: data.limit,
          expiresAt: data.expiresAt,
        };
        break;
      case 'MandateClosed': {
        const { amount, currency } = data.consumed;
        const { [data.mandateId]: mandate, ...open } = delegation.openMandates;
        delegation.openMandates = open;
        delegation.closed = delegation.closed.filter(({ until }) => until > data.closedAt);
        if (mandate && mandate.expiresAt > data.closedAt) {
          const [until = ''] = [mandate.expiresAt, plus(data.closedAt, REMEMBERED)].sort();
          delegation.closed = [...delegation.closed, { mandateId: data.mandateId, until }].slice(-AT_MOST);
        }
        delegation.ending = delegation.ending.filter((one) => one !== data.mandateId);
        const spent = amount - (mandate?.refunded ?? 0);
        if (delegation.spent) delegation.spent[currency] = (delegation.spent[currency] ?? 0) + spent;
        break;
      }
      case 'MandateRefundCounted': {
        const { mandateId, orderId, departsAt, countedAt } = data;
        const { amount, currency } = data.amount;
        const [, latest = countedAt] = [countedAt, departsAt ?? countedAt].sort();
        const known = delegation.refunds.filter(({ holdBefore }) => holdBefore >= countedAt);
        delegation.refunds = [...known, { orderId, holdBefore: plus(latest, REFUND) }];
        const open = delegation.openMandates[mandateId];
        if (open) delegation.openMandates[mandateId] = { ...open, refunded: (open.refunded ?? 0) + amount };
        else if (delegation.spent) delegation.spent[currency] = (delegation.spent[currency] ?? 0) - amount;
      }
    }
  }
  return new Map([...agents].map(([id, agent]) => [id, { ...agent }]));
};

const newDelegation = (): Delegation => ({
  status: 'authorized',
  openMandates: {},
  ending: [],
  closed: [],
  refunds: [],
  asksFirst: false,
  cap: null,
  spent: null,
});

const end = (delegation: Delegation, more: readonly string[]): void => {
  for (const id of more) if (!delegation.ending.includes(id)) delegation.ending.push(id);
};
