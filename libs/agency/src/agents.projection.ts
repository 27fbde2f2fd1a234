import { type AgencyEvent, idOf } from '#events';
import type { Instant, Scope } from '#kernel';
import type { Projection, RecordedEvent } from '#read-models';
import { agencyDecider } from './agency.decider.js';
import type { KnownAgency } from './agency.state.js';

/** An agent in its traveller's list. */
export interface AgentListItem {
  readonly holder: string;
  readonly clientId: string;
  /** The scopes of the latest consent, and its time. */
  readonly scopes: readonly Scope[];
  readonly authorizedAt: Instant;
  /** When the traveller revoked it; null while it is authorized. */
  readonly revokedAt: Instant | null;
  readonly agency: KnownAgency;
}

/** The agents each traveller ever let in, by the time of the latest consent. */
export const agentsProjection: Projection<AgentListItem> = {
  name: 'agents',
  version: 1,
  categories: ['agency'],
  indexes: [{ fields: ['holder', 'authorizedAt'] }],
  documentsOf: ({ stream }) => [idOf(stream)],
  evolve: (agent, event) => {
    if (!isAgencyEvent(event)) return agent;
    const agency = agencyDecider.evolve(agent?.agency ?? { status: 'unknown' }, event);
    if (agency.status === 'unknown') return null;
    if (event.type === 'AgentRevoked') return agent && { ...agent, agency, revokedAt: event.data.revokedAt };
    if (event.type !== 'AgentAuthorized') return agent && { ...agent, agency };
    const { holder, clientId, scopes, authorizedAt } = event.data;
    return { holder, clientId, scopes, authorizedAt, revokedAt: null, agency };
  },
};

const AGENCY_EVENTS: readonly string[] = [
  'AgentAuthorized',
  'AgentRevoked',
  'MandateClosed',
  'MandateOpened',
  'SpendingCapSet',
] satisfies readonly AgencyEvent['type'][];

const isAgencyEvent = (event: RecordedEvent): event is RecordedEvent & AgencyEvent =>
  AGENCY_EVENTS.includes(event.type);
