import { Injectable } from '@nestjs/common';
import { type Condition, ReadModelStore } from '#documents';
import { Aggregates } from '#event-store';
import { type ListPage, listPage, type ListPart, ReadModels } from '#read-models';
import { pauses } from '../pause/pause.decider.js';
import type { Pause } from '../pause/pause.state.js';
import { type AgentListItem, agentsProjection } from './agents.projection.js';
import { delegations, requireAuthorized } from './delegation.decider.js';
import type { Delegation, KnownDelegation } from './delegation.state.js';

/** The agents that travellers ever let in, revoked ones too. Lists begin with the latest consent. */
@Injectable()
export class Agents {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly store: ReadModelStore,
    private readonly readModels: ReadModels,
  ) {}

  /** What a traveller lets one agent do, as its stream has it now; `unknown` where they never let it in. */
  async delegation(holder: string, clientId: string): Promise<Delegation> {
    return (await this.aggregates.load(delegations, { holder, clientId })).state;
  }

  /** Whether a traveller has paused all of them at once, as its stream has it now. */
  async pause(holder: string): Promise<Pause> {
    return (await this.aggregates.load(pauses, holder)).state;
  }

  /** The agents of a traveller. @throws DomainError `invalid_cursor` */
  ofTraveller(holder: string, part: ListPart): Promise<ListPage<AgentListItem>> {
    return this.list({ field: 'holder', equals: holder }, part);
  }

  /** The travellers of an agent: for auditors, since it spans travellers. @throws DomainError `invalid_cursor` */
  travellersOf(clientId: string, part: ListPart): Promise<ListPage<AgentListItem>> {
    return this.list({ field: 'clientId', equals: clientId }, part);
  }

  private async list(whose: Condition, part: ListPart): Promise<ListPage<AgentListItem>> {
    const collection = await this.readModels.upToDate(agentsProjection);
    const sort = { field: 'authorizedAt', direction: 'descending' } as const;
    return listPage<AgentListItem>(this.store, collection, { where: [whose], sort, ...part });
  }
}

/** Judges the agent by its delegation, where a revocation counts from its event on. @throws DomainError `invalid_token` */
export const requireAuthorizedAgent = async (
  aggregates: Aggregates,
  { holder, clientId }: { readonly holder: string; readonly clientId: string },
): Promise<KnownDelegation> => {
  const { state } = await aggregates.load(delegations, { holder, clientId });
  requireAuthorized(state);
  return state;
};
