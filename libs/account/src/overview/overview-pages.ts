import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ListAgents } from '#delegation';
import { MandatesOfHolder } from '#mandate';
import { OrdersOfHolder, WaitingChallenges } from '#order';
import type { Page } from '#site';
import type { CapEntry } from '../agents/agent-card.js';
import { AgentNames } from '../layout/agent-names.js';
import { pageAsked } from '../layout/paging.js';
import type { Visit } from '../layout/visits.js';
import { overviewPage } from './overview.page.js';

/** Agents on one page, and mandates and orders before one asks for all of them. */
const AGENTS = 20;
const RECENT = 5;

/** The first page of an account. */
@Injectable()
export class OverviewPages {
  constructor(
    private readonly queries: QueryBus,
    private readonly names: AgentNames,
  ) {}

  /** `cursor`: where the list of agents goes on. `unreadable`: what was written as a cap. @throws DomainError `invalid_cursor` */
  async page(visit: Visit, cursor?: unknown, unreadable: CapEntry | null = null): Promise<Page> {
    const { holder, visitor, now, urls } = visit;
    const recent = pageAsked(undefined, RECENT);
    const [challenges, agents, mandates, orders] = await Promise.all([
      this.queries.execute(new WaitingChallenges(holder)),
      this.queries.execute(new ListAgents(holder, pageAsked(cursor, AGENTS))),
      this.queries.execute(new MandatesOfHolder(holder, recent)),
      this.queries.execute(new OrdersOfHolder(holder, recent)),
    ]);
    const nameOf = await this.names.ofAll([
      ...[...challenges, ...agents.items, ...mandates.items].map(({ clientId }) => clientId),
      ...orders.items.map(({ checkout }) => checkout.clientId),
    ]);
    return overviewPage({ challenges, agents, mandates, orders, nameOf, visitor, now, urls, unreadable });
  }
}
