import type { Instant, Scope } from '#kernel';
import type { Projection } from '#read-models';
import { delegationDecider, delegations } from './delegation.decider.js';
import type { KnownDelegation } from './delegation.state.js';

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
export const agentsProjection: Projection<AgentListItem, readonly [typeof delegations]> = {
  name: 'agents',
  version: 7,
  from: [delegations],
  indexes: [{ fields: ['holder', 'authorizedAt'] }, { fields: ['clientId', 'authorizedAt'] }],
  documentsOf: ({ id }) => [id],
  evolve: (agent, event) => {
    const delegation = delegationDecider.evolve(agent?.delegation ?? { status: 'unknown' }, event);
    if (delegation.status === 'unknown') return null;
    if (event.type === 'AgentRevoked') return agent && { ...agent, delegation, revokedAt: event.data.revokedAt };
    if (event.type !== 'AgentAuthorized') return agent && { ...agent, delegation };
    const { holder, clientId, scopes, authorizedAt } = event.data;
    return { holder, clientId, scopes, authorizedAt, revokedAt: null, delegation };
  },
};
