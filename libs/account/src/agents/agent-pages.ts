import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { GetDelegation, type KnownDelegation } from '#delegation';
import type { Page } from '#site';
import { AgentNames } from '../layout/agent-names.js';
import { NotFound } from '../layout/not-found.page.js';
import type { Visit } from '../layout/visits.js';
import { agentEndPage } from './agent-end.page.js';

/** What a traveller is shown of one of their agents. */
@Injectable()
export class AgentPages {
  constructor(
    private readonly queries: QueryBus,
    private readonly names: AgentNames,
  ) {}

  /** The delegation of an agent that the traveller let in at least once. @throws NotFound */
  async known(holder: string, clientId: string): Promise<KnownDelegation> {
    const delegation = await this.queries.execute(new GetDelegation(holder, clientId));
    if (delegation.status === 'unknown') throw new NotFound();
    return delegation;
  }

  /** @throws NotFound */
  async endPage(clientId: string, { holder, visitor, urls }: Visit): Promise<Page> {
    const delegation = await this.known(holder, clientId);
    return agentEndPage({ clientId, name: await this.names.of(clientId), delegation, visitor, urls });
  }
}
