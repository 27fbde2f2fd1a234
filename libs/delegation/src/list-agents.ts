import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ReadModelStore } from '#documents';
import { type ListPage, listPage, ReadModels } from '#read-models';
import { type AgentListItem, agentsProjection } from './agents.projection.js';

/** The agents a traveller ever let in, those of the latest consent first. */
export class ListAgents extends Query<ListPage<AgentListItem>> {
  constructor(
    readonly holder: string,
    readonly page: { readonly limit: number; readonly cursor: string | undefined },
  ) {
    super();
  }
}

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
