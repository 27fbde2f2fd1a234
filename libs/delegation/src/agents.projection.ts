import { type DelegationEvent, idOf } from '#events';
import type { Instant, Scope } from '#kernel';
import type { Projection, RecordedEvent } from '#read-models';
import { delegationDecider } from './delegation.decider.js';
import type { KnownDelegation } from './delegation.state.js';

/** An agent in its traveller's list. */
export interface AgentListItem {
  readonly holder: string;
  readonly clientId: string;
  /** The scopes of the latest consent, and its time. */
  readonly scopes: readonly Scope[];
  readonly authorizedAt: Instant;
  /** When the traveller revoked it; null while it is authorized. */
  readonly revokedAt: Instant | null;
  readonly delegation: KnownDelegation;
}

/** The agents each traveller ever let in, by the time of the latest consent. */
export const agentsProjection: Projection<AgentListItem> = {
  name: 'agents',
  version: 1,
  categories: ['delegation'],
  indexes: [{ fields: ['holder', 'authorizedAt'] }],
  documentsOf: ({ stream }) => [idOf(stream)],
  evolve: (agent, event) => {
    if (!isDelegationEvent(event)) return agent;
    const delegation = delegationDecider.evolve(agent?.delegation ?? { status: 'unknown' }, event);
    if (delegation.status === 'unknown') return null;
    if (event.type === 'AgentRevoked') return agent && { ...agent, delegation, revokedAt: event.data.revokedAt };
    if (event.type !== 'AgentAuthorized') return agent && { ...agent, delegation };
    const { holder, clientId, scopes, authorizedAt } = event.data;
    return { holder, clientId, scopes, authorizedAt, revokedAt: null, delegation };
  },
};

const DELEGATION_EVENTS: readonly string[] = [
  'AgentAuthorized',
  'AgentRevoked',
  'MandateClosed',
  'MandateOpened',
  'SpendingCapSet',
] satisfies readonly DelegationEvent['type'][];

const isDelegationEvent = (event: RecordedEvent): event is RecordedEvent & DelegationEvent =>
  DELEGATION_EVENTS.includes(event.type);
