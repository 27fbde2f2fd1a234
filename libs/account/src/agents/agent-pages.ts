import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { GetAgency, type KnownAgency } from '#agency';
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

  /** The agency of an agent that the traveller let in at least once. @throws NotFound */
  async known(holder: string, clientId: string): Promise<KnownAgency> {
    const agency = await this.queries.execute(new GetAgency(holder, clientId));
    if (agency.status === 'unknown') throw new NotFound();
    return agency;
  }

  /** @throws NotFound */
  async endPage(clientId: string, { holder, visitor, links }: Visit): Promise<Page> {
    const agency = await this.known(holder, clientId);
    return agentEndPage({ clientId, name: await this.names.of(clientId), agency, visitor, links });
  }
}
