import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ReadModelStore } from '#documents';
import { listPage, ReadModels } from '#read-models';
import { type AgentListItem, agentsProjection } from './agents.projection.js';
import { ListAgents } from './list-agents.query.js';

@QueryHandler(ListAgents)
export class ListAgentsHandler implements IQueryHandler<ListAgents> {
  constructor(
    private readonly store: ReadModelStore,
    private readonly readModels: ReadModels,
  ) {}

  execute({ holder, page }: ListAgents) {
    return listPage<AgentListItem>(this.store, this.readModels.collectionOf(agentsProjection), {
      where: [{ field: 'holder', equals: holder }],
      sort: { field: 'authorizedAt', direction: 'descending' },
      ...page,
    });
  }
}
